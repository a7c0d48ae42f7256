import type { Fields, Native, PartKind, Wire } from './plan.ts'
import type { Random } from './random.ts'
import { anthropic } from './wire/anthropic.ts'
import { openaiChat } from './wire/openai-chat.ts'
import { openaiResponses } from './wire/openai-responses.ts'

/** One way a history breaks. Gives back a new history, or the very same array where it finds nothing to break. */
export interface Corruption {
  name: string
  apply(history: unknown[], random: Random): unknown[]
}

/** The corruptions that make sense in a wire. */
export function corruptionsFor(codec: Native): readonly Corruption[] {
  return corruptions[codec]
}

/** What other systems, and this one, write in place of a result that they do not have. */
export const placeholders = [
  '[Request interrupted by user for tool use]',
  '[Tool execution was interrupted]',
  '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
  'Tool call bash with id call_1 was cancelled - another message came in before it could be completed.',
  '[no result] No result of this call was recorded. Whether it ran is not known.',
]

type Apply = (history: unknown[], wire: Wire, random: Random) => unknown[]

interface Definition {
  name: string
  apply: Apply
  /** The wires it fits; all, where it names none. */
  only?: Native[]
}

/** A part, and where it stands: in the list of a message, or as the message itself. */
interface Spot {
  at: number
  list: string | undefined
  index: number
  part: Fields
}

interface Pair {
  call: Spot
  result: Spot
}

const lostParts: Definition[] = [
  { name: 'drop-result', apply: onResult((history, result) => put(history, result)) },
  { name: 'drop-all-results', apply: onResult(dropRunOfResults) },
  { name: 'drop-calls-keep-results', apply: onCall((history, call) => history.toSpliced(call.at, 1)) },
  { name: 'drop-parallel-call', apply: onSiblings((history, call) => put(history, call)) },
  { name: 'drop-answer', apply: onMessage(isAnswer, (history, at) => history.toSpliced(at, 1)) },
  { name: 'drop-reasoning', only: ['openai-responses', 'anthropic'], apply: onReasoning((h, spot) => put(h, spot)) },
  { name: 'drop-after-reasoning', only: ['openai-responses', 'anthropic'], apply: onReasoning(dropBehind) },
  {
    name: 'drop-reasoning-content',
    only: ['openai-chat'],
    apply: onMessage(
      message => 'reasoning_content' in message,
      (history, at, message) => history.with(at, without(message, 'reasoning_content')),
    ),
  },
  { name: 'drop-server-half', only: ['anthropic'], apply: onPart('server', (history, spot) => put(history, spot)) },
  { name: 'truncate-head', apply: onAnyMessage((history, at) => (at === 0 ? history : history.slice(at))) },
  { name: 'truncate-tail', apply: onAnyMessage((history, at) => (at === 0 ? history : history.slice(0, at))) },
]

const movedResults: Definition[] = [
  {
    name: 'result-behind-next-user',
    apply: onResult((history, result, wire) => moveBehindNext(history, result, wire, wire.isUser)),
  },
  {
    name: 'result-behind-next-assistant',
    apply: onResult((history, result, wire) => moveBehindNext(history, result, wire, wire.isAssistant)),
  },
  {
    name: 'result-several-later',
    apply: onResult((history, result, wire, random) => move(history, result, wire, result.at + random.range(3, 8))),
  },
  { name: 'result-to-front', apply: onResult((history, result, wire) => move(history, result, wire, 0)) },
  {
    name: 'result-before-call',
    apply: onPair((history, { call, result }, wire) => move(history, result, wire, call.at)),
  },
  { name: 'reverse-results', apply: onResult(reverseResults) },
  { name: 'split-results', only: ['anthropic'], apply: onSiblings(splitBefore, 'result') },
  {
    name: 'result-in-assistant',
    only: ['anthropic'],
    apply: onPair((history, { call, result }, _, random) =>
      random.chance(0.5)
        ? history.with(result.at, { ...fields(history[result.at]), role: 'assistant' })
        : put(put(history, call, call.part, result.part), result),
    ),
  },
  {
    name: 'text-before-results',
    only: ['anthropic'],
    apply: onResult((history, result, _, random) => {
      const message = fields(history[result.at])
      const text = { type: 'text', text: random.sentence() }
      return history.with(result.at, { ...message, content: [text, ...partsOf(message, 'content')] })
    }),
  },
]

const repeatedParts: Definition[] = [
  {
    name: 'repeat-result-in-place',
    apply: onResult((history, result) => put(history, result, result.part, clone(result.part))),
  },
  {
    name: 'repeat-result-later',
    apply: onResult((history, { at, part }, wire, random) =>
      insert(history, at + random.range(2, 8), wire.resultMessage(clone(part))),
    ),
  },
  {
    name: 'repeat-result-other-content',
    apply: onResult((history, result, wire, random) =>
      put(history, result, result.part, wire.resultSaying(clone(result.part), random.sentence(), false)),
    ),
  },
  {
    name: 'error-then-observation',
    apply: onResult((history, result, wire, random) =>
      before(history, result, wire, random, wire.resultSaying(clone(result.part), `Error: ${random.sentence()}`, true)),
    ),
  },
  {
    name: 'placeholder-then-result',
    apply: onResult((history, result, wire, random) =>
      before(history, result, wire, random, wire.resultSaying(clone(result.part), random.pick(placeholders), true)),
    ),
  },
  {
    name: 'result-then-placeholder',
    apply: onResult((history, result, wire, random) =>
      put(history, result, result.part, wire.resultSaying(clone(result.part), random.pick(placeholders), true)),
    ),
  },
  {
    name: 'repeat-user',
    apply: onMessage(
      (message, wire) => wire.isUser(message),
      (history, at, message) => insert(history, at + 1, clone(message)),
    ),
  },
  { name: 'repeat-item', apply: onAnyMessage((history, at) => insert(history, at + 1, clone(history[at]))) },
  {
    name: 'repeat-step',
    apply: onPair((history, { call, result }) => {
      const step = history.slice(call.at, result.at + 1)
      return history.toSpliced(result.at + 1, 0, ...step.map(clone))
    }),
  },
  {
    name: 'append-slice',
    apply: onAnyMessage((history, at, _, random) => [
      ...history,
      ...history.slice(at, at + random.range(1, 10)).map(clone),
    ]),
  },
]

const brokenIds: Definition[] = [
  {
    name: 'duplicate-id-in-step',
    apply: onSiblings((history, call, sibling, wire, random) => {
      const id = sibling.part[wire.callIdKey]
      const result = random.chance(0.7) ? resultOf(history, call, wire) : undefined
      return rename(history, wire, id, call, result)
    }),
  },
  {
    name: 'reuse-id-across-turns',
    apply: onPair((history, later, wire, random) => {
      const earlier = spots(history, wire, 'call').filter(({ at }) => at < later.call.at - 1)
      if (earlier.length === 0) return history
      return rename(history, wire, random.pick(earlier).part[wire.callIdKey], later.call, later.result)
    }),
  },
  ...['empty', 'missing', 'null'].flatMap(form => {
    const id = form === 'empty' ? '' : form === 'null' ? null : undefined
    return [
      { name: `${form}-call-id`, apply: onPair((history, { call }, wire) => rename(history, wire, id, call)) },
      {
        name: `${form}-result-id`,
        apply: onPair((history, { result }, wire) => rename(history, wire, id, undefined, result)),
      },
      {
        name: `${form}-ids`,
        apply: onPair((history, { call, result }, wire) => rename(history, wire, id, call, result)),
      },
    ]
  }),
  ...[51, 65, 80].map(length => ({
    name: `id-of-${length}`,
    apply: onPair((history, { call, result }, wire) => {
      const id = `call_${String(call.part[wire.callIdKey])
        .slice(-30)
        .padStart(length - 5, 'x')}`
      return rename(history, wire, id, call, result)
    }),
  })),
  {
    name: 'illegal-id',
    apply: onPair((history, { call, result }, wire, random) => {
      const id = random.pick([
        'functions.bash:0',
        'functions_bash:0',
        'call 1',
        'ca/ll+1=',
        'идент',
        '{"id":1}',
        '|fc_1',
      ])
      return rename(history, wire, id, call, result)
    }),
  },
  {
    name: 'foreign-item-id',
    only: ['openai-responses'],
    apply: onMessage(
      message => 'id' in message,
      (history, at, message, _, random) =>
        history.with(at, { ...message, id: random.pick(['', 'call_1', 'chatcmpl-1', 'fc_', 'a.b:c', 7]) }),
    ),
  },
]

const brokenSteps: Definition[] = [
  { name: 'split-parallel-calls', only: ['openai-chat', 'anthropic'], apply: onSiblings(splitBefore) },
  ...(['user', 'system', 'assistant'] as const).map(role => ({
    name: `${role}-between-call-and-result`,
    apply: onPair((history, { result }, wire, random) => insert(history, result.at, wire.say(role, random.sentence()))),
  })),
  {
    name: 'call-in-user',
    only: ['anthropic'],
    apply: onCall((history, { at }) => history.with(at, { ...fields(history[at]), role: 'user' })),
  },
  {
    name: 'text-after-call',
    only: ['anthropic'],
    apply: onCall((history, call, _, random) =>
      put(history, call, call.part, { type: 'text', text: random.sentence() }),
    ),
  },
  {
    name: 'unsigned-thinking',
    only: ['anthropic'],
    apply: onReasoning((history, spot, _, random) => {
      if (!('signature' in spot.part)) return history
      const signature = random.chance(0.5) ? undefined : ''
      return put(history, spot, withKey(spot.part, 'signature', signature))
    }),
  },
  {
    name: 'thinking-last',
    only: ['anthropic'],
    apply: onReasoning((history, { at, index, part }) => {
      const message = fields(history[at])
      return history.with(at, { ...message, content: [...partsOf(message, 'content').toSpliced(index, 1), part] })
    }),
  },
  {
    name: 'thinking-after-call',
    only: ['anthropic'],
    apply: onCall((history, call, _, random) =>
      put(history, call, call.part, { type: 'thinking', thinking: random.sentence(), signature: random.id('Eq') }),
    ),
  },
  {
    name: 'other-result-type',
    only: ['openai-responses'],
    apply: onResult((history, result, _, random) => {
      const others = ['function_call_output', 'custom_tool_call_output'].filter(type => type !== result.part.type)
      return put(history, result, { ...result.part, type: random.pick(others) })
    }),
  },
]

const brokenContent: Definition[] = [
  { name: 'empty-user', apply: onMessage((message, wire) => wire.isUser(message), emptyContent) },
  {
    name: 'empty-assistant',
    apply: onMessage((message, wire) => wire.isAssistant(message) && 'content' in message, emptyContent),
  },
  {
    name: 'insert-empty-message',
    apply: (history, wire, random) => {
      const message = wire.say(random.pick(['user', 'assistant', 'system']), '')
      return insert(history, random.range(0, history.length), { ...message, content: random.pick(['', ' \n', null]) })
    },
  },
  {
    name: 'missing-content',
    apply: onMessage(
      message => 'content' in message,
      (history, at, message) => history.with(at, without(message, 'content')),
    ),
  },
  {
    name: 'empty-tool-calls',
    only: ['openai-chat'],
    apply: onMessage(
      message => message.role === 'assistant' && !('tool_calls' in message),
      (history, at, message) => history.with(at, { ...message, tool_calls: [] }),
    ),
  },
  { name: 'arguments-cut-off', apply: onArguments((json, random) => json.slice(0, random.range(1, json.length - 1))) },
  { name: 'arguments-empty', apply: onArguments(() => '') },
  {
    name: 'arguments-not-an-object',
    apply: onArguments((_json, random, wire) => {
      const json = random.pick(['[1]', 'null', '"x"', '7', 'true', 'not json'])
      return wire.codec === 'anthropic' && json !== 'not json' ? JSON.parse(json) : json
    }),
  },
  { name: 'arguments-as-object', only: ['openai-chat', 'openai-responses'], apply: onArguments(json => parsed(json)) },
  { name: 'empty-call-name', apply: onCall((history, call, wire) => put(history, call, wire.withName(call.part, ''))) },
]

const brokenTurns: Definition[] = [
  {
    name: 'system-in-middle',
    apply: (history, wire, random) =>
      insert(history, random.range(1, history.length), wire.say('system', random.sentence())),
  },
  {
    name: 'repeat-equal-system',
    apply: (history, wire, random) => {
      const first = history[0]
      const hasSystem = isFields(first) && (first.role === 'system' || first.role === 'developer')
      const system = hasSystem ? first : wire.say('system', random.sentence())
      const started = hasSystem ? history : insert(history, 0, system)
      return insert(started, random.range(1, started.length), clone(system))
    },
  },
  {
    name: 'repeat-different-system',
    apply: (history, wire, random) => {
      const started = insert(history, 0, wire.say('system', random.sentence()))
      return insert(started, random.range(1, started.length), wire.say('system', random.sentence()))
    },
  },
  {
    name: 'start-with-assistant',
    apply: (history, wire, random) => insert(history, 0, wire.say('assistant', random.sentence())),
  },
  {
    name: 'end-with-assistant',
    apply: (history, wire, random) => [...history, wire.say('assistant', random.sentence())],
  },
  {
    name: 'unknown-role',
    apply: onMessage(
      message => 'role' in message,
      (history, at, message, _, random) =>
        history.with(at, { ...message, role: random.pick(['narrator', 'function', 'Assistant', '', null, 3]) }),
    ),
  },
  {
    name: 'not-an-object',
    apply: onAnyMessage((history, at, _, random) =>
      insert(history, at, random.pick([null, 42, true, random.sentence(), [], ['user']])),
    ),
  },
  {
    name: 'delete-random-key',
    apply: onMessage(
      message => Object.keys(message).length > 0,
      (history, at, message, _, random) => history.with(at, without(message, random.pick(Object.keys(message)))),
    ),
  },
  {
    name: 'swap-messages',
    apply: onAnyMessage((history, at, _, random) => {
      const other = random.int(history.length)
      return at === other ? history : history.with(at, history[other]).with(other, history[at])
    }),
  },
]

function onPart(
  kind: PartKind,
  change: (history: unknown[], spot: Spot, wire: Wire, random: Random) => unknown[],
): Apply {
  return (history, wire, random) => {
    const found = spots(history, wire, kind)
    return found.length === 0 ? history : change(history, random.pick(found), wire, random)
  }
}

function onCall(change: (history: unknown[], call: Spot, wire: Wire, random: Random) => unknown[]): Apply {
  return onPart('call', change)
}

function onResult(change: (history: unknown[], result: Spot, wire: Wire, random: Random) => unknown[]): Apply {
  return onPart('result', change)
}

function onReasoning(change: (history: unknown[], spot: Spot, wire: Wire, random: Random) => unknown[]): Apply {
  return onPart('reasoning', change)
}

function onPair(change: (history: unknown[], pair: Pair, wire: Wire, random: Random) => unknown[]): Apply {
  return onResult((history, result, wire, random) => {
    const id = result.part[wire.resultIdKey]
    const call = spots(history, wire, 'call').findLast(spot => spot.at < result.at && spot.part[wire.callIdKey] === id)
    return call ? change(history, { call, result }, wire, random) : history
  })
}

/** For a part that has another of its kind just before it: in the same list, or as the message before. */
function onSiblings(
  change: (history: unknown[], spot: Spot, sibling: Spot, wire: Wire, random: Random) => unknown[],
  kind: 'call' | 'result' = 'call',
): Apply {
  return (history, wire, random) => {
    const found = spots(history, wire, kind)
    const seconds: number[] = []
    for (let index = 1; index < found.length; index++) {
      const distance = found[index].at - found[index - 1].at
      if (distance === (found[index].list === undefined ? 1 : 0)) seconds.push(index)
    }
    if (seconds.length === 0) return history
    const second = random.pick(seconds)
    return change(history, found[second], found[second - 1], wire, random)
  }
}

function onMessage(
  fits: (message: Fields, wire: Wire, history: unknown[], at: number) => boolean,
  change: (history: unknown[], at: number, message: Fields, wire: Wire, random: Random) => unknown[],
): Apply {
  return (history, wire, random) => {
    const fitting: number[] = []
    for (let at = 0; at < history.length; at++) {
      const message = history[at]
      if (isFields(message) && fits(message, wire, history, at)) fitting.push(at)
    }
    if (fitting.length === 0) return history
    const at = random.pick(fitting)
    return change(history, at, fields(history[at]), wire, random)
  }
}

function onAnyMessage(change: (history: unknown[], at: number, wire: Wire, random: Random) => unknown[]): Apply {
  return (history, wire, random) =>
    history.length === 0 ? history : change(history, random.int(history.length), wire, random)
}

function onArguments(change: (json: string, random: Random, wire: Wire) => unknown): Apply {
  return (history, wire, random) => {
    const calls = spots(history, wire, 'call').filter(({ part }) => (wire.argumentsOf(part)?.length ?? 0) > 1)
    if (calls.length === 0) return history
    const call = random.pick(calls)
    const value = change(wire.argumentsOf(call.part) ?? '', random, wire)
    return put(history, call, wire.withArguments(call.part, value))
  }
}

/** An assistant's words directly after results. */
function isAnswer(message: Fields, wire: Wire, history: unknown[], at: number): boolean {
  if (!wire.isAssistant(message) || at === 0) return false
  return spots([message], wire, 'call').length === 0 && spots([history[at - 1]], wire, 'result').length > 0
}

function dropRunOfResults(history: unknown[], result: Spot, wire: Wire): unknown[] {
  const [from, to] = runOfResults(history, result, wire)
  return history.toSpliced(from, to - from)
}

function reverseResults(history: unknown[], result: Spot, wire: Wire): unknown[] {
  if (result.list !== undefined) {
    const message = fields(history[result.at])
    const parts = partsOf(message, result.list)
    return parts.length < 2 ? history : history.with(result.at, { ...message, [result.list]: parts.toReversed() })
  }
  const [from, to] = runOfResults(history, result, wire)
  return to - from < 2 ? history : history.toSpliced(from, to - from, ...history.slice(from, to).reverse())
}

/** From the first to after the last of the neighbouring messages that hold results. */
function runOfResults(history: unknown[], result: Spot, wire: Wire): [from: number, to: number] {
  const holdsResult = (at: number) => at in history && spots([history[at]], wire, 'result').length > 0
  let from = result.at
  let to = result.at + 1
  while (holdsResult(from - 1)) from--
  while (holdsResult(to)) to++
  return [from, to]
}

function dropBehind(history: unknown[], { at, list, index }: Spot): unknown[] {
  if (list === undefined) return at + 1 < history.length ? history.toSpliced(at + 1, 1) : history
  const message = fields(history[at])
  return history.with(at, { ...message, [list]: partsOf(message, list).slice(0, index + 1) })
}

/** Puts another result before this one, which sometimes comes only after the next user message then. */
function before(history: unknown[], result: Spot, wire: Wire, random: Random, other: Fields): unknown[] {
  if (random.chance(0.5)) return put(history, result, other, result.part)
  const next = indexAfter(history, result.at, wire.isUser)
  const late = next === -1 ? history.length : next + 1
  return put(insert(history, late, wire.resultMessage(result.part)), result, other)
}

function splitBefore(history: unknown[], spot: Spot, _sibling: Spot, wire: Wire): unknown[] {
  const list = spot.list ?? ''
  const message = fields(history[spot.at])
  const parts = partsOf(message, list)
  const empty = wire.codec === 'openai-chat' ? { content: null } : {}
  return history.toSpliced(
    spot.at,
    1,
    { ...message, [list]: parts.slice(0, spot.index) },
    { role: message.role, ...empty, [list]: parts.slice(spot.index) },
  )
}

function emptyContent(history: unknown[], at: number, message: Fields, wire: Wire, random: Random): unknown[] {
  const text = { type: 'text', text: '' }
  const block = wire.codec === 'openai-responses' ? { ...text, type: 'input_text' } : text
  return history.with(at, { ...message, content: random.pick(['', [], null, ' \n\t', [block]]) })
}

function moveBehindNext(history: unknown[], result: Spot, wire: Wire, isIt: (message: Fields) => boolean): unknown[] {
  const next = indexAfter(history, result.at, isIt)
  return next === -1 ? history : move(history, result, wire, next + 1)
}

function indexAfter(history: unknown[], at: number, isIt: (message: Fields) => boolean): number {
  return history.findIndex((message, index) => index > at && isFields(message) && isIt(message))
}

/** Moves a result, as a message of its own, to just before the message at `to`. */
function move(history: unknown[], result: Spot, wire: Wire, to: number): unknown[] {
  if (to > history.length) return history
  const at = to <= result.at ? result.at + 1 : result.at
  return put(insert(history, to, wire.resultMessage(result.part)), { ...result, at })
}

function resultOf(history: unknown[], call: Spot, wire: Wire): Spot | undefined {
  const id = call.part[wire.callIdKey]
  return spots(history, wire, 'result').find(({ at, part }) => at > call.at && part[wire.resultIdKey] === id)
}

/** Gives a call and a result another id; undefined takes the key away. */
function rename(history: unknown[], wire: Wire, id: unknown, call: Spot | undefined, result?: Spot): unknown[] {
  let renamed = history
  if (call) renamed = put(renamed, call, withKey(call.part, wire.callIdKey, id))
  if (result) renamed = put(renamed, result, withKey(result.part, wire.resultIdKey, id))
  return renamed
}

function withKey(part: Fields, key: string, value: unknown): Fields {
  return value === undefined ? without(part, key) : { ...part, [key]: value }
}

function without(part: Fields, key: string): Fields {
  const { [key]: _, ...rest } = part
  return rest
}

function spots(history: unknown[], wire: Wire, kind: PartKind): Spot[] {
  const shape = wire.parts[kind]
  const found: Spot[] = []
  if (!shape) return found
  const { list } = shape
  for (let at = 0; at < history.length; at++) {
    const message = history[at]
    if (!isFields(message)) continue
    if (list === undefined) {
      if (shape.is(message)) found.push({ at, list, index: 0, part: message })
      continue
    }
    const parts = message[list]
    if (!Array.isArray(parts)) continue
    for (let index = 0; index < parts.length; index++) {
      const part: unknown = parts[index]
      if (isFields(part) && shape.is(part)) found.push({ at, list, index, part })
    }
  }
  return found
}

/** Puts other parts in place of one. A message that has nothing left then goes too. */
function put(history: unknown[], { at, list, index }: Spot, ...parts: Fields[]): unknown[] {
  if (list === undefined) return history.toSpliced(at, 1, ...parts)
  const message = fields(history[at])
  const rest = partsOf(message, list).toSpliced(index, 1, ...parts)
  if (rest.length > 0) return history.with(at, { ...message, [list]: rest })
  const bare = without(message, list)
  return bare.content !== undefined && bare.content !== null ? history.with(at, bare) : history.toSpliced(at, 1)
}

function insert(history: unknown[], at: number, message: unknown): unknown[] {
  return history.toSpliced(at, 0, message)
}

function partsOf(message: Fields, list: string): unknown[] {
  const parts = message[list]
  return Array.isArray(parts) ? parts : []
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return { raw: json }
  }
}

function clone<T>(value: T): T {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value
}

const definitions = [
  ...lostParts,
  ...movedResults,
  ...repeatedParts,
  ...brokenIds,
  ...brokenSteps,
  ...brokenContent,
  ...brokenTurns,
]

const corruptions: Record<Native, readonly Corruption[]> = {
  'openai-chat': bind(openaiChat),
  'openai-responses': bind(openaiResponses),
  anthropic: bind(anthropic),
}

function bind(wire: Wire): Corruption[] {
  return definitions
    .filter(({ only }) => only === undefined || only.includes(wire.codec))
    .map(({ name, apply }) => ({ name, apply: (history, random) => apply(history, wire, random) }))
}
