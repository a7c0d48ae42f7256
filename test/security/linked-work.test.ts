import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { keptAncestors, Lineages } from '../../src/doctor/linked/lineages.ts'
import type { LinkedTree } from '../../src/doctor/linked/linked-tree.ts'
import { livePath } from '../../src/doctor/linked/live-path.ts'
import { RecordReader } from '../../src/doctor/linked/record-reader.ts'
import { withSplitRecords } from '../../src/doctor/linked/split-records.ts'
import { withStrayResults } from '../../src/doctor/linked/stray-results.ts'
import { lostContent } from '../../src/doctor/lost-content.ts'
import { liveNodes, newestLeaf } from '../../src/doctor/systems/claude-code/live-nodes.ts'
import { lostResults } from '../../src/doctor/systems/claude-code/lost-results.ts'
import { keptBy } from '../../src/doctor/systems/claude-code/preserved.ts'
import { type RecordTree, readTree } from '../../src/doctor/systems/claude-code/tree.ts'
import { withTextResults } from '../../src/doctor/systems/cline/text-results.ts'
import type { HistoryChange } from '../../src/doctor/systems/codex/history-change.ts'
import { RolloutItems } from '../../src/doctor/systems/codex/items.ts'
import { type RolloutHistory, replayAll } from '../../src/doctor/systems/codex/replay.ts'
import { lineOf } from '../../src/doctor/systems/codex/scan.ts'
import type { StoredEvent } from '../../src/doctor/systems/openhands/event.ts'
import { repairCondensations } from '../../src/doctor/systems/openhands/repair-condensations.ts'
import { piFormat } from '../../src/doctor/systems/pi/linked-format.ts'

const [root, lost] = [-1, -2]
const count = 2_000
/** More than any of them needs, and far less than the square. */
const stepsMax = 100 * count

const upTo = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index))

/** A list that counts how often an element of it is read. */
function counted<T>(list: T[]): { readonly list: T[]; readonly reads: () => number } {
  let reads = 0
  const proxy = new Proxy(list, {
    get(target, key, receiver) {
      reads++
      return Reflect.get(target, key, receiver)
    },
  })
  return { list: proxy, reads: () => reads }
}

/** Nothing but links. */
const shapes: readonly (readonly [string, number[]])[] = [
  ['each record names the next one as its parent', upTo(count, node => (node === count - 1 ? lost : node + 1))],
  ['each record names itself', upTo(count, node => node)],
  ['no parent is in the file', upTo(count, () => lost)],
  ['one long cycle', upTo(count, node => (node + 1) % count)],
  [
    // A low record leads to a high one whose parent is lost, above a long run that leads to the last record.
    'the way goes up and down',
    upTo(count, node => {
      if (node < count / 4) return node === 0 ? lost : count - 1 - node
      return node < count / 2 ? count - 1 : lost
    }),
  ],
]

