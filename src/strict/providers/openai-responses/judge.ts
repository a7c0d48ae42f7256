import { isReference } from '../../answers/reference.ts'
import { cautiously } from '../../judge/cautious.ts'
import { codePoints } from '../../judge/code-points.ts'
import { inferred } from '../../judge/inferred.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { startOf } from './judge-input.ts'
import { itemForms, repeatedItems } from './judge-items.ts'
import { requestForms, requestLimits } from './judge-limits.ts'
import { type PairedItem, pairedItems, pairedItemsOfChat } from './judge-paired-items.ts'
import { reasoningPairs } from './judge-reasoning.ts'
import { unreadableContent } from './judge-stored.ts'

/** OpenAI Responses: calls and outputs are paired by kind and call_id, in any position. */
export const validateOpenaiResponses: Validator = (chat, raw) => {
  const isHome = raw.format === 'openai-responses'
  const start = isHome ? startOf(raw) : 0
  const items = isHome ? pairedItems(raw.messages, start) : pairedItemsOfChat(chat)
  const given = isHome ? pairedItems(raw.messages.slice(start)) : items
  return [
    ...(isHome ? requestForms(raw) : []),
    ...given.flatMap(idLength),
    ...(isHome ? [...itemForms(raw.messages.slice(start)), ...unreadableContent(raw)] : []),
    ...(isHome ? [...repeatedItems(raw.messages, start), ...reasoningPairs(raw, start)] : []),
    ...unpaired(items, raw),
    ...(isHome ? requestLimits(raw) : []),
  ]
}

const idLengthMax = 64
const inInput = { param: 'input' }

/** The items of one kind with one id. */
type Group = { calls: PairedItem[]; outputs: PairedItem[] }

function groups(items: PairedItem[]): Group[] {
  const found = new Map<string, Group>()
  for (const half of items) {
    // The message for an item without an id was not seen.
    if (half.id === undefined) continue
    const key = `${half.pair.call} ${half.id}`
    const group = found.get(key) ?? { calls: [], outputs: [] }
    group[half.side === 'call' ? 'calls' : 'outputs'].push(half)
    found.set(key, group)
  }
  return [...found.values()]
}

function unpaired(items: PairedItem[], raw: RawRequest): RejectionReason[] {
  const mayRefer = raw.messages.some(isReference)
  return groups(items).flatMap(({ calls, outputs }) => {
    const isKnown = calls.length > 0 || mayRefer
    return [
      ...calls
        .slice(outputs.length)
        .filter(({ mayWait }) => !mayWait)
        .map(call => unanswered(call, outputs.length > 0, raw)),
      ...(isKnown
        ? outputs.slice(1).map(output => duplicate(output, raw))
        : outputs.flatMap(half => orphan(half, raw))),
    ]
  })
}

/** Whether one output is enough for two calls with one id is not known. */
function unanswered({ id, pair, at }: PairedItem, isPartlyAnswered: boolean, raw: RawRequest): RejectionReason {
  const objectTo = isPartlyAnswered || thirdParty.has(pair.missing) ? cautiously(raw) : reject
  const message = `No tool output found for ${pair.words} ${id ?? ''}.`
  return objectTo(pair.missing, message, at, inInput)
}

/** Known from third-party code only. */
const thirdParty = new Set(['or-missing-output-patch', 'or-missing-output-search'])

/** That other kinds are rejected in the same way is only inferred. */
function orphan({ id, pair, at }: PairedItem, raw: RawRequest): RejectionReason[] {
  const message = `No tool call found for ${pair.words} output with call_id ${id ?? ''}.`
  if (pair.call === 'custom_tool_call') return [rejectPedantically('or-orphan-custom', message, at, inInput)]
  const rejected = [reject('or-orphan-fn', message, at, inInput)]
  return pair.call === 'function_call' ? rejected : inferred(raw, rejected)
}

/** A gateway sent this message; whether OpenAI itself does is not established. */
function duplicate({ id, pair, at }: PairedItem, raw: RawRequest): RejectionReason {
  const message = `Duplicate ${pair.output} for call_id '${id ?? ''}'. Each ${pair.call} must have exactly one matching ${pair.output}`
  return cautiously(raw)('or-dup-output', message, at, inInput)
}

function idLength({ id, at }: PairedItem): RejectionReason[] {
  const length = codePoints(id ?? '')
  if (id === undefined || (length > 0 && length <= idLengthMax)) return []
  const param = `${at}.call_id`
  if (length === 0) {
    const message = `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`
    return [reject('or-callid-len', message, at, { param, code: 'empty_string' })]
  }
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${idLengthMax}, but got a string with length ${length} instead.`
  return [reject('or-callid-len', message, at, { param, code: 'string_above_max_length' })]
}
