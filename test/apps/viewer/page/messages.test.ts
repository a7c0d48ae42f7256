import { describe, expect, test } from 'vitest'
import type { Arc } from '../../../../src/apps/viewer/document-service.ts'
import { splitText } from '../../../../src/apps/viewer/page/content/split-text.ts'
import { readingOrder } from '../../../../src/apps/viewer/page/margin/reading-order.ts'
import { stackCards } from '../../../../src/apps/viewer/page/margin/stack-cards.ts'
import { arcPath } from '../../../../src/apps/viewer/page/messages/arc-path.ts'
import { describeArc } from '../../../../src/apps/viewer/page/messages/describe-arc.ts'
import { wideGutter } from '../../../../src/apps/viewer/page/messages/gutter.ts'
import { heightsOf, rowAt, topOf } from '../../../../src/apps/viewer/page/messages/heights.ts'
import { highlightFor } from '../../../../src/apps/viewer/page/messages/highlight.ts'
import { arcKey, assignLanes } from '../../../../src/apps/viewer/page/messages/lanes.ts'
import { readAddress, writeAddress } from '../../../../src/apps/viewer/page/shell/address.ts'

const arc = (from: number | undefined, to: number | undefined, more: Partial<Arc> = {}): Arc => ({
  kind: 'paired',
  name: 'get_weather',
  id: `${from}-${to}`,
  lane: 0,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...more,
})

describe('row positions', () => {
  test('folded rows have one height, and unfolded ones move the rows after them', () => {
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
  test('overlapping arcs have separate lanes, short ones inside; others share one', () => {
    const [one, two, three, apart] = [arc(2, 3), arc(2, 4), arc(2, 5), arc(8, 9)]
    const lanes = assignLanes([three, apart, one, two], new Map())
    expect([one, two, three, apart].map(arc => lanes.get(arcKey(arc)))).toEqual([0, 1, 2, 0])
  })

  test('an arc keeps its lane while other arcs come and go', () => {
    const [long, short] = [arc(0, 90), arc(4, 5)]
    const before = assignLanes([long], new Map())
    expect(before.get(arcKey(long))).toBe(0)
    const after = assignLanes([short, long], before)
    expect([after.get(arcKey(long)), after.get(arcKey(short))]).toEqual([0, 1])
  })
})

describe('an arc', () => {
  const heightOf = (row: number): number => row * 50
  const format = (arc: Arc) => arcPath(arc, 0, wideGutter, heightOf, [0, 1_000])

  test('ends in a ring where it leads nowhere, and in a pause while it waits', () => {
    expect(format(arc(2, 3)).end).toBeUndefined()
    expect(format(arc(2, undefined, { kind: 'open' })).end?.symbol).toBe('ring')
    expect(format(arc(undefined, 2, { kind: 'orphan' })).end?.symbol).toBe('ring')
    expect(format(arc(2, undefined, { kind: 'waiting' })).end?.symbol).toBe('pause')
  })

  test('that leaves the screen is drawn to its edge, and not to its far end', () => {
    const numbers = format(arc(2, 90_000)).line.match(/-?\d+(\.\d+)?/g) ?? []
    expect(Math.max(...numbers.map(Number))).toBeLessThan(1_100)
  })

  test('says in words what it shows', () => {
    expect(describeArc(arc(2, 5, { kind: 'misplaced' }), 5)).toBe(
      'result of get_weather, 3 messages away from its call',
    )
    expect(describeArc(arc(2, 3), 2)).toBe('call of get_weather, its result one message further on')
    expect(describeArc(arc(undefined, 3, { kind: 'orphan' }), 3)).toBe('result of get_weather, without a call')
    expect(describeArc(arc(3, undefined, { kind: 'open' }), 3)).toBe('call of get_weather, without a result')
    expect(describeArc(arc(3, undefined, { kind: 'waiting' }), 3)).toBe('call of get_weather, waiting for its result')
    expect(describeArc(arc(3, 4, { kind: 'duplicate' }), 4)).toBe(
      'one more result of get_weather, one message away from its call',
    )
  })
})

describe('highlights', () => {
  const diagnostics = [
    { rule: 'orphan-result', severity: 'error', at: '', message: '', help: '', why: '', callId: 'a', rows: [4] },
  ] as const
  const row = (index: number, here: number[] = []) => ({
    ...({ index, key: index, role: 'tool', words: '', pieces: [], size: 0 } as const),
    diagnostics: here,
  })
  const window = { rows: [row(1), row(4, [0]), row(5)], arcs: [arc(1, 4, { id: 'a' }), arc(1, 5, { id: 'b' })] }

  test('a diagnostic highlights its rows and the arcs of its call, and they highlight it', () => {
    const byMark = highlightFor({ kind: 'diagnostic', diagnostic: 0 }, window, diagnostics)
    expect([[...byMark.rows], [...byMark.arcs]]).toEqual([[4], [arcKey(window.arcs[0])]])
    expect([...highlightFor({ kind: 'row', row: 4 }, window, diagnostics).diagnostics]).toEqual([0])
    expect([...highlightFor({ kind: 'arc', arc: window.arcs[0] }, window, diagnostics).diagnostics]).toEqual([0])
    expect([...highlightFor({ kind: 'arc', arc: window.arcs[1] }, window, diagnostics).diagnostics]).toEqual([])
    expect([...highlightFor({ kind: 'row', row: 4 }, window, diagnostics).rows].sort()).toEqual([1, 4])
  })
})

describe('the margin', () => {
  test('cards give way to each other, and all to the open one', () => {
    const wanted = [0, 50, 60, 300].map(top => ({ top, height: 48 }))
    expect(stackCards(wanted, -1, 2)).toEqual([0, 50, 100, 300])
    expect(stackCards(wanted, 2, 2)).toEqual([-40, 10, 60, 300])
  })

  test('diagnostics are in reading order', () => {
    const at = (...rows: number[]) => ({ rows }) as never
    expect(readingOrder([at(9), at(2), at(), at(2), at(0)])).toEqual([4, 1, 3, 0, 2])
  })
})

describe('a long text', () => {
  test('is cut at line ends, and nothing is lost', () => {
    const lines = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
    const pieces = splitText(lines)
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.join('\n')).toBe(lines)
    const long = 'x'.repeat(10_001)
    expect(splitText(long).join('')).toBe(long)
  })
})

describe('the address', () => {
  test('is read as it was written', () => {
    for (const mode of ['before', 'after', 'side', 'steps'] as const) {
      const address = { source: '1', item: 'a/b&c', dialect: 'mistral', mode, step: mode === 'steps' ? 3 : 0, row: 12 }
      expect(readAddress(`#${writeAddress(address)}`)).toEqual(address)
    }
  })

  test('with invalid values means the beginning', () => {
    expect(readAddress('#mode=sideways&step=-1&row=1e9')).toEqual({ mode: 'before', step: 0, row: 0 })
  })
})