describe('[SE172] links of any form are followed in time proportional to their number', () => {
  test.each(shapes)('in a tree of records: %s', (_name, links) => {
    const { list, reads } = counted([...links])
    const tree = { ids: upTo(count, String), parents: list } as unknown as LinkedTree
    const { order } = livePath(tree, piFormat, () => ({}))
    expect(new Set(order).size).toBe(order.length)
    expect(reads()).toBeLessThan(stepsMax)
  })

  test.each(shapes)('in a session of Claude Code: %s', (_name, links) => {
    const { list, reads } = counted([...links])
    const { order } = liveNodes(claudeTree(list, () => 'user'))
    expect(new Set(order).size).toBe(order.length)
    expect(reads()).toBeLessThan(stepsMax)
  })

  test.each(shapes)('the record before one is the last that does not lead to it: %s', (_name, links) => {
    const parents = links.slice(0, 60).map(parent => (parent >= 60 ? lost : parent))
    const lineages = new Lineages(parents)
    for (const node of [59, 40, 20, 3]) {
      let other = node - 1
      while (other >= 0 && end(other, parents) === end(node, parents)) other--
      expect(lineages.previous(node)).toBe(other)
    }
  })

  test('many ends of one long chain without content', () => {
    const { list, reads } = counted(upTo(2 * count, node => (node < count ? node - 1 : count - 1)))
    const { kinds, times, parents } = claudeTree(list, node => (node === 0 ? 'user' : 'other'))
    expect(newestLeaf({ kinds, times, parents })).toBe(0)
    expect(reads()).toBeLessThan(stepsMax)
  })

  test('many records next to a long chain that is removed', () => {
    const { list, reads } = counted(upTo(2 * count, node => (node < count ? node - 1 : count - 1)))
    const ancestor = keptAncestors(list, new Set(upTo(count - 1, node => node + 1)))
    for (let node = count; node < 2 * count; node++) expect(ancestor(node)).toBe(0)
    expect(reads()).toBeLessThan(stepsMax)
  })

  test('a cycle of removed records has no ancestor', () => {
    expect(keptAncestors([1, 2, 0, 0], new Set([0, 1, 2]))(3)).toBe(root)
  })

  test('many lost results of one response', () => {
    const { list, reads } = counted(upTo(2 * count, node => (node < count ? 0 : -1)))
    const tree = { kinds: upTo(2 * count, node => (node < count ? 'assistant' : 'result')), responses: list }
    const lines = upTo(count, record => ({ kind: 'made', record, call: { id: String(record) } }))
    const content = (node: number) => [{ type: 'tool_result', tool_use_id: String(node - count) }]
    const reader = { value: (node: number) => ({ message: { content: content(node) } }) }
    const order = upTo(count, node => node)
    const found = lostResults({ lines } as never, order, tree as never, reader as never)
    expect([...found].map(([last, results]) => [last, results.length])).toEqual([[count - 1, count]])
    expect(reads()).toBeLessThan(stepsMax)
  })
})

describe('[SE173] records next to a path are read a bounded number of times', () => {
  const result = (id: string) => [{ role: 'tool', parts: [{ kind: 'result', id }] }] as never
  const made = (id: string, record: number) => ({ kind: 'made', record, call: { id } }) as never

  test('a long chain of results of one call', () => {
    let reads = 0
    const parents = upTo(count, node => (node < 2 ? root : node - 1))
    const found = withStrayResults([0], [made('t', 0)], { ids: upTo(count, String), parents } as never, () => {
      reads++
      return result('t')
    })
    expect({ order: found.order, reads: reads < 3 * count }).toEqual({ order: [0, count - 1], reads: true })
  })

  test('sides keep their order, also one in another', () => {
    // 0 calls a, b and c; 1 is the user. 2 follows 0, 3 and 4 follow 2.
    const parents = [root, 0, 0, 2, 2]
    const ids = ['', '', 'a', 'b', 'c']
    const lines = ['a', 'b', 'c'].map(id => made(id, 0))
    const contents = (node: number) => result(ids[node] ?? '')
    const { order, found } = withStrayResults([0, 1], lines, { ids, parents } as never, contents)
    expect({ order, found: [...found] }).toEqual({ order: [0, 2, 4, 3, 1], found: [2, 3, 4] })
  })
})

describe('[SE174] records in any order are read in proportion to their length', () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-linked-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each([
    ['in the order of the file', (index: number) => index],
    ['from the end', (index: number) => count - 1 - index],
    ['from both ends', (index: number) => (index % 2 ? count - index : index)],
  ])('%s', (_name, place) => {
    const path = join(folder, 'session.jsonl')
    const length = 1_000
    writeFileSync(path, upTo(count, index => `${String(index).padStart(length - 1)}\n`).join(''))
    const allocated = vi.spyOn(Buffer, 'allocUnsafe')
    const reader = new RecordReader(path, {
      starts: upTo(count, index => index * length),
      ends: upTo(count, index => (index + 1) * length - 1),
    })
    for (let index = 0; index < count; index++) expect(Number(reader.text(place(index)))).toBe(place(index))
    reader.close()
    const bytes = allocated.mock.calls.reduce((sum, [size]) => sum + size, 0)
    allocated.mockRestore()
    expect(bytes).toBeLessThan(10 * count * length)
  })
})

test('[SE175] a compaction of Claude Code that names a preserved record twice preserves nothing', () => {
  const nodes = new Map(['A', 'B', 'K'].map((id, node) => [id, node]))
  const kept = (uuids: string[]) => keptBy({ preservedMessages: { anchorUuid: 'K', uuids } }, nodes)
  expect(kept(['A', 'B'])).toEqual({ anchor: 2, list: [0, 1] })
  expect(kept(['A', 'B', 'A'])).toBeUndefined()
})

