import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { RecordFields } from '../../record-format.ts'

/**
 * Whether the list of active events can be written here: it was current, and all events are one line of parents from the
 * first to the last. Otherwise the program builds it again, but only its gateway does: without it no session opens until then.
 */
export function canListEvents(database: DatabaseSync, session: string, events: readonly string[]): boolean {
  const columns = database.prepare("select name from pragma_table_info('session_transcript_active_events')").all()
  if (JSON.stringify(columns.map(({ name }) => name).sort()) !== JSON.stringify(knownColumns)) return false
  const state = database.prepare('select needs_rebuild from session_transcript_index_state where session_id = ?')
  if (state.get(session)?.needs_rebuild !== 0) return false
  const ids = idsInLine(events)
  if (!ids) return false
  const searched = database
    .prepare('select message_id from session_transcript_fts_rows where session_id = ?')
    .all(session)
  return searched.every(({ message_id: id }) => ids.has(id))
}

const knownColumns = ['active_position', 'context_eligible', 'event_seq', 'message_position', 'session_id']

/** The ids of the events, if each follows the one before it and the last one is a message. */
function idsInLine(events: readonly string[]): ReadonlySet<unknown> | undefined {
  const [first, ...rest] = events.map(text => tryParseJson(text))
  if (!isRecord(first) || first.type !== 'session') return undefined
  const ids = new Set<unknown>()
  let last: RecordFields = {}
  for (const event of rest) {
    const isNext = isRecord(event) && typeof event.id === 'string' && (event.parentId ?? undefined) === last.id
    if (!isNext || ids.has(event.id) || controls.some(key => key in event) || event.type === 'leaf') return undefined
    ids.add(event.id)
    last = event
  }
  return last.type === 'message' ? ids : undefined
}

/** Fields of events that make another chain of events active than the chain of parents. */
const controls = ['targetId', 'appendParentId', 'appendMode']

/** Lists the events of a session as the program does, and marks the list as current. */
export function listEvents(
  database: DatabaseSync,
  session: string,
  rows: Iterable<{ readonly seq: number; readonly text: string }>,
): void {
  const add = database.prepare(
    `insert into session_transcript_active_events (session_id, active_position, event_seq, message_position, context_eligible)
     values (?, ?, ?, ?, ?)`,
  )
  let count = 0
  let messages = 0
  let last = { seq: -1, id: '' }
  for (const { seq, text } of rows) {
    const event = tryParseJson(text) as RecordFields
    if (event.type !== 'session') {
      const isHidden = isRecord(event.message) && event.message.excludeFromContext === true
      add.run(session, count++, seq, event.message === undefined ? null : messages++, isHidden ? 0 : 1)
    }
    last = { seq, id: String(event.id) }
  }
  database
    .prepare(
      `update session_transcript_index_state set needs_rebuild = 0, indexed_seq = ?, leaf_event_id = ?, active_event_count = ?,
         active_message_count = ? where session_id = ?`,
    )
    .run(last.seq, last.id, count, messages, session)
}
