import { isDeepStrictEqual } from 'node:util'
import type { Codec } from '../../src/codecs/codec.ts'
import { codecs } from '../../src/codecs/index.ts'
import type { Format, Message } from '../../src/core/conversation.ts'
import { applyEdits, type Edit, invertEdits } from '../../src/core/edit.ts'
import type { Diagnostic } from '../../src/index.ts'
import { judge } from '../oracle/judge.ts'
import { leaves, lost, missing } from '../oracle/loss.ts'
import { placeholders } from './corruptions.ts'
import { idle, type Law } from './law.ts'
import { stablePrefix } from './stable-prefix.ts'
import type { Messages, Trial } from './trial.ts'

export const laws = {
  noErrorRemains: { title: '[L1] no error remains after a repair', broken: noErrorRemains },
  twiceIsOnce: { title: '[L2] repairing twice changes nothing', broken: twiceIsOnce },
  healthyIsSame: { title: '[L3] a history comes back as the same reference, unless it has an error', broken: same },
  untouchedIsSame: { title: '[L4] what no edit names comes back as the same object', broken: untouchedIsSame },
  editsUndo: { title: '[L5] the edits of a report do and undo a repair, as JSON', broken: editsUndo },
  stablePrefix: { title: '[L7] a longer history heals to the same prefix', broken: stablePrefix },
  nothingLost: { title: '[L8] nothing said is lost without a lossy repair that shows it', broken: nothingLost },
  scanIsRight: { title: '[L10] what the scan passes has no diagnostic', broken: scanIsRight },
  growsAlike: { title: '[L14] a history healed push by push is what heal makes of it', broken: growsAlike },
  judgeAccepts: { title: '[L11] an independent judge accepts the healed history', broken: judgeAccepts },
} satisfies Record<string, Law>

export type LawId = keyof typeof laws

function noErrorRemains({ result, healer, options }: Trial): string | undefined {
  const left = errors(result.remaining)
  if (left.length > 0) return `${left[0].rule} remains: at ${left[0].at}, ${left[0].message}`
  const again = errors(healer.check(result.messages, options))
  return again.length > 0 ? `${again[0].rule} is found again: at ${again[0].at}, ${again[0].message}` : undefined
}

function twiceIsOnce({ result, healer, options }: Trial): string | undefined {
  const again = healer.repair(result.messages, options)
  if (again.changed || again.repairs.length > 0) return `${again.repairs[0]?.rule} is repaired again`
  return again.messages === result.messages ? undefined : 'the second repair gives back another array'
}

/** Changed if and only if there is an error; `heal`, `check` and `repair` are of one mind. */
function same({ subject, messages, found, result, healer, options }: Trial): string | undefined {
  const [error] = errors(found)
  // To heal a broken one again is dear: to compare every third is enough.
  const isCompared = !error || (subject.cuts[0] ?? 1) % 3 === 1
  const healed = isCompared ? healer.heal(messages, options) : result.messages
  if (!error) {
    if (healed !== messages || result.messages !== messages) return 'a history without an error comes back as another'
    return result.changed || result.repairs.length > 0 ? 'a history without an error is repaired' : undefined
  }
  if (!result.changed || result.messages === messages || result.repairs.length === 0)
    return `${error.rule} is found and nothing repaired: at ${error.at}`
  return isDeepStrictEqual(healed, result.messages) ? undefined : 'heal and repair differ'
}

/**
 * The input is frozen, so a repair that writes into it throws. A message that no edit names must come back itself. One
 * that edits name and leave as it was must too: no copy of it may stand in its place. Where results share a message, an
 * edit of one of them changes the message of its neighbours, so there only the second half speaks. Where a result is
 * written into the part of its call, one that comes in changes the message that it is put after.
 */