function claudeTree(parents: number[], kind: (node: number) => string): RecordTree {
  const times = upTo(parents.length, node => node)
  const kinds = upTo(parents.length, kind)
  return { parents, kinds, times, responses: times.map(() => -1), kept: undefined } as unknown as RecordTree
}

/** Where the links from a node end: at a record without a parent, or the lowest of a cycle. */
function end(from: number, parents: readonly number[]): number {
  const passed = new Set<number>()
  let node = from
  for (; !passed.has(node); node = parents[node] ?? root) {
    passed.add(node)
    if ((parents[node] ?? root) < 0) return node
  }
  const cycle = [node]
  for (let next = parents[node] ?? root; next !== node; next = parents[next] ?? root) cycle.push(next)
  return Math.min(...cycle)
}

test('[SE179] a record can follow one with the last time that a date can have', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'antiphon-last-')), 'session.jsonl')
  const record = { type: 'user', uuid: 'A', parentUuid: null, timestamp: '+275760-09-13T00:00:00.000Z', message: {} }
  writeFileSync(path, `${JSON.stringify(record)}\n`)
  const [time = 0] = readTree(path).times
  rmSync(dirname(path), { recursive: true })
  expect(new Date(time + 1_000).toISOString()).toBe('+275760-09-12T00:00:01.000Z')
})

describe('[SE176] a rollout of Codex is replayed in time proportional to its records', () => {
  const item = (piece: number, isBoundary: boolean, callId?: string) =>
    ({
      ...{ piece, inner: -1, itemHash: 0, kind: callId === undefined ? 'words' : 'call' },
      ...(isBoundary ? { isBoundary } : {}),
      ...(callId === undefined ? {} : { callId, family: 'function' }),
    }) as HistoryChange
  const pieces = ({ items }: RolloutHistory): number[] => upTo(items.length, at => items.piece(at))

  test.each([
    ['one rollback after another', { kind: 'rollback', turns: 1 }],
    ['rollbacks of nothing', { kind: 'rollback', turns: 0 }],
    ['old compactions', { kind: 'summary', item: item(-1, true) }],
  ] as const)('%s', (_name, change) => {
    const pushed = vi.spyOn(RolloutItems.prototype, 'push')
    replayAll([...upTo(count, piece => item(piece, true)), ...upTo(count - 1, () => change as HistoryChange)])
    const calls = pushed.mock.calls.length
    pushed.mockRestore()
    expect(calls).toBeLessThan(5 * count)
  })

  test('what is left is what it was before', () => {
    const changes = [item(0, false), item(1, true), item(2, false, 'a'), item(3, true), item(4, false, 'b')]
    const back = (turns: number): HistoryChange => ({ kind: 'rollback', turns })
    const summary: HistoryChange = { kind: 'summary', item: item(9, true) as never }
    expect(pieces(replayAll([...changes, back(1)]))).toEqual([0, 1, 2])
    expect(pieces(replayAll([...changes, back(2)]))).toEqual([0])
    expect(pieces(replayAll([...changes, back(7)]))).toEqual([0])
    expect(pieces(replayAll([...changes, summary, item(5, true), item(6, false), summary]))).toEqual([1, 3, 9, 5, 9])
    expect(pieces(replayAll([...changes, summary, back(2), item(7, false), summary]))).toEqual([1, 9])
  })

  test('an id that only removed items have is free', () => {
    const { items } = replayAll([item(0, true), item(1, false, 'a'), item(2, true), item(3, false, 'b')])
    items.truncate(2)
    expect([items.hasId('a'), items.hasId('b'), items.hasId('c')]).toEqual([true, false, false])
  })
})

describe('[SE177] condensations of OpenHands are examined in bounded time and memory', () => {
  const forgets = (id: string, offset: number): StoredEvent =>
    ({ id, kind: 'Condensation', role: 'aside', condensation: { forgotten: [], offset } }) as unknown as StoredEvent
  const event = (id: string, more: object): StoredEvent => ({ id, kind: 'x', ...more }) as unknown as StoredEvent
  const call = (id: string): StoredEvent =>
    event(`call ${id}`, { role: 'action', call: { id, response: 'r', isRun: true } })
  const result = (id: string): StoredEvent => event(`result ${id}`, { role: 'result', result: { id } })

  test('a summary moves over a long step in one pass', () => {
    const names = upTo(count / 2, String)
    const chain = [...names.map(call), ...names.map(result), forgets('c', 1), event('u', { role: 'user' })]
    const looked = vi.spyOn(Set.prototype, 'has')
    const { chain: after } = repairCondensations(chain, chain)
    const looks = looked.mock.calls.length
    looked.mockRestore()
    expect(after.find(({ id }) => id === 'c')?.condensation?.offset).toBe(count)
    expect(looks).toBeLessThan(stepsMax)
  })

  test('too many of them are refused', () => {
    const chain = upTo(5_000, index => (index % 2 ? forgets(`c${index}`, index) : event(`u${index}`, { role: 'user' })))
    expect(() => repairCondensations(chain, chain)).toThrow('2500 condensations')
  })
})

describe('[SE178] places in a store are found in time proportional to its length', () => {
  test('results that Cline wrote as text, each with its call', () => {
    let reads = 0
    const call = (index: number): object => ({
      type: 'tool_use',
      id: `c${index}`,
      get name() {
        reads++
        return `tool${index % 1_000}`
      },
    })
    const said = (index: number): object => ({ type: 'text', text: `[tool${index % 1_000}] Result: ${index}` })
    const content = upTo(count, said).reverse()
    const messages = [
      { role: 'assistant', content: upTo(count, call) },
      { role: 'user', content },
    ]
    const [, answer] = withTextResults(messages) as readonly { content: { tool_use_id: string }[] }[]
    // Of the calls with one name the first one is answered first.
    const expected = upTo(count, at => `c${1_000 * Math.floor(at / 1_000) + 999 - (at % 1_000)}`)
    expect(answer?.content.map(({ tool_use_id: id }) => id)).toEqual(expected)
    expect(reads).toBeLessThan(5 * count)
  })

  test('the rule that removed content', () => {
    let reads = 0
    const repairs = upTo(count, index => ({
      rule: `rule ${index}`,
      get at() {
        reads++
        return `messages[${index}].content[0]`
      },
    }))
    const history = upTo(count, index => ({ role: 'user', content: [{ type: 'text', text: `lost ${index}` }] }))
    const lost = lostContent(history, [], { repairs, dropped: [] } as never, 'messages')
    expect(lost.map(({ rule }) => rule)).toEqual(repairs.map(({ rule }) => rule))
    expect(reads).toBeLessThan(5 * count)
  })

  test('the lines of a rollout in which many lines were glued', () => {
    let reads = 0
    const shifts = upTo(count, index => ({
      by: index + 1,
      get piece() {
        reads++
        return 2 * index + 1
      },
    }))
    for (let piece = 0; piece < 2 * count; piece++) expect(lineOf({ shifts }, piece)).toBe(Math.floor(piece / 2))
    expect(reads).toBeLessThan(stepsMax)
  })
})

describe('[SE460] lines that raw line breaks have split are joined in time proportional to their length', () => {
  const lines: readonly (readonly [string, string])[] = [
    ['each one begins a record and ends like one', `{"${'x'.repeat(100)}}`],
    ['each one begins a record', `{"${'x'.repeat(100)}`],
    ['each one continues a record and ends like one', `${'x'.repeat(100)}}`],
    ['each one ends one record and begins the next', `x"}{"${'x'.repeat(100)}`],
  ]

  test.each(lines)('%s', (_name, text) => {
    let read = 0
    const parsed = vi.spyOn(JSON, 'parse').mockImplementation(text => {
      read += text.length
      throw new SyntaxError('this is not JSON')
    })
    const texts = ['{"type', ...upTo(300, () => text)]
    const given = texts.map(text => ({ bytes: Buffer.from(text), ending: '\n' as const }))
    const found = [...withSplitRecords(given, () => true)]
    parsed.mockRestore()
    expect(found.map(({ bytes }) => bytes.toString())).toEqual(texts)
    expect(read).toBeLessThan(5 * texts.join('').length)
  })
})
