import { expect, test } from 'vitest'
import { firstItem } from '../../../../src/apps/viewer/page/shell/first-item.ts'
import type { ItemState } from '../../../../src/apps/viewer/protocol.ts'

const source = (id: string) => ({ id, kind: 'store', name: id }) as const
const item = (source: string, id: string, state: ItemState) => ({ source, id, title: id, state })
const sources = [source('1'), source('2')]

test.each([
  ['a fault is found while more is being listed', ['healthy', 'broken'], 'healthy', [], '1/2'],
  ['all before it are not known yet', ['healthy'], 'broken', ['2'], undefined],
  ['all before it are known', ['healthy'], 'broken', ['1'], '2/1'],
  ['nothing is broken, and not all is known', ['healthy'], 'healthy', ['1'], undefined],
  ['nothing is broken', ['healthy'], 'healthy', ['1', '2'], '1/1'],
] as const)('[VB20] what the page begins with when %s', (_name, first, second, listed, begun) => {
  const items = [...first.map((state, index) => item('1', String(index + 1), state)), item('2', '1', second)]
  const found = firstItem({ sources, items, listed: new Set(listed) })
  expect(found && `${found.source}/${found.id}`).toBe(begun)
})

test('[VB20] without documents nothing is opened', () => {
  expect(firstItem({ sources: [], items: [], listed: new Set() })).toBeUndefined()
})
