import { createHash } from 'node:crypto'
import { isRecord } from '../../core/conversation.ts'
import { parseVerbatim } from '../../exact-json.ts'
import { memberSpan } from '../../files/json-spans.ts'
import { layoutOf, print } from '../../files/layout.ts'
import type { StoredMessage } from './records.ts'

/** What the program says of a call that was stopped. */
export const abortedError = 'Tool execution aborted'

/** The text of a part whose call was left in the middle of its work, as the program writes it when it is stopped. */
export function settledText(text: string, { value }: StoredMessage): string {
  const { state } = parseVerbatim(text) as Record<string, unknown>
  const old = isRecord(state) ? state : {}
  const created = isRecord(value?.time) ? value.time.created : undefined
  const start = (isRecord(old.time) ? old.time.start : undefined) ?? created ?? 0
  const settled = {
    ...old,
    status: 'error',
    input: isRecord(old.input) ? old.input : {},
    error: abortedError,
    metadata: { ...(isRecord(old.metadata) ? old.metadata : {}), interrupted: true },
    time: { start, end: start },
  }
  return withMember(text, 'state', settled)
}

export const withCallId = (text: string, id: string): string => withMember(text, 'callID', id)

/** An id for a call that has none of its own, the same whenever the same is healed. */
export const freshCallId = (message: string, part: string): string =>
  `call_${createHash('sha256').update(`${message} ${part}`).digest('hex').slice(0, 24)}`

/** The text of a record that begins a step, laid out like a neighbour. */
export function beginningText(next: string, part: string): string {
  const value = JSON.parse(next) as Record<string, unknown>
  const own: Record<string, unknown> = { id: part, sessionID: value.sessionID, messageID: value.messageID }
  const kept = Object.keys(value).filter(key => key in own)
  const made = Object.fromEntries([...kept.map(key => [key, own[key]]), ['type', 'step-start']])
  return print(made, layoutOf([next], '')) + next.slice(next.trimEnd().length)
}

/** A message of the user, and its only part, in front of an assistant whose user was lost. Without the ids of either. */
export function openingOf({ value = {} }: StoredMessage): {
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

/** Another value under a key; everything else stays as it is written. */
function withMember(text: string, key: string, value: unknown): string {
  const layout = layoutOf([text.trim()], '')
  const written = print(value, { ...layout, base: layout.indent ?? '' })
  const span = memberSpan(text, key)
  if (span) return text.slice(0, span.start) + written + text.slice(span.end)
  const whole = { ...(parseVerbatim(text) as Record<string, unknown>), [key]: value }
  return print(whole, layout)
}
