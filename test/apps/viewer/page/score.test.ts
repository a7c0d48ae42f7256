import { describe, expect, test } from 'vitest'
import type { Arc } from '../../../../src/apps/viewer/desk.ts'
import { bites } from '../../../../src/apps/viewer/page/content/bites.ts'
import { orderOf } from '../../../../src/apps/viewer/page/margin/order-of.ts'
import { stack } from '../../../../src/apps/viewer/page/margin/stack.ts'
import { arcShape } from '../../../../src/apps/viewer/page/score/arc-shape.ts'
import { arcWords } from '../../../../src/apps/viewer/page/score/arc-words.ts'
import { wideGutter } from '../../../../src/apps/viewer/page/score/gutter.ts'
import { heightsOf, rowAt, topOf } from '../../../../src/apps/viewer/page/score/heights.ts'
import { arcName, assignLanes } from '../../../../src/apps/viewer/page/score/lanes.ts'
import { litBy } from '../../../../src/apps/viewer/page/score/lit.ts'
import { readAddress, writeAddress } from '../../../../src/apps/viewer/page/shell/address.ts'

const arc = (from: number | undefined, to: number | undefined, more: Partial<Arc> = {}): Arc => ({
  kind: 'seated',
  name: 'get_weather',
  id: `${from}-${to}`,
  lane: 0,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...more,
})

describe('where rows stand', () => {
  test('folded rows stand one under the other, and unfolded ones push what is behind them', () => {
    const heights = heightsOf(
      50,
      100_000,
      new Map([
        [70_000, 250],
        [3, 150],
      ]),
    )
    expect([0, 3, 4, 70_000, 70_001, 100_000].map(row => topOf(heights, row))).toEqual([
      0, 150, 300, 3_500_100, 3_500_350, 5_000_300,
    ])
  })

  test('the row at a height is the one that covers it', () => {
    const heights = heightsOf(50, 1_000, new Map([[3, 150]]))
    for (let row = 0; row < 1_000; row++) {
      expect(rowAt(heights, topOf(heights, row))).toBe(row)
      expect(rowAt(heights, topOf(heights, row + 1) - 1)).toBe(row)
    }
    expect([rowAt(heights, -10), rowAt(heights, 1e9)]).toEqual([0, 999])
    expect(rowAt(heightsOf(50, 0, new Map()), 10)).toBe(0)
  })
})

describe('lanes', () => {
  test('arcs that overlap have lanes of their own, short ones inside; others share one', () => {
    const [one, two, three, apart] = [arc(2, 3), arc(2, 4), arc(2, 5), arc(8, 9)]
    const lanes = assignLanes([three, apart, one, two], new Map())
    expect([one, two, three, apart].map(arc => lanes.get(arcName(arc)))).toEqual([0, 1, 2, 0])
  })

  test('an arc keeps its lane while it is there, whatever comes and goes', () => {
    const [long, short] = [arc(0, 90), arc(4, 5)]
    const before = assignLanes([long], new Map())
    expect(before.get(arcName(long))).toBe(0)
    const after = assignLanes([short, long], before)
    expect([after.get(arcName(long)), after.get(arcName(short))]).toEqual([0, 1])
  })
})

describe('an arc', () => {
  const heightOf = (row: number): number => row * 50
  const shape = (arc: Arc) => arcShape(arc, 0, wideGutter, heightOf, [0, 1_000])

  test('ends in a ring where it leads nowhere, and in a pause while it waits', () => {
    expect(shape(arc(2, 3)).end).toBeUndefined()
    expect(shape(arc(2, undefined, { kind: 'open' })).end?.mark).toBe('ring')
    expect(shape(arc(undefined, 2, { kind: 'orphan' })).end?.mark).toBe('ring')
    expect(shape(arc(2, undefined, { kind: 'waiting' })).end?.mark).toBe('pause')
  })

  test('that leaves the screen is drawn to its edge, and not to its far end', () => {
    const numbers = shape(arc(2, 90_000)).line.match(/-?\d+(\.\d+)?/g) ?? []
    expect(Math.max(...numbers.map(Number))).toBeLessThan(1_100)
  })

  test('says in words what it shows', () => {
    expect(arcWords(arc(2, 5, { kind: 'misplaced' }), 5)).toBe('result of get_weather, 3 messages away from its call')
    expect(arcWords(arc(2, 3), 2)).toBe('call of get_weather, its result one message further on')
    expect(arcWords(arc(undefined, 3, { kind: 'orphan' }), 3)).toBe('result of get_weather, without a call')
    expect(arcWords(arc(3, undefined, { kind: 'open' }), 3)).toBe('call of get_weather, without a result')
    expect(arcWords(arc(3, undefined, { kind: 'waiting' }), 3)).toBe('call of get_weather, waiting for its result')
    expect(arcWords(arc(3, 4, { kind: 'duplicate' }), 4)).toBe(
      'one more result of get_weather, one message away from its call',
    )
  })
})

describe('what lights up', () => {
  const marks = [
    { rule: 'orphan-result', severity: 'error', at: '', message: '', help: '', why: '', callId: 'a', rows: [4] },
  ] as const
  const row = (index: number, here: number[] = []) => ({
    ...({ index, key: index, role: 'tool', words: '', pieces: [], size: 0 } as const),
    marks: here,
  })
  const window = { rows: [row(1), row(4, [0]), row(5)], arcs: [arc(1, 4, { id: 'a' }), arc(1, 5, { id: 'b' })] }

  test('a diagnostic lights its rows and the arcs of its call, and they light it', () => {
    const byMark = litBy({ kind: 'mark', mark: 0 }, window, marks)
    expect([[...byMark.rows], [...byMark.arcs]]).toEqual([[4], [arcName(window.arcs[0])]])
    expect([...litBy({ kind: 'row', row: 4 }, window, marks).marks]).toEqual([0])
    expect([...litBy({ kind: 'arc', arc: window.arcs[0] }, window, marks).marks]).toEqual([0])
    expect([...litBy({ kind: 'arc', arc: window.arcs[1] }, window, marks).marks]).toEqual([])
    expect([...litBy({ kind: 'row', row: 4 }, window, marks).rows].sort()).toEqual([1, 4])
  })
})

describe('the margin', () => {
  test('cards give way to each other, and all to the open one', () => {
    const wishes = [0, 50, 60, 300].map(top => ({ top, height: 48 }))
    expect(stack(wishes, -1, 2)).toEqual([0, 50, 100, 300])
    expect(stack(wishes, 2, 2)).toEqual([-40, 10, 60, 300])
  })

  test('diagnostics are gone through from the top of the sheet', () => {
    const at = (...rows: number[]) => ({ rows }) as never
    expect(orderOf([at(9), at(2), at(), at(2), at(0)])).toEqual([4, 1, 3, 0, 2])
  })
})

describe('a long text', () => {
  test('is cut at line ends, and nothing is lost', () => {
    const lines = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
    const pieces = bites(lines)
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.join('\n')).toBe(lines)
    const long = 'x'.repeat(10_001)
    expect(bites(long).join('')).toBe(long)
  })
})

describe('the address', () => {
  test('is read as it was written', () => {
    for (const mode of ['before', 'after', 'side', 'steps'] as const) {
      const address = { source: '1', item: 'a/b&c', reader: 'mistral', mode, step: mode === 'steps' ? 3 : 0, row: 12 }
      expect(readAddress(`#${writeAddress(address)}`)).toEqual(address)
    }
  })

  test('that says nonsense means the beginning', () => {
    expect(readAddress('#mode=sideways&step=-1&row=1e9')).toEqual({ mode: 'before', step: 0, row: 0 })
  })
})
