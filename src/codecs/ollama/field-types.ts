import { isRecord } from '../../core/conversation.ts'
import { jsonText, tryParseWithDigits } from '../../core/json/json-text.ts'
import { areImages } from './pieces.ts'

/*
 * The types of the fields of a message. The API decodes a request into them and rejects values of other types; null counts
 * as missing.
 */

type Raw = Readonly<Record<string, unknown>>

/** A text, or none. */
export const isText = (value: unknown): boolean => typeof value === 'string' || value === undefined || value === null

/** A call id as text: a value that is not a text is its JSON, so that both sides of a pair still agree. */
export const idOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : jsonText(value)

/** Marks an id that is not written as a text. */
export const untyped = (value: unknown): { numeric?: true } => (isText(value) ? {} : { numeric: true })

/** Whether an id is written as it is read. */
export const isWrittenId = (
  value: unknown,
  { id, numeric }: { readonly id: string; readonly numeric?: true },
): boolean => (typeof value === 'string' || numeric ? idOf(value) === id : id === '')

/** Whether the fields next to the content of a message have the types of the API; its calls are judged on their own. */
export const areTyped = ({ thinking, tool_name, tool_call_id, images }: Raw): boolean =>
  isText(thinking) && isText(tool_name) && isText(tool_call_id) && areImages(images)

/** Whether every field has its type, calls included. */
export const isTyped = (raw: Raw): boolean =>
  isText(raw.role) && isText(raw.content) && areTyped(raw) && areCalls(raw.tool_calls)

/** Whether a list of calls can be sent; there may be none. */
export const areCalls = (calls: unknown): boolean =>
  calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall))

function isCall(call: unknown): boolean {
  if (call === null) return true
  if (!isRecord(call) || !isText(call.id)) return false
  const { function: called } = call
  if (called === undefined || called === null) return true
  if (!isRecord(called) || !isText(called.name) || !isIndexed(called)) return false
  return called.arguments === undefined || called.arguments === null || isRecord(called.arguments)
}

/** Whether the position of a call is a number, if it has one. */
export const isIndexed = ({ index }: Raw): boolean =>
  index === undefined || index === null || Number.isSafeInteger(index)

/** The calls of an assistant message as a list: some stores keep it as JSON text, or only its one call. */
export function callsIn({ tool_calls: calls }: Raw): unknown[] | undefined {
  if (calls === undefined || calls === null) return []
  if (Array.isArray(calls)) return calls
  const value = typeof calls === 'string' ? tryParseWithDigits(calls) : calls
  const list = Array.isArray(value) ? value : [value]
  return list.every(call => isRecord(call) && isRecord(call.function)) ? list : undefined
}

/** A message of an unknown role in the types of the API: every other value is kept as its JSON. */
export function asTyped(raw: Raw): Raw {
  const written: Record<string, unknown> = { ...raw }
  for (const key of ['role', 'content', 'thinking', 'tool_name', 'tool_call_id'])
    if (!isText(raw[key])) written[key] = jsonText(raw[key])
  const untypedLists = [
    ...(areImages(raw.images) ? [] : ['images']),
    ...(areCalls(raw.tool_calls) ? [] : ['tool_calls']),
  ]
  for (const key of untypedLists) {
    written.content = [written.content, jsonText(raw[key])].filter(Boolean).join('\n\n')
    delete written[key]
  }
  return written
}
