import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import type { Validator } from '../validator.ts'
import { type Half, halvesOfChat, halvesOfItems } from './responses-halves.ts'
import { itemForms } from './responses-items.ts'

/** OpenAI Responses: calls and outputs pair by kind and call_id, wherever they stand. */
export const openaiResponses: Validator = (chat, wire) => {
  const isHome = wire.format === 'openai-responses'
  const halves = isHome ? halvesOfItems(wire.messages) : halvesOfChat(chat)
  const mayRefer = wire.messages.some(({ type }) => type === 'item_reference')
  return [
    ...groups(halves).flatMap(group => unpaired(group, mayRefer)),
    ...halves.flatMap(idLength),
    ...(isHome ? itemForms(wire.messages) : []),
  ]
}

const idLengthMax = 64

/** The halves of one kind with one id. */
type Group = { calls: Half[]; outputs: Half[] }

function groups(halves: Half[]): Group[] {
  const found = new Map<string, Group>()
  for (const half of halves) {
    const key = `${half.pair.call} ${half.id ?? ''}`
    const group = found.get(key) ?? { calls: [], outputs: [] }
    group[half.side === 'call' ? 'calls' : 'outputs'].push(half)
    found.set(key, group)
  }
  return [...found.values()]
}

function unpaired({ calls, outputs }: Group, mayRefer: boolean): Refusal[] {
  const missing = calls
    .slice(outputs.length)
    .map(({ id, pair, at }) => refuse(pair.missing, `No tool output found for ${pair.words} ${id ?? ''}.`, at))
  const orphans = calls.length > 0 || mayRefer ? [] : outputs.map(orphan)
  const repeated = calls.length > 0 || mayRefer ? outputs.slice(1).map(duplicate) : []
  return [...missing, ...orphans, ...repeated]
}

function orphan({ id, pair, at }: Half): Refusal {
  const message = `No tool call found for ${pair.words} output with call_id ${id ?? ''}.`
  return pair.orphan === 'or-orphan-custom'
    ? refusePedantically(pair.orphan, message, at)
    : refuse(pair.orphan, message, at)
}

function duplicate({ id, pair, at }: Half): Refusal {
  const message = `Duplicate ${pair.output} for call_id '${id ?? ''}'. Each ${pair.call} must have exactly one matching ${pair.output}`
  return refuse('or-dup-output', message, at)
}

function idLength({ id, at }: Half): Refusal[] {
  if (id === undefined || (id.length > 0 && id.length <= idLengthMax)) return []
  const message =
    id.length === 0
      ? `Invalid '${at}.call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.`
      : `Invalid '${at}.call_id': string too long. Expected a string with maximum length ${idLengthMax}, but got a string with length ${id.length} instead.`
  return [refuse('or-callid-len', message, at)]
}
