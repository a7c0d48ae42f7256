import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { dialects } from '../../src/core/dialects/index.ts'
import { keepNewest, keepNewestOfHealthy } from '../../src/heal/keep-newest.ts'
import { planFor } from '../../src/heal/options.ts'
import { isHealthy } from '../../src/heal/repair-with-plan.ts'
import {
  AntiphonError,
  check,
  cutPoints,
  type DialectId,
  type HealOptions,
  heal,
  type Report,
  type TrimOptions,
  trim,
} from '../../src/index.ts'
import { arbitraryHistory, arbitraryJson } from '../laws/arbitrary-json.ts'
import { history, codecs as known, validHistory } from '../laws/history.ts'
import { Random } from '../laws/random.ts'
import { pairs } from '../laws/try-laws.ts'
import { judge } from '../oracle/judge.ts'
import { read } from '../oracle/readers/read.ts'
import { sampleOf, seedsOf, triesAll } from '../sample.ts'
import { sketch } from '../sketch.ts'

type Fields = Record<string, unknown>

const say = (role: string, content: unknown): Fields => ({ role, content })
const user = (text: string): Fields => say('user', text)
const assistant = (text: string): Fields => say('assistant', text)
const system = say('system', 'be kind')

const calls = (...ids: string[]): Fields => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(id => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
})
const result = (id: string, text = 'seen'): Fields => ({ role: 'tool', tool_call_id: id, content: text })

const uses = (...ids: string[]): Fields =>
  say(
    'assistant',
    ids.map(id => ({ type: 'tool_use', id, name: 'look', input: {} })),
  )
const answer = (id: string): Fields => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })
const text = (words: string): Fields => ({ type: 'text', text: words })
const thinking: Fields = { type: 'thinking', thinking: 'hm', signature: 'Eq1' }

const item = (id: string): Fields => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'f',
  arguments: '{}',
})
const output = (id: string): Fields => ({ type: 'function_call_output', call_id: id, output: 'seen' })
const reasoning = (id: string): Fields => ({ type: 'reasoning', id: `rs_${id}`, summary: [] })
const reference: Fields = { type: 'item_reference', id: 'fc_held' }

describe('a cut in the wrong place', () => {
  const chat = [system, user('one'), calls('A', 'B'), result('A'), result('B'), assistant('so'), user('two')]

  test('[T4] a result is never first, and parallel results are never split', () => {
    expect(cutPoints(chat)).toEqual([2, 5, 6])
    expect(sketch(trim([...chat.slice(0, 6), calls('C'), result('C')], { maxMessages: 4 }))).toEqual([
      ...['system: be kind', 'user: one', 'assistant: C', 'result C: seen'],
    ])
  })

  test('[T4] a late result stays with its call if no repair is allowed', () => {
    const late = [user('one'), calls('A'), user('wait'), assistant('well'), result('A'), assistant('so'), user('two')]
    expect(cutPoints(late)).toEqual([1, 5, 6])
    expect(trim(late, { maxMessages: 3, allow: [] })).toEqual([user('two')])
    expect(trim(late, { maxMessages: 6, allow: [] })).toEqual([user('two')])
  })

  test('[T3] the system messages at the beginning stay, and later ones go with their turn', () => {
    const history = [
      ...[system, say('developer', 'be brief'), user('one'), say('system', 'later'), assistant('so')],
      ...[user('two'), assistant('well'), user('three')],
    ]
    expect(trim(history, { maxMessages: 5 })).toEqual([...history.slice(0, 2), ...history.slice(5)])
    expect(trim(history, { maxMessages: 4 })).toEqual([...history.slice(0, 2), history[7]])
  })

  test('[T3] a system message directly before a user message stays with it', () => {
    const history = [user('one'), assistant('so'), say('system', 'now French'), user('two'), assistant('bien')]
    expect(trim(history, { maxMessages: 3 })).toEqual(history.slice(2))
  })

  test('[T1] for a provider that rejects a leading assistant message, the history starts with the user', () => {
    const steps = [user('one'), calls('A'), result('A'), assistant('so'), user('two')]
    expect(cutPoints(steps, { for: 'openai' })).toEqual([1, 3, 4])
    expect(cutPoints(steps, { for: 'gemma-template' })).toEqual([4])
    expect(cutPoints(steps, { for: 'mistral' })).toEqual([3, 4])
    expect(cutPoints([system, ...steps], { for: 'mistral' })).toEqual([2, 4, 5])
  })

  test('[T1] for a provider that requires a user message, one is kept', () => {
    const steps = [user('one'), assistant('so'), user('two'), calls('A'), result('A')]
    expect(cutPoints(steps, { for: 'openai' })).toEqual([1, 2, 3])
    expect(cutPoints(steps, { for: 'glm' })).toEqual([1, 2])
  })

  test('[T1] a provider that accepts one system message gets no second one', () => {
    const late = [system, user('one'), assistant('so'), say('system', 'later'), user('two')]
    expect(cutPoints(late, { for: 'openai' })).toEqual([2, 3, 4])
    expect(cutPoints(late, { for: 'qwen-template' })).toEqual([2, 4])
  })

  test('[T4] user text that shares a message with results does not start a turn', () => {
    const shared = say('user', [answer('A'), text('and Rome?')])
    const history = [user('one'), uses('A'), shared, assistant('so'), user('two'), assistant('well')]
    expect(cutPoints(history)).toEqual([4])
    expect(trim(history, { maxMessages: 5 })).toEqual(history.slice(4))
    expect(trim(history.slice(0, 4), { maxMessages: 3 })).toEqual([history[0], history[3]])
  })

  test('[T4] results in several messages stay together', () => {
    const split = [uses('A', 'B'), say('user', [answer('A')]), say('user', [answer('B'), text('and?')])]
    const history = [user('one'), assistant('so'), user('two'), ...split, assistant('well'), user('three')]
    expect(cutPoints(history, { for: 'lenient', format: 'anthropic' })).toEqual([1, 2, 3, 6, 7])
    expect(trim(history, { maxMessages: 6 })).toEqual(history.slice(2))
    expect(trim(history, { maxMessages: 6, cautious: true })).toHaveLength(5)
  })

  test('[T4] thinking stays with the steps that it led to', () => {
    const first = say('assistant', [thinking, { type: 'tool_use', id: 'A', name: 'look', input: {} }])
    const history = [user('one'), first, say('user', [answer('A')]), uses('B'), say('user', [answer('B')])]
    const again = [say('assistant', [thinking, ...(uses('C').content as Fields[])]), say('user', [answer('C')])]
    expect(trim(history, { maxMessages: 3 })).toBe(history)
    expect(trim([...history, ...again], { maxMessages: 4 })).toEqual([history[0], ...again])
    expect(cutPoints([...history, ...again], { for: 'lenient' })).toEqual([1, 5])
  })

  test('[T4] a reasoning item stays with the items that it led to', () => {
    const loop = [
      reasoning('1'),
      item('A'),
      output('A'),
      item('B'),
      output('B'),
      reasoning('2'),
      item('C'),
      output('C'),
    ]
    const history = [say('user', 'one'), ...loop]
    expect(cutPoints(history)).toEqual([1, 6])
    expect(trim(history, { maxMessages: 5 })).toEqual([history[0], ...loop.slice(5)])
    expect(trim(history, { maxMessages: 3 })).toEqual(loop.slice(5))
  })

  test('[T4] both halves of a call that the provider runs stay together', () => {
    const half = say('assistant', [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }])
    const other = say('assistant', [{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }])
    const history = [user('one'), half, other, assistant('so'), user('two')]
    expect(cutPoints(history, { for: 'lenient' })).toEqual([1, 3, 4])
  })

  test('[T4] a result stays with what refers to its call', () => {
    const step = [reasoning('1'), item('A'), output('A')]
    const history = [user('one'), reference, output('held'), assistant('so'), user('two'), ...step]
    expect(cutPoints(history, { format: 'openai-responses' })).toEqual([4, 5])
    expect(trim(history, { maxMessages: 4, format: 'openai-responses' })).toEqual(history.slice(4))
  })

  test('[T4] a result stays with a reference that the user spoke after', () => {
    const history = [user('one'), assistant('so'), reference, user('well?'), output('held'), user('two')]
    expect(cutPoints(history, { format: 'openai-responses' })).toEqual([1, 5])
  })

  test('[T4] an item without a role stays with what it may answer', () => {
    const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'pay', arguments: '{}', server_label: 'bank' }
    const response = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }
    const history = [user('one'), request, response, assistant('paid'), user('two')]
    expect(cutPoints(history, { format: 'openai-responses' })).toEqual([1, 4])
  })

  test('[T4] a result whose call the provider holds is never cut away, and visible pairs stay together', () => {
    const loop = [user('one'), calls('A'), result('A'), assistant('so'), user('two')]
    expect(cutPoints([result('held'), ...loop], { continues: true })).toEqual([])
    expect(trim([result('held'), ...loop], { continues: true, maxMessages: 1 })).toHaveLength(6)
    expect(cutPoints([...loop, result('held')], { continues: true })).toEqual([1, 3, 4])
  })

  test('[T4] an approval stays with its call, before it is answered and after', () => {
    const look = { type: 'tool-call', toolCallId: 'A', toolName: 'look', input: {} }
    const pay = { type: 'tool-call', toolCallId: 'B', toolName: 'pay', input: {} }
    const asking = say('assistant', [{ type: 'tool-approval-request', approvalId: 'b', toolCallId: 'B' }])
    const said = say('tool', [{ type: 'tool-approval-response', approvalId: 'b', approved: true }])
    const done = (id: string, toolName: string) =>
      say('tool', [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: 'done' } }])
    const steps = [user('pay'), say('assistant', [look]), done('A', 'look'), say('assistant', [pay]), asking, said]
    const points = (history: unknown[]) => cutPoints(history, { format: 'ai-sdk' })
    expect(points(steps)).toEqual([1, 3])
    expect(points([...steps, done('B', 'pay'), assistant('paid')])).toEqual([1, 3, 7])
    expect(points([...steps.slice(0, 5), user('no')])).toEqual([1, 3, 5])
  })
})

