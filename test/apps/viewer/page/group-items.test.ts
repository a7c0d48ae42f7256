import { expect, test } from 'vitest'
import { countStates, groupItems } from '../../../../src/apps/viewer/page/catalogue/group-items.ts'
import type { CatalogueItem, ItemState, SourceInfo } from '../../../../src/apps/viewer/protocol.ts'

const sources: SourceInfo[] = [
  { id: '1', kind: 'store', name: '/home/ada/.codex' },
  { id: '2', kind: 'journal', name: 'chat.db' },
]
const items: CatalogueItem[] = Array.from({ length: 5_000 }, (_, index) => ({
  source: index % 2 === 0 ? '1' : '2',
  id: String(index),
  title: `Conversation ${index}`,
  state: index % 10 === 0 ? 'broken' : 'healthy',
  ...(index === 4_998 ? { note: 'It is no JSON' } : {}),
}))

const titles = (wanted: Partial<Parameters<typeof groupItems>[2]>): string[] =>
  groupItems(sources, items, { words: '', limit: 200, ...wanted }).flatMap(group =>
    group.items.map(({ title }) => title),
  )

test('[VB2] of thousands only a part is shown, and all are counted', () => {
  const groups = groupItems(sources, items, { words: '', limit: 3_000 })
  expect(groups.map(({ items, matching, all }) => [items.length, matching, all])).toEqual([
    [2_500, 2_500, 2_500],
    [500, 2_500, 2_500],
  ])
})

test.each([
  ['conversation 4998', ['Conversation 4998']],
  ['NO json', ['Conversation 4998']],
  ['4999 chat.db', ['Conversation 4999']],
  ['4999 codex', []],
  ['broken 4990', ['Conversation 4990']],
])('[VB2] %j is found in any field', (words, found) => {
  expect(titles({ words })).toEqual(found)
})

test('[VB40] what is broken comes first, then what waits, and the newest first within one state', () => {
  const of = (id: string, state: ItemState, at?: number): CatalogueItem => ({
    ...{ source: '1', id, title: id, state },
    ...(at === undefined ? {} : { at }),
  })
  const listed = [of('old', 'healthy', 1), of('new', 'healthy', 3), of('undated', 'idle'), of('waits', 'parked', 1)]
  const broken = [of('broken-1', 'broken', 1), of('failed-2', 'failed', 2), of('unreadable-9', 'unreadable', 9)]
  const [group] = groupItems(sources, [...listed, ...broken], { words: '', limit: 10 })
  expect(group.items.map(({ id }) => id)).toEqual([
    'failed-2',
    'broken-1',
    'unreadable-9',
    'waits',
    'new',
    'old',
    'undated',
  ])
})

test('[VW40] agents follow the thread that called them', () => {
  const of = (id: string, parent?: string): CatalogueItem => ({
    ...{ source: '2', id, title: id, state: 'idle' },
    ...(parent === undefined ? {} : { parent }),
  })
  const listed = [of('a'), of('b'), of('b1', 'b'), of('a1', 'a'), of('a11', 'a1'), of('a2', 'a'), of('c', 'gone')]
  const [group] = groupItems(sources.slice(1), listed, { words: '', limit: 10 })
  expect(group.items.map(({ id }) => id)).toEqual(['a', 'a1', 'a11', 'a2', 'b', 'b1', 'c'])
})

test('[VB2] a filter shows a single state', () => {
  expect(titles({ state: 'broken', words: '12', limit: 5 })).toEqual(
    [120, 1120, 1200, 1210, 1220].map(n => `Conversation ${n}`),
  )
  expect(countStates(items)).toEqual([
    ['healthy', 4_500],
    ['broken', 500],
  ])
})
