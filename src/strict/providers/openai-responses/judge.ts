import { isReference } from '../../answers/reference.ts'
import { cautiously } from '../../judge/cautious.ts'
import { codePoints } from '../../judge/code-points.ts'
import { inferred } from '../../judge/inferred.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { type Half, halvesOfChat, halvesOfItems } from './judge-halves.ts'
import { startOf } from './judge-input.ts'
import { itemForms, repeatedItems } from './judge-items.ts'
import { requestForms, requestLimits } from './judge-limits.ts'
import { reasoningHalves } from './judge-reasoning.ts'
import { unreadable } from './judge-stored.ts'

/** OpenAI Responses: calls and outputs pair by kind and call_id, wherever they stand. */
export const openaiResponses: Validator = (chat, wire) => {
  const isHome = wire.format === 'openai-responses'
  const start = isHome ? startOf(wire) : 0
  const halves = isHome ? halvesOfItems(wire.messages, start) : halvesOfChat(chat)
  const given = isHome ? halvesOfItems(wire.messages.slice(start)) : halves
  return [
    ...(isHome ? requestForms(wire) : []),
    ...given.flatMap(idLength),
    ...(isHome ? [...itemForms(wire.messages.slice(start)), ...unreadable(wire)] : []),
    ...(isHome ? [...repeatedItems(wire.messages, start), ...reasoningHalves(wire, start)] : []),
    ...unpaired(halves, wire),
    ...(isHome ? requestLimits(wire) : []),
  ]
}

const idLengthMax = 64
const inInput = { param: 'input' }

/** The halves of one kind with one id. */
type Group = { calls: Half[]; outputs: Half[] }

function groups(halves: Half[]): Group[] {
  const found = new Map<string, Group>()
  for (const half of halves) {
    // What is said of an item without an id was not seen.
    if (half.id === undefined) continue
    const key = `${half.pair.call} ${half.id}`
    const group = found.get(key) ?? { calls: [], outputs: [] }
    group[half.side === 'call' ? 'calls' : 'outputs'].push(half)
    found.set(key, group)
  }
  return [...found.values()]
}

function unpaired(halves: Half[], wire: Wire): Objection[] {
  const mayRefer = wire.messages.some(isReference)
  return groups(halves).flatMap(({ calls, outputs }) => {
    const isKnown = calls.length > 0 || mayRefer
    return [
      ...calls
        .slice(outputs.length)
        .filter(({ mayWait }) => !mayWait)
        .map(call => unanswered(call, outputs.length > 0, wire)),
      ...(isKnown
        ? outputs.slice(1).map(output => duplicate(output, wire))
        : outputs.flatMap(half => orphan(half, wire))),
    ]
  })
}

/** Two calls with one id and one output: who knows whether that is enough. */
function unanswered({ id, pair, at }: Half, isHalfDone: boolean, wire: Wire): Objection {
  const objectTo = isHalfDone || thirdParty.has(pair.missing) ? cautiously(wire) : refuse
  const message = `No tool output found for ${pair.words} ${id ?? ''}.`
  return objectTo(pair.missing, message, at, inInput)
}

/** Known from third-party code only. */
const thirdParty = new Set(['or-missing-output-patch', 'or-missing-output-search'])

/** That kinds of other names are refused alike is only inferred. */
function orphan({ id, pair, at }: Half, wire: Wire): Objection[] {
  const message = `No tool call found for ${pair.words} output with call_id ${id ?? ''}.`
  if (pair.call === 'custom_tool_call') return [refusePedantically('or-orphan-custom', message, at, inInput)]
  const refused = [refuse('or-orphan-fn', message, at, inInput)]
  return pair.call === 'function_call' ? refused : inferred(wire, refused)
}

/** A gateway said this; whether OpenAI itself does is not established. */
function duplicate({ id, pair, at }: Half, wire: Wire): Objection {
  const message = `Duplicate ${pair.output} for call_id '${id ?? ''}'. Each ${pair.call} must have exactly one matching ${pair.output}`
  return cautiously(wire)('or-dup-output', message, at, inInput)
}

function idLength({ id, at }: Half): Objection[] {
  const length = codePoints(id ?? '')
  if (id === undefined || (length > 0 && length <= idLengthMax)) return []
  const param = `${at}.call_id`
  if (length === 0) {
    const message = `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`
    return [refuse('or-callid-len', message, at, { param, code: 'empty_string' })]
  }
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${idLengthMax}, but got a string with length ${length} instead.`
  return [refuse('or-callid-len', message, at, { param, code: 'string_above_max_length' })]
}