describe('what is kept', () => {
  const turn = (name: string): Fields[] => [user(name), calls(`${name}1`), result(`${name}1`), assistant(`so ${name}`)]
  const history = [system, ...turn('a'), ...turn('b'), ...turn('c')]

  test('[T5] the newest turns stay, as many as fit', () => {
    const kept = (maxMessages: number) => trim(history, { maxMessages }).slice(1)
    expect(kept(12)).toEqual(history.slice(5))
    expect(kept(9)).toEqual(history.slice(5))
    expect(kept(8)).toEqual(history.slice(9))
    expect(kept(5)).toEqual(history.slice(9))
  })

  test('[T5] of a last turn that is too long the question stays, with its newest steps', () => {
    const loop = ['1', '2', '3', '4'].flatMap(id => [calls(`d${id}`), result(`d${id}`)])
    const long = [...history, user('d'), say('user', 'please'), ...loop]
    const kept = (maxMessages: number) => sketch(trim(long, { maxMessages })).slice(1)
    expect(kept(10)).toEqual(sketch([user('d'), user('please'), ...loop.slice(2)]))
    expect(kept(6)).toEqual(sketch([user('d'), user('please'), ...loop.slice(6)]))
    expect(kept(4)).toEqual(sketch(loop.slice(6)))
  })

  test('[T5] what is between the messages that open a turn stays with them', () => {
    const opening = [say('system', 'now French'), say('widget', 'x'), user('two')]
    const steps = [calls('A'), result('A'), calls('B'), result('B')]
    expect(trim([user('one'), assistant('so'), ...opening, ...steps], { maxMessages: 6, for: 'glm' })).toEqual([
      ...[...opening, ...steps.slice(2)],
    ])
  })

  test('[T5] a user message that is too long is removed if the provider accepts the steps alone', () => {
    const loop = ['1', '2', '3'].flatMap(id => [calls(`d${id}`), result(`d${id}`)])
    const long = [system, user('d'), ...loop]
    const count = (message: unknown) => (message === long[1] ? 1_000 : 10)
    expect(trim(long, { maxTokens: 55, count })).toEqual([system, ...loop.slice(2)])
    expect(trim(long, { maxTokens: 55, count, for: 'glm' })).toEqual([system, long[1], ...loop.slice(4)])
  })

  test('[T5] for a provider that rejects a leading assistant message, the user message is always kept', () => {
    const loop = ['1', '2', '3'].flatMap(id => [uses(`d${id}`), say('user', [answer(`d${id}`)])])
    const long = [user('c'), assistant('so'), user('d'), ...loop]
    expect(trim(long, { maxMessages: 6 })).toEqual([long[2], ...loop.slice(2)])
    expect(trim(long, { maxMessages: 1 })).toEqual([long[2], ...loop.slice(4)])
  })

  test('[T2] if nothing fits, the smallest part that the provider accepts is kept', () => {
    expect(trim(history, { maxMessages: 1 })).toEqual([system, history[12]])
    expect(trim(history, { maxMessages: 1, for: 'qwen-template' })).toEqual([system, history[9], history[12]])
    expect(trim([system], { maxMessages: 1 })).toEqual([system])
    expect(trim([system, system], { maxMessages: 1 })).toEqual([system, system])
    expect(trim([], { maxMessages: 1 })).toEqual([])
  })

  test('[T2] tokens are counted as the caller counts them, once a message', () => {
    const asked: unknown[] = []
    const count = (message: unknown) => {
      asked.push(message)
      return message === system ? 100 : 10
    }
    expect(trim(history, { maxTokens: 140, count })).toEqual([system, ...history.slice(9)])
    expect(trim(history, { maxTokens: 139, count })).toEqual([system, history[9], history[12]])
    expect(trim(history, { maxTokens: 220, count })).toBe(history)
    asked.length = 0
    trim(history, { maxTokens: 150, count })
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked).not.toContain(history[1])
  })

  test('[T2] by default a token is four characters of JSON', () => {
    const long = 'x'.repeat(4_000)
    const history = [user(long), assistant('so'), user('hi'), assistant('well')]
    const tokens = (messages: unknown[]) =>
      messages.reduce((sum: number, message) => sum + Math.ceil(JSON.stringify(message).length / 4), 0)
    expect(trim(history, { maxTokens: tokens(history) })).toBe(history)
    expect(trim(history, { maxTokens: tokens(history) - 1 })).toEqual(history.slice(2))
    expect(trim(history, { maxTokens: tokens(history.slice(2)) })).toEqual(history.slice(2))
    expect(trim(history, { maxTokens: tokens(history.slice(2)) - 1 })).toEqual(history.slice(3))
  })

  test('[T6] the same reference comes back if nothing is broken and nothing has to go', () => {
    expect(trim(history, { maxMessages: 13 })).toBe(history)
    expect(trim(history, { maxTokens: 100_000 })).toBe(history)
  })

  test('[T6] a broken history is healed first, and the repairs are reported', () => {
    const broken = [system, ...turn('a'), user('b'), calls('b1'), user('c')]
    const told: Report[] = []
    const options: HealOptions = { onRepair: report => told.push(report) }
    expect(sketch(trim(broken, { ...options, maxMessages: 4 }))).toEqual(['system: be kind', 'user: c'])
    expect(sketch(trim(broken, { maxMessages: 8 }))).toEqual([
      ...['system: be kind', 'user: b', 'assistant: b1', 'result b1: ?', 'user: c'],
    ])
    expect(told.map(({ repairs }) => repairs.map(({ rule }) => rule))).toEqual([['unanswered-call']])
  })

  test.each<[string, TrimOptions]>([
    ['none', {}],
    ['both', { maxMessages: 1, maxTokens: 1 }],
    ['zero', { maxMessages: 0 }],
    ['a negative one', { maxTokens: -1 }],
    ['a fraction', { maxMessages: 1.5 }],
    ['not a number', { maxTokens: Number.NaN }],
    ['text', { maxMessages: '5' as unknown as number }],
  ])('[T8] a limit must be one, and a whole number from 1 on: %s', (_, options) => {
    expect(() => trim(history, options)).toThrow(expect.objectContaining({ code: 'bad-limit' }))
  })

  test('[T8] a count that is not a number is an error, and so are unknown names', () => {
    const thrownBy = (options: TrimOptions): unknown => {
      try {
        return trim(history, options)
      } catch (error) {
        return AntiphonError.is(error) && error.code
      }
    }
    expect(thrownBy({ maxTokens: 9, count: () => Number.NaN })).toBe('bad-count')
    expect(thrownBy({ maxTokens: 9, count: () => -1 })).toBe('bad-count')
    expect(thrownBy({ maxTokens: 9, for: 'nobody' as DialectId })).toBe('unknown-dialect')
    expect(() => cutPoints(history, { format: 'nothing' as CodecId })).toThrow(AntiphonError)
  })
})

describe('laws of trimming', () => {
  const tried = pairs.filter(({ codec }) => known.includes(codec))
  const seedsPerPair = triesAll ? 3 : 1
  const seedsFor = (pair: (typeof tried)[number]) =>
    sampleOf([0, 1, 2], seedsPerPair, `${pair.codec} for ${pair.dialect}`).map(
      index => 1_000 * tried.indexOf(pair) + index,
    )

  const errorsOf = (messages: unknown, options: HealOptions) =>
    check(messages, options).filter(({ severity }) => severity === 'error')

  /** A third valid, a third corrupted, a third free-form. */
  const make = (codec: CodecId, seed: number) =>
    seed % 3 === 0 ? validHistory(codec, seed) : history(codec, 2 * Math.floor(seed / 3) + (seed % 3))

  /** The limits that are tried on a history: some messages, or some tokens of a count that is not the same for all. */
  function* limits(length: number, seed: number): Generator<Limit> {
    const random = new Random(seed ^ 0x7417)
    for (let round = 0; round < 4; round++) {
      if (round < 3) yield { maxMessages: random.range(1, Math.max(1, length)), count: () => 1 }
      else yield { maxTokens: random.range(1, 20 * length + 1), count: message => JSON.stringify(message).length % 31 }
    }
  }

  let allCutAway = 0
  test.each(tried)('$codec for $dialect: [T1] [T2] [T3] [T4] [T5] [T6] [T7]', pair => {
    const { codec, dialect } = pair
    const wrong: string[] = []
    let cutAway = 0
    for (const seed of seedsFor(pair)) {
      const { kind, messages } = make(codec, seed)
      const options: HealOptions = { format: codec, for: dialect }
      const healed = heal(messages, options)
      const subject = new Subject(healed, codec, options)
      for (const limit of limits(healed.length, seed)) {
        const kept = trim(messages, { ...options, ...limit })
        if (kept.length < healed.length) cutAway++
        const again = trim(healed, { ...options, ...limit })
        const isJudged = kind === 'valid' && dialects[dialect].codec === codec
        const problems = [
          ...errorsOf(kept, options).map(({ rule }) => `[T1] ${rule}`),
          ...(isJudged ? refusals(kept, codec, dialect) : []),
          ...(isDeepStrictEqual(kept, again) ? [] : ['[T6] a broken history is trimmed otherwise than healed']),
          ...(kept.length === healed.length && again !== healed ? ['[T6] a copy of all'] : []),
          ...subject.problems(again, limit),
        ]
        for (const problem of problems) wrong.push(`seed ${seed}, ${JSON.stringify(limit)}: ${problem}`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
    // A single history may be too short to be cut.
    if (triesAll) expect(cutAway).toBeGreaterThan(seedsPerPair)
    allCutAway += cutAway
  })

  test('[T2] most histories are cut', () => {
    expect(allCutAway).toBeGreaterThan(seedsPerPair * tried.length)
  })

  test('[T5] the turns around the limit are enough to find the same cut of a healthy history', () => {
    let several = 0
    for (const [index, { codec, dialect }] of tried.entries()) {
      const options: HealOptions = { format: codec, for: dialect }
      for (const part of seedsOf(20, 5)) {
        const seed = index + part
        const messages = [0, 1, 2].flatMap(part => validHistory(codec, 1_000 * part + seed).messages)
        const plan = planFor(messages, options)
        if (!isHealthy(messages, plan)) continue
        for (const { maxMessages, maxTokens, count } of limits(messages.length, seed)) {
          const max = maxMessages ?? maxTokens ?? 0
          const kept = keepNewestOfHealthy(messages, plan, max, count)
          expect(kept, `${codec} for ${dialect}, seed ${seed}`).toEqual(keepNewest(messages, plan, max, count))
          if (kept.length < messages.length / 2) several++
        }
      }
    }
    expect(several).toBeGreaterThan(triesAll ? 100 : 25)
  })

  let allCuts = 0
  test.each(tried)('$codec for $dialect: [T7] a cut point adds no error', pair => {
    const { codec, dialect } = pair
    const wrong: string[] = []
    let cuts = 0
    for (const seed of seedsFor(pair)) {
      const { messages } = make(codec, seed)
      const options: HealOptions = { format: codec, for: dialect }
      const found = tally(errorsOf(messages, options))
      const lead = leadOf(messages, codec)
      const points = cutPoints(messages, options)
      if (points.some((point, index) => point <= (points[index - 1] ?? 0) || point >= messages.length))
        wrong.push(`seed ${seed}: out of order`)
      for (const point of points.filter((_, index) => (index + seed) % 2 === 0)) {
        cuts++
        for (const [rule, count] of tally(errorsOf([...lead, ...messages.slice(point)], options)))
          if (count > (found.get(rule) ?? 0)) wrong.push(`seed ${seed}, cut at ${point}: ${rule}`)
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
    if (triesAll) expect(cuts).toBeGreaterThan(0)
    allCuts += cuts
  })

  test('[T7] most histories have several cut points', () => {
    expect(allCuts).toBeGreaterThan(2 * seedsPerPair * tried.length)
  })

  test('[T8] no value makes it throw, and a value that is not a history comes back unchanged', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed)
      for (const value of [arbitraryJson(random), arbitraryHistory(random)]) {
        for (const options of [{}, { format: tried[seed % tried.length].codec }]) {
          cutPoints(value, options)
          trim(value, { ...options, maxTokens: 5 })
          if (!Array.isArray(value)) expect(trim(value, { ...options, maxMessages: 1 })).toBe(value)
        }
      }
    }
  })
})

interface Limit {
  maxMessages?: number
  maxTokens?: number
  count: (message: unknown) => number
}

/** As the judge reads it: every result, and the latest call in front of it with its id. */
function pairsIn(healed: readonly unknown[], codec: CodecId): { call: number; result: number }[] {
  const caller = new Map<string, number>()
  return read(healed as unknown[], codec).flatMap(({ calls, answers, index }) => {
    for (const { id, at } of calls) if (id !== undefined) caller.set(id, Number(/\d+/.exec(at)?.[0]))
    const call = answers === undefined ? undefined : caller.get(answers)
    return call === undefined ? [] : [{ call, result: index }]
  })
}

/** A healthy history, and what must be true of anything that trimming leaves of it. */
class Subject {
  readonly #healed: readonly unknown[]
  readonly #codec: CodecId
  readonly #options: HealOptions
  readonly #lead: readonly unknown[]
  readonly #points: readonly number[]
  readonly #pairs: readonly { call: number; result: number }[]

  constructor(healed: readonly unknown[], codec: CodecId, options: HealOptions) {
    this.#healed = healed
    this.#codec = codec
    this.#options = options
    this.#lead = leadOf(healed, codec)
    this.#points = cutPoints(healed, options)
    this.#pairs = pairsIn(healed, codec)
  }

  problems(kept: readonly unknown[], limit: Limit): string[] {
    const healed = this.#healed
    if (kept === healed) return this.#sizeProblems(kept, limit)
    let tail = 0
    while (tail < kept.length && kept[kept.length - 1 - tail] === healed[healed.length - 1 - tail]) tail++
    tail = Math.min(tail, kept.length - this.#lead.length)
    const cut = healed.length - tail
    const front = kept.slice(0, kept.length - tail)
    return [
      ...this.#frontProblems(front, cut),
      ...this.#pairProblems(kept, cut),
      ...this.#sizeProblems(kept, limit),
      ...this.#turnProblems(cut, limit),
    ]
  }

  /** In front of the cut stand the lead, and inside a turn what opened it. */
  #frontProblems(front: readonly unknown[], cut: number): string[] {
    const problems: string[] = []
    if (!this.#lead.every((message, index) => front[index] === message)) problems.push('[T3] the lead is not kept')
    const opening = front.slice(this.#lead.length)
    if (opening.length === 0)
      return this.#points.includes(cut) ? problems : [...problems, `[T7] cut at ${cut}, which is no cut point`]
    const start = this.#healed.indexOf(opening[0])
    if (!opening.every((message, index) => this.#healed[start + index] === message))
      problems.push('[T3] an opening in pieces')
    const roles = codecs[this.#codec].decode(opening).messages.map(({ role }) => role)
    if (roles.includes('assistant') || roles.includes('tool')) problems.push('[T3] more than the opening of a turn')
    if (this.#points.some(point => point > start + opening.length && isTurn(this.#healed, point, this.#codec)))
      problems.push('[T3] the opening of another turn than the last')
    return problems
  }

  /** Every result and its call stand on one side. */
  #pairProblems(kept: readonly unknown[], cut: number): string[] {
    if (check(this.#healed, this.#options).some(({ rule }) => rule === 'unreadable-message')) return []
    const stays = new Set(kept)
    const problems = this.#pairs
      .filter(({ call, result }) => stays.has(this.#healed[call]) !== stays.has(this.#healed[result]))
      .map(({ call, result }) => `[T4] the result at ${result} is parted from its call at ${call}`)
    const before = this.#healed[cut - 1] as Fields | undefined
    const behind = this.#healed[cut] as Fields
    if (before?.type === 'reasoning' && behind.role !== 'user')
      problems.push('[T4] reasoning is parted from what it led to')
    return problems
  }

  #sizeProblems(kept: readonly unknown[], limit: Limit): string[] {
    const max = limit.maxMessages ?? limit.maxTokens ?? 0
    if (sizeOf(kept, limit) <= max) return []
    const parts = this.#points.map(point => [...this.#lead, ...this.#healed.slice(point)])
    const least = trim(this.#healed, {
      ...this.#options,
      ...limit,
      ...(limit.maxMessages ? { maxMessages: 1 } : { maxTokens: 1 }),
    })
    const smaller = [...parts, least].some(part => sizeOf(part, limit) < sizeOf(kept, limit))
    return smaller ? ['[T2] over the limit, and larger than it has to be'] : []
  }

  /** No earlier turn would have fitted, except those that a late result is not to be parted from. */
  #turnProblems(cut: number, limit: Limit): string[] {
    const max = limit.maxMessages ?? limit.maxTokens ?? 0
    const fitting = this.#healed.findIndex(
      (_, index) =>
        index < cut &&
        isTurn(this.#healed, index, this.#codec) &&
        !this.#pairs.some(({ call, result }) => call < index && result >= index) &&
        sizeOf([...this.#lead, ...this.#healed.slice(index)], limit) <= max,
    )
    return fitting < 0 ? [] : [`[T5] the turn at ${fitting} fits`]
  }
}

/** Where the assistant has closed a turn and the user opens the next. */
const isTurn = (messages: readonly unknown[], index: number, codec: CodecId): boolean =>
  index > 0 && codecs[codec].opensTurn(messages[index]) && codecs[codec].closesTurn(messages[index - 1])

const sizeOf = (messages: readonly unknown[], { count }: Limit): number =>
  messages.reduce((sum: number, message) => sum + count(message), 0)

/** The messages at the beginning in which nothing but the system speaks. */
function leadOf(messages: readonly unknown[], codec: CodecId): unknown[] {
  const decoded = codecs[codec].decode(messages).messages
  const lead = decoded.slice(
    0,
    decoded.findIndex(({ role }) => role !== 'system'),
  )
  const behind = decoded[lead.length]?.origin
  return [...new Set(lead.map(({ origin }) => origin as number))]
    .filter(origin => origin !== behind)
    .map(origin => messages[origin])
}

const refusals = (kept: unknown[], codec: CodecId, dialect: DialectId): string[] =>
  judge(kept, codec, dialect)
    .filter(({ pedantic }) => !pedantic)
    .map(({ fact, message }) => `[T1] ${fact}: ${message}`)

function tally(found: readonly { rule: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of found) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

describe('[T9] a hundred thousand messages', () => {
  const many = triesAll ? 40_000 : 20_000
  const range = (length: number) => Array.from({ length }, (_, index) => index)

  const long: Record<string, Fields[]> = {
    'many turns': range(many / 4).flatMap(index => [
      ...[user(`${index}`), calls(`c${index}`), result(`c${index}`), assistant('so')],
    ]),
    'one turn': [user('go'), ...range(many / 2).flatMap(index => [calls(`c${index}`), result(`c${index}`)])],
    'one step': [
      user('go'),
      calls(...range(many).map(index => `c${index}`)),
      ...range(many).map(index => result(`c${index}`)),
    ],
    'one id': [user('go'), ...range(many / 2).flatMap(() => [calls('c'), result('c')])],
    'users only': range(many).map(index => user(`${index}`)),
    'results of one message': [
      ...[user('go'), uses(...range(many).map(index => `c${index}`))],
      say(
        'user',
        range(many).map(index => answer(`c${index}`)),
      ),
    ],
  }

  test.each(Object.keys(long))('%s', name => {
    for (const options of [{ maxMessages: 50 }, { maxTokens: 1_000_000 }]) {
      const kept = trim(long[name], options)
      expect(kept.at(-1)).toBe(long[name].at(-1))
    }
    expect(cutPoints(long[name]).length).toBeLessThan(many)
  })
})
