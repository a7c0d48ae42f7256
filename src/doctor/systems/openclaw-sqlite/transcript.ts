import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { zstd } from '../../../journal/stores/node-modules.ts'
import { fileError } from '../../files/file-error.ts'
import type { RecordFields } from '../../record-format.ts'
import { canListEvents, listEvents } from './active-events.ts'

/** Counts the text of compressed events, and throws if a store has far more of it than its length justifies. */
export class UnpackedText {
  readonly #place: string
  readonly #sessions = new Map<string, number>()
  #left: number

  constructor(place: string, storeBytes: number) {
    this.#place = place
    this.#left = unpackedBytesMin + unpackedPerByte * storeBytes
  }

  /** Called with all bytes of a session so far: a transcript that is read again counts once. */
  count(session: string, bytes: number): void {
    const more = bytes - (this.#sessions.get(session) ?? 0)
    if (more <= 0) return
    if (more > this.#left)
      throw fileError(
        this.#place,
        'its events decompress to far more text than its size justifies (a decompression bomb?), so it was not read',
      )
    this.#left -= more
    this.#sessions.set(session, bytes)
  }
}

const unpackedBytesMin = 64 * 1024 * 1024
const unpackedPerByte = 50

/** Writes the events of a transcript as the lines of a file, which is the form that they had before. */
export function exportTranscript(database: DatabaseSync, session: string, path: string, unpacked: UnpackedText): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    const rows = database.prepare('select * from transcript_events where session_id = ? order by seq')
    let unpackedBytes = 0
    for (const row of rows.iterate(session)) {
      const bytes = Buffer.from(`${eventText(row)}\n`)
      if (row.event_zstd instanceof Uint8Array) {
        unpackedBytes += bytes.length
        unpacked.count(session, unpackedBytes)
      }
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    }
  } finally {
    closeSync(file)
  }
}

/** The text of an event on one line. Newer versions compress long ones. */
function eventText({ event_json: text, event_zstd: packed }: RecordFields): string {
  const whole =
    packed instanceof Uint8Array
      ? zstd.zstdDecompressSync(packed, { maxOutputLength: bytesMax }).toString()
      : String(text)
  return whole.replace(/[\r\n]/g, ' ')
}

/** An event without text is an empty line, which does not count. */
const isWritten = ({ event_json: text, event_zstd: packed }: RecordFields): boolean =>
  packed instanceof Uint8Array || String(text).trim() !== ''

/** The largest event that the program compresses. */
const bytesMax = 4 * 1024 * 1024

/**
 * Replaces the events of a transcript from the first that changes on. The list of its active events is written again, or
 * emptied and marked: then the gateway builds it again. The program reads the transcript again because of its new generation.
 */
export function writeTranscript(
  database: DatabaseSync,
  session: string,
  before: readonly string[],
  after: readonly string[],
): void {
  let first = 0
  while (first < before.length && before[first] === after[first]) first++
  const rows = database
    .prepare('select * from transcript_events where session_id = ? order by seq')
    .all(session)
    .filter(isWritten)
    .slice(first)
  const identities = new Map(
    database
      .prepare('select * from transcript_event_identities where session_id = ?')
      .all(session)
      .map(row => [row.event_id, row]),
  )
  const known = new Map(rows.map((row, index) => [valueAt(before, first + index), row]))
  const byId = new Map(rows.map((row, index) => [idOf(valueAt(before, first + index)), row]))
  let seq = Number(rows[0]?.seq ?? before.length)
  const isListed = canListEvents(database, session, after)
  empty(database, session, seq, isListed)
  const last = database.prepare(
    'select created_at from transcript_events where session_id = ? order by seq desc limit 1',
  )
  let created = last.get(session)?.created_at ?? rows[0]?.created_at ?? 0
  for (const text of after.slice(first)) {
    const event = tryParseJson(text)
    const fields: RecordFields = isRecord(event) ? event : {}
    const same = known.get(text)
    const row = same ?? byId.get(idOf(text))
    created = row?.created_at ?? created
    insert(database, 'transcript_events', {
      ...(same ?? { session_id: session, event_json: text }),
      seq,
      created_at: created,
    })
    if (typeof fields.id === 'string')
      insert(database, 'transcript_event_identities', {
        ...(identities.get(fields.id) ?? { session_id: session, event_id: fields.id, created_at: created }),
        event_type: typeof fields.type === 'string' ? fields.type : null,
        parent_id: typeof fields.parentId === 'string' ? fields.parentId : null,
        seq,
      })
    seq++
  }
  renew(database, session)
  if (isListed) listEvents(database, session, writtenEvents(database, session))
}

function* writtenEvents(database: DatabaseSync, session: string): Generator<{ seq: number; text: string }> {
  const rows = database.prepare('select * from transcript_events where session_id = ? order by seq')
  for (const row of rows.all(session)) if (isWritten(row)) yield { seq: Number(row.seq), text: eventText(row) }
}

const idOf = (text: string): unknown => {
  const event = tryParseJson(text)
  return isRecord(event) ? event.id : undefined
}

/** What is searched stays if the events are listed again: only messages with text are in it. */
function empty(database: DatabaseSync, session: string, seq: number, isListed: boolean): void {
  for (const table of ['session_transcript_active_events', ...(isListed ? [] : ['session_transcript_fts_rows'])])
    if (exists(database, table)) database.prepare(`delete from ${table} where session_id = ?`).run(session)
  for (const table of ['transcript_event_identities', 'transcript_events'])
    database.prepare(`delete from ${table} where session_id = ? and seq >= ?`).run(session, seq)
}

type Value = string | number | bigint | null | Uint8Array

function insert(database: DatabaseSync, table: string, row: RecordFields): void {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  database
    .prepare(`insert into ${table} (${names.map(name => `"${name}"`).join(', ')}) values (${places})`)
    .run(...(Object.values(row) as Value[]))
}

/** A new generation, made from the old one, and times after all that were recorded. */
function renew(database: DatabaseSync, session: string): void {
  const mark = database.prepare('select * from transcript_rewrite_watermarks where session_id = ?').get(session)
  const generation = createHash('sha256').update(`${session} ${mark?.generation}`).digest('hex').slice(0, 32)
  const window = database
    .prepare('select transcript_updated_at, transcript_observed_at from session_windows where session_id = ?')
    .get(session)
  const time =
    1 +
    Math.max(
      ...[window?.transcript_updated_at, window?.transcript_observed_at, mark?.updated_at]
        .map(Number)
        .filter(one => one > 0),
      0,
    )
  database.prepare('delete from transcript_rewrite_watermarks where session_id = ?').run(session)
  insert(database, 'transcript_rewrite_watermarks', { session_id: session, generation, updated_at: time })
  database.prepare('update session_windows set transcript_updated_at = ? where session_id = ?').run(time, session)
  if (exists(database, 'session_transcript_index_state'))
    database
      .prepare(
        `update session_transcript_index_state set needs_rebuild = 1, indexed_seq = -1, leaf_event_id = null,
           active_event_count = 0, active_message_count = 0, updated_at = max(updated_at, ?) where session_id = ?`,
      )
      .run(time, session)
}

const exists = (database: DatabaseSync, table: string): boolean =>
  database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined
