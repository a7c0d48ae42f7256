import { createHash } from 'node:crypto'
import { isRecord } from '../../../core/conversation.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { isJsonObject } from '../../../core/json/is-json-object.ts'
import { memberSpan } from '../../../core/json/json-spans.ts'
import { jsonLayoutOf, printJson } from '../../files/layout.ts'
import type { StoredMessage } from './records.ts'

/** The program's own text for a stopped call. */
export const abortedError = 'Tool execution aborted'

/** The text of a part whose call was left unfinished, as the program writes it when it is stopped. */
export function settledText(text: string, { value }: StoredMessage): string {
  const { state } = parseVerbatim(unmarked(text)) as Record<string, unknown>
  const old = isRecord(state) ? state : {}
  const created = isRecord(value?.time) ? value.time.created : undefined
  const start = (isRecord(old.time) ? old.time.start : undefined) ?? created ?? 0
  const settled = {
    ...old,
    status: 'error',
    input: inputObject(old.input),
    error: abortedError,
    metadata: { ...(isRecord(old.metadata) ? old.metadata : {}), interrupted: true },
    time: { start, end: start },
  }
  return withMember(text, 'state', settled)
}

/** The text of a part whose call has ended, in the form that the program can read. */
export function soundText(text: string): string {
  const { state } = parseVerbatim(unmarked(text)) as { state: Record<string, unknown> }
  const { input, output, error } = state
  const outcome = state.status === 'completed' ? { output: asText(output) } : { error: asText(error) }
  return withMember(text, 'state', { ...state, input: inputObject(input), ...outcome })
}

/** The input of a call as an object: the object in a JSON text, and anything else under one explicit key. */
export function inputObject(input: unknown): unknown {
  if (isRecord(input)) return input
  if (input === undefined || input === null || (typeof input === 'string' && input.trim() === '')) return {}
  return typeof input === 'string' && isJsonObject(input) ? parseVerbatim(input) : { _cut_off: input }
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export const withCallId = (text: string, id: string): string => withMember(text, 'callID', id)

/** A deterministic id for a call without one: the same repair gives the same id. */
export const freshCallId = (message: string, part: string): string =>
  `call_${createHash('sha256').update(`${message} ${part}`).digest('hex').slice(0, 24)}`

/** The text of a record that begins a step, formatted like its neighbour. */
export function beginningText(next: string, part: string): string {
  const value = JSON.parse(unmarked(next)) as Record<string, unknown>
  const own: Record<string, unknown> = { id: part, sessionID: value.sessionID, messageID: value.messageID }
  const kept = Object.keys(value).filter(key => key in own)
  const made = Object.fromEntries([...kept.map(key => [key, own[key]]), ['type', 'step-start']])
  return printJson(made, jsonLayoutOf([next], '')) + next.slice(next.trimEnd().length)
}

/**
 * A user message, and its only part, before an assistant message whose user message was lost. Without the ids of
 * either.
 */
export function openingMessage({ value = {} }: StoredMessage): {
  info: Record<string, unknown>
  part: Record<string, unknown>
} {
  const { providerID, modelID, mode, agent } = value
  const created = isRecord(value.time) ? value.time.created : 0
  const model = { providerID, modelID }
  return {
    info: { role: 'user', time: { created }, agent: agent ?? mode ?? 'build', model },
    part: { type: 'text', text: '[The beginning of this conversation was lost.]', synthetic: true },
  }
}

/** Another value for a key; everything else stays as written. */
function withMember(text: string, key: string, value: unknown): string {
  const layout = jsonLayoutOf([text.trim()], '')
  const written = printJson(value, { ...layout, base: layout.indent ?? '' })
  const span = memberSpan(text, key)
  if (span) return text.slice(0, span.start) + written + text.slice(span.end)
  const whole = { ...(parseVerbatim(unmarked(text)) as Record<string, unknown>), [key]: value }
  return printJson(whole, layout)
}

/** Without a byte order mark, which some editors put at the start of a file. */
const unmarked = (text: string): string => text.replace(/^\uFEFF/, '')