function untouchedIsSame({
  messages,
  result,
  decoded: { format: wire, messages: decoded },
}: Trial): string | undefined {
  const edits = result.repairs.flatMap(repair => repair.edits)
  const kept = new Set(result.messages)
  const named = new Set(edits.map(edit => (wire.fused && isNewResult(edit) ? edit.after : keyOf(edit))))
  const isNamed = ({ key, role }: Message): boolean => named.has(key) || (sharesResults(wire) && role === 'tool')
  const touched = new Set(decoded.filter(isNamed).flatMap(message => placesOf(message, wire)))
  const lost = messages.findIndex((message, place) => !touched.has(place) && !kept.has(message))
  if (lost >= 0) return `no edit names a message that is not there any more: message ${lost}`

  const [before, after] = [partsByPlace(decoded, wire), partsByPlace(applyEdits(decoded, edits), wire)]
  const known = new Set(messages)
  const made = result.messages.filter(message => !known.has(message))
  const copied = messages.findIndex(
    (message, place) =>
      touched.has(place) &&
      !kept.has(message) &&
      isDeepStrictEqual(before.get(place), after.get(place)) &&
      made.some(other => isDeepStrictEqual(message, other)),
  )
  return copied < 0 ? undefined : `a copy stands in for a message: message ${copied}`
}

/** Whether several results can stand in one message. */
const sharesResults = (wire: Format): boolean => wire.shares || wire === codecs['ai-sdk'].format

/** Where a message stood on the wire: items of the assistant that stand together are one message. */
const placesOf = (message: Message, wire: Format): (number | undefined)[] =>
  isGroup(message, wire) ? message.parts.map(({ slot }) => slot) : [message.origin]

const isGroup = ({ role }: Message, wire: Format): boolean => wire.reasoning === 'items' && role === 'assistant'

/** What stands of each place, and whether it stands together and with nothing else that can share its message. */
function partsByPlace(messages: readonly Message[], wire: Format): Map<number | undefined, unknown[]> {
  const byPlace = new Map<number | undefined, unknown[]>()
  const neighbour = (one: Message, other: Message | undefined): string => {
    if (!sharesResults(wire) || one.role !== 'tool' || other?.role !== 'tool' || one.origin === other.origin) return ''
    return other.origin === undefined ? 'made up' : 'read'
  }
  for (const [index, message] of messages.entries()) {
    const [before, after] = [messages[index - 1], messages[index + 1]]
    const isJoined = [message.sharing, after?.sharing]
    const company = [before?.origin === message.origin, neighbour(message, before), neighbour(message, after), isJoined]
    for (const part of message.parts.length > 0 ? message.parts : [undefined]) {
      const place = isGroup(message, wire) && part ? part.slot : message.origin
      byPlace.set(place, [...(byPlace.get(place) ?? []), ...company, message.role, part])
    }
  }
  return byPlace
}

const isNewResult = (edit: Edit): edit is Extract<Edit, { kind: 'insert' }> =>
  edit.kind === 'insert' && edit.message.role === 'tool'

function keyOf(edit: Edit): number {
  if (edit.kind === 'insert' || edit.kind === 'remove') return edit.message.key
  if (edit.kind === 'set') return -1
  return edit.kind === 'replace' ? edit.before.key : edit.key
}

/** Keys whose value is undefined are not there in JSON, so both sides are compared as JSON. */
function editsUndo({ messages, result, codec, decoded }: Trial): string | undefined {
  const edits = json(result.repairs.flatMap(repair => repair.edits))
  const after = applyEdits(decoded.messages, edits)
  if (!isAlike(codec.encode(after, decoded, messages), result.messages)) return 'the edits do not make the result'
  const back = applyEdits(after, invertEdits(edits))
  return isAlike(back, decoded.messages) ? undefined : 'the inverted edits do not undo them'
}

/** The same as JSON, whatever the order of keys. Most are the very same object, which needs no look. */
const isAlike = (some: Messages, others: Messages): boolean =>
  some.length === others.length && some.every((one, index) => one === others[index] || isSameJson(one, others[index]))

function isSameJson(one: unknown, other: unknown): boolean {
  const [left, right] = [JSON.stringify([one]), JSON.stringify([other])]
  return left === right || isDeepStrictEqual(JSON.parse(left), JSON.parse(right))
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/**
 * Without leave to drop words none go. With it, each that goes is in the edits of a repair that says so. To heal once more
 * without leave is dear: where none was taken, every third is enough.
 */
function nothingLost({ subject, messages, result, healer, options }: Trial): string | undefined {
  const isTaken = result.repairs.some(repair => repair.class === 'lossy')
  if (isTaken || (subject.cuts[0] ?? 1) % 3 === 1) {
    const careful = healer.repair(messages, { ...options, allow: ['lossless', 'synthetic'] })
    const kept = gone(messages, careful.messages, subject.codec)
    if (kept.length > 0) return `lost below lossy: ${JSON.stringify(kept[0])}`
  }
  const dropped = gone(messages, result.messages, subject.codec)
  if (dropped.length === 0) return undefined
  const told = leaves(result.repairs.filter(repair => repair.class === 'lossy').map(repair => repair.edits))
  const [untold] = missing(dropped, told)
  return untold === undefined ? undefined : `lost and not in the report: ${JSON.stringify(untold)}`
}

/** Every text and every real result that stood before and stands nowhere after. A message that came back itself needs no look. */
function gone(before: Messages, after: Messages, codec: Trial['subject']['codec']): string[] {
  if (after === before) return []
  const kept = new Set(after)
  const changed = before.filter(message => !kept.has(message))
  const { texts, results } = lost(changed, after as unknown[], codec)
  return [...texts, ...results.filter(result => !isPlaceholder(result))]
}

const isPlaceholder = (text: string): boolean => placeholders.includes(text) || text.startsWith('[no result] ')

function scanIsRight(trial: Trial): string | typeof idle | undefined {
  if (!trial.isPassed) return idle
  const [first] = trial.foundInFull
  return first ? `${first.rule} is passed: at ${first.at}, ${first.message}` : undefined
}

/** Read once in the middle too, since what was read before must not show. It is dear, so only every third place is one to read at. */
function growsAlike({ subject, messages, result, healer, options }: Trial): string | typeof idle | undefined {
  const middle = subject.cuts[0] ?? 0
  if (middle % 3 !== 1) return idle
  const growing = healer.createHealer(options)
  growing.push(...messages.slice(0, middle))
  void growing.history
  for (const message of messages.slice(middle)) growing.push(message)
  return isDeepStrictEqual(growing.history, result.messages) ? undefined : 'heals otherwise'
}

/** Providers in their own wire, as the independent judge knows them. */
export const homes: Readonly<Partial<Record<Trial['subject']['codec'], readonly string[]>>> = {
  'openai-chat': [
    ...['openai', 'mistral', 'deepseek', 'minimax', 'moonshot', 'qwen', 'glm', 'xai', 'cohere'],
    ...['qwen-template', 'gemma-template', 'llama-template', 'mistral-template'],
  ],
  'openai-responses': ['openai-responses', 'deepseek'],
  anthropic: ['anthropic', 'minimax'],
  gemini: ['gemini', 'vertex'],
  bedrock: ['bedrock'],
  langchain: ['openai', 'anthropic', 'mistral', 'deepseek', 'minimax', 'qwen-template', 'gemma-template'],
  'ag-ui': ['openai', 'mistral', 'cohere', 'qwen-template'],
  ollama: ['ollama'],
  'gemini-interactions': ['gemini-interactions'],
}

/**
 * Only refusals that are known from a provider itself count: the pedantic ones are known from third-party code, or are
 * open questions (`an-OPEN-split`). A history of which nothing is left is not judged: there is nothing to send yet.
 */
function judgeAccepts({ subject, result }: Trial): string | typeof idle | undefined {
  const { codec, dialect, kind } = subject
  if (kind !== 'corrupted' || !(homes[codec] ?? []).includes(dialect)) return idle
  const { isAside = () => false } = codecs[codec] as Codec
  if (result.messages.every(isAside) || result.remaining.some(({ rule }) => rule === 'unreadable-message')) return idle
  const [refusal] = judge(result.messages as unknown[], codec, dialect).filter(({ pedantic }) => !pedantic)
  return refusal ? `${refusal.fact}: at ${refusal.at}, ${refusal.message}` : undefined
}

const errors = (found: readonly Diagnostic[]): Diagnostic[] => found.filter(({ severity }) => severity === 'error')
