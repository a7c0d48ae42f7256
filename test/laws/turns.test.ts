import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/core/dialects/index.ts'
import { applyEdits } from '../../src/core/edit.ts'
import { GrowingHistory } from '../../src/heal/healer.ts'
import { planFor } from '../../src/heal/options.ts'
import { repairSegments, repairWhole } from '../../src/heal/segments/repair-segments.ts'
import { SegmentScan } from '../../src/heal/segments/scan-segments.ts'
import { createHealer, type HealOptions, heal } from '../../src/index.ts'
import { sampleOf, seedsOf, triesAll } from '../sample.ts'
import { history, validHistory } from './history.ts'
import { pairs } from './try-laws.ts'

/** Several conversations one after another, about a third of them broken. */
function longHistory(codec: CodecId, seed: number, pieces: number): unknown[] {
  return Array.from({ length: pieces }, (_, index) => {
    const own = 7_000_000 + seed * 16 + index * 2
    return ((seed + index) % 3 === 0 ? history(codec, own) : validHistory(codec, own + 1)).messages
  }).flat()
}

/** Each pair is tried with another seed. */
const seedsFor = (codec: CodecId, dialect: DialectId) => sampleOf([0, 1, 2, 3, 4, 5], 1, `${codec} for ${dialect}`)

describe('[L13] healing the doubtful turns gives what healing the whole gives', () => {
  const seeds = seedsOf(10, 3)
  let compared = 0
  test.each(pairs)('$codec for $dialect', ({ codec, dialect }) => {
    for (const seed of seeds) {
      const messages = longHistory(codec, seed, 5)
      const plan = planFor(messages, { format: codec, for: dialect })
      const survey = new SegmentScan(plan.codec, plan.facts)
      for (const message of messages) survey.push(message)
      const turns = repairSegments(messages, survey.segments(), survey.cuts, plan)
      if (!turns) continue
      compared++
      const whole = repairWhole(messages, plan)
      expectSame(turns.messages, whole.messages, `${codec} for ${dialect}, seed ${seed}`)
      const decoded = codecs[codec].decode(messages)
      const edits = turns.repairs.flatMap(repair => [...repair.edits])
      const applied = codecs[codec].encode(applyEdits(decoded.messages, edits), decoded, messages)
      expectSame(applied, turns.messages, `the edits for ${codec} for ${dialect}, seed ${seed}`)
    }
  })
  test('often enough', () => expect(compared).toBeGreaterThan(triesAll ? 75 : 5))
})

test.each(pairs)(
  '[L14] a healer gives what healing from scratch gives, at every length: $codec for $dialect',
  ({ codec, dialect }) => {
    for (const seed of seedsFor(codec, dialect)) {
      const messages = longHistory(codec, seed, 3)
      const options = seed % 2 === 0 ? { for: dialect } : { for: dialect, format: codec }
      const healer = createHealer(options)
      for (const [index, message] of messages.entries()) {
        healer.push(message)
        if (index % 4 !== seed % 4 && index !== messages.length - 1) continue
        const scratch = heal(messages.slice(0, index + 1), options)
        expectSame(healer.history, scratch, `${index} of seed ${seed}`)
      }
    }
  },
)

test.each(pairs)(
  '[L16] a history that a healer returned stays the same, and the live list has the same messages: $codec for $dialect',
  ({ codec, dialect }) => {
    for (const seed of seedsFor(codec, dialect)) {
      const options = seed % 2 === 0 ? { for: dialect } : { for: dialect, format: codec }
      const healer = new GrowingHistory({ ...options, onRepair: () => {} })
      const kept: { history: readonly unknown[]; was: unknown[] }[] = []
      let [live, settled]: [readonly unknown[], unknown[]] = [[], []]
      for (const [index, message] of longHistory(codec, seed, 3).entries()) {
        healer.push(message)
        if (index % 4 === seed % 4) continue
        const isSame = healer.live === live
        live = healer.live
        if (isSame) for (const [at, one] of settled.entries()) if (live[at] !== one) expect.fail(`${at} has changed`)
        settled = live.slice(0, healer.settled)
        const { history } = healer
        expectSame(history, live, `live, ${index} of seed ${seed}`)
        kept.push({ history, was: [...history] })
      }
      for (const { history, was } of kept) expectSame(history, was, `seed ${seed}, afterwards`)
    }
  },
)

