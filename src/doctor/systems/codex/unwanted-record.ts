import { isUtf8 } from 'node:buffer'

/** Which records are parsed: those of the history, also the begin and end of its turns, or all. */
export type WantedRecords = 'history' | 'turns' | 'all'

/** How Codex begins every record. */
export const opening = '{"timestamp":"'

/**
 * The number of a record that is not wanted, which its beginning and its end show: most of a rollout need not be parsed. Undefined
 * for a record that has to be parsed: one that is wanted, or is not written in the way of Codex.
 */
export function unwantedRecord(
  bytes: Buffer,
  wantedRecords: WantedRecords,
): { readonly ordinal: number | undefined } | undefined {
  if (wantedRecords === 'all') return undefined
  if (bytes[typeAt] === firstOfItem && bytes[typeAt - 1] === quote) return undefined
  const found = beginning.exec(bytes.toString('latin1', 0, beginningBytes))
  if (!found) return undefined
  const [, ordinal, type = '', event] = found
  if (
    type === 'event_msg' ? event === undefined || wanted[wantedRecords].has(event) : mattering[wantedRecords].has(type)
  )
    return undefined
  if (bytes[bytes.length - 1] !== closingBrace || bytes.indexOf(opening, 1) >= 0 || !isUtf8(bytes)) return undefined
  return { ordinal: ordinal === undefined ? undefined : Number(ordinal) }
}

const beginning =
  /^\{"timestamp":"[^"\\]{1,40}",(?:"ordinal":(\d{1,15}),)?"type":"(\w{1,50})","payload":\{(?:"type":"(\w{1,50})")?/

const beginningBytes = 200

/** The position of the type in most records, and the first letter of `response_item`: those are always wanted. */
const typeAt = '{"timestamp":"2026-05-14T10:22:00.000Z","type":"'.length
const firstOfItem = 0x72
const quote = 0x22
const closingBrace = 0x7d

const wanted: Readonly<Record<'history' | 'turns', ReadonlySet<string>>> = {
  history: new Set(['thread_rolled_back']),
  turns: new Set([
    'thread_rolled_back',
    'task_started',
    'turn_started',
    'task_complete',
    'turn_complete',
    'turn_aborted',
    'user_message',
  ]),
}

const items = ['session_meta', 'response_item', 'compacted', 'inter_agent_communication']

const mattering: Readonly<Record<'history' | 'turns', ReadonlySet<string>>> = {
  history: new Set(items),
  turns: new Set([...items, 'turn_context']),
}