test.each([
  [
    'overlap',
    [
      [0, 2],
      [0, 2],
    ],
  ],
  [
    'are out of order',
    [
      [2, 4],
      [0, 2],
    ],
  ],
  ['reach past the end', [[38, 41]]],
])('[L15] turns that %s are a broken invariant', (_, places) => {
  const messages = Array.from({ length: 20 }, (_, index) => [
    { role: 'user', content: `question ${index}` },
    { role: 'assistant', content: `answer ${index}` },
  ]).flat()
  const segments = places.map(([from = 0, to = 0]) => ({ from, to }))
  const cuts = Array.from({ length: 20 }, (_, index) => 2 * index)
  const plan = planFor(messages, { format: 'openai-chat', for: 'openai' })
  expect(() => repairSegments(messages, segments, cuts, plan)).toThrow('segments are in order and do not overlap')
})

describe('[L14] a push costs what is new, though every turn before is broken', () => {
  const user = { role: 'user', content: 'hi' }
  const assistant = { role: 'assistant', content: 'so' }
  const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
  const calls = (id: string) => ({ role: 'assistant', content: null, tool_calls: [call(id)] })
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
  const item = (id: string) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'look', arguments: '{}' })

  test.each<[string, HealOptions, (id: string) => object[]]>([
    ['calls without a result', { format: 'openai-chat', for: 'openai' }, id => [user, calls(id), assistant]],
    ['ids that must be unique', { format: 'openai-chat', for: 'anthropic' }, id => [user, calls(id), assistant]],
    ['orphans', { format: 'openai-chat', for: 'openai' }, id => [user, result(id, 'one'), assistant]],
    [
      'calls with two results',
      { format: 'openai-chat', for: 'openai' },
      id => [user, calls(id), result(id, 'one'), result(id, 'two'), assistant],
    ],
    ['items with ids', { format: 'openai-responses' }, id => [user, item(id), assistant]],
  ])('%s', (_, options, turn) => {
    let reads = 0
    const watched = (message: object) => {
      const watching = Object.entries(message).map(([key, value]) => {
        const get = () => {
          reads++
          return value
        }
        return [key, { get, enumerable: true }] as const
      })
      return Object.defineProperties({}, Object.fromEntries(watching))
    }
    const healer = createHealer(options)
    const costs = Array.from({ length: 300 }, (_, index) => {
      const before = reads
      healer.push(...turn(`call_${1_000 + index}`).map(watched))
      return reads - before
    })
    expect(costs[299]).toBe(costs[10])
  })
})

/** Looks quickly first: to compare with words for every difference is dear. */
function expectSame(one: readonly unknown[], other: readonly unknown[], what: string): void {
  if (!isDeepStrictEqual(one, other)) expect(one, what).toEqual(other)
}

test('[L14] an incremental healer goes on with the same result after its onRepair threw', () => {
  const tools = (id: string) => [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }]
  const messages = ['a', 'b', 'c', 'd'].flatMap((text, index) => [
    { role: 'user', content: text },
    index === 0
      ? { role: 'assistant', content: null, tool_calls: tools('1') }
      : { role: 'assistant', content: 'Well.' },
  ])
  let thrown = 0
  const onRepair = (): void => {
    if (thrown++ === 0) throw new Error('a listener that fails once')
  }
  const healer = createHealer({ format: 'openai-chat', for: 'openai', onRepair })
  for (const message of messages) {
    try {
      healer.push(message)
    } catch {}
  }
  expect(thrown).toBeGreaterThan(0)
  expect(healer.history).toEqual(heal(messages, { format: 'openai-chat', for: 'openai', onRepair: () => {} }))
})
