import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { openclawSqlite } from '../../../../src/doctor/systems/openclaw-sqlite/index.ts'
import { message, result, user } from '../../chat/chat.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { inDatabase, loadDumps, textIn } from '../../chat/sqlite-store.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { bookkeeping, linesOf, readTranscript, subject, writeSessions } from './subject.ts'

describeSystem(subject)
describeSamples({
  system: openclawSqlite,
  title: '[D650] samples of the OpenClaw database',
  read: readTranscript,
  load: folder => loadDumps(folder, '.sqlite'),
  bookkeeping,
  raw: folder => textIn(filesIn(folder, '.sqlite')[0]),
})

const calling = (...ids: string[]) =>
  message('assistant', { calls: ids.map(id => ({ id, name: 'bash', input: { command: 'ls' } })) })
const said = (text: string) => message('assistant', { texts: [text] })
const broken = [user('a'), calling('1', '2'), result('1', 'real'), user('b'), said('x'.repeat(900))]

test('[D651] OpenClaw database: events are rewritten from the first change on, with a new generation and an index to be built', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [linesOf(3, broken, 0), linesOf(4, broken.slice(0, 1), 1)])
    const before = tablesOf(path)
    await fix(path)
    const after = tablesOf(path)
    const first = before.events.findIndex((row, index) => row.event_json !== after.events[index].event_json)
    expect(after.events.slice(0, first)).toEqual(before.events.slice(0, first))
    expect(first).toBeGreaterThan(2)
    expect(after.events.map(({ seq }) => seq)).toEqual([...after.events.keys()])
    expect(after.marks[0].generation).toMatch(/^[0-9a-f]{32}$/)
    expect(after.marks[0].generation).not.toBe(before.marks[0].generation)
    expect(after.marks[1]).toEqual(before.marks[1])
    expect(after.index.map(({ needs_rebuild }) => needs_rebuild)).toEqual([1, 0])
    expect(after.windows[0].transcript_updated_at).toBeGreaterThan(Number(before.windows[0].transcript_updated_at))
    expect(after.nodes).toEqual(before.nodes)
    expect(bookkeeping(path)).toEqual([])
  }))

test('[D654] OpenClaw database: the list of active events is written again if all events are in one line, so that a session opens without the gateway', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [linesOf(3, [...broken.slice(0, 4), said('Done.')], 0)])
    const ids = searchEveryMessage(path)
    await fix(path)
    const { events, index } = tablesOf(path)
    const parsed = events.slice(1).map(({ seq, event_json: text }) => ({ seq, ...JSON.parse(String(text)) }))
    let messages = 0
    expect(rowsOf(path, 'session_transcript_active_events', 'active_position')).toEqual(
      parsed.map(({ seq, message }, position) => ({
        ...{ session_id: events[0].session_id, active_position: position, event_seq: seq },
        ...{ message_position: message === undefined ? null : messages++, context_eligible: 1 },
      })),
    )
    expect(index).toEqual([
      expect.objectContaining({
        ...{ needs_rebuild: 0, indexed_seq: events.length - 1, leaf_event_id: parsed.at(-1)?.id },
        ...{ active_event_count: parsed.length, active_message_count: messages },
      }),
    ])
    expect(rowsOf(path, 'session_transcript_fts_rows', 'id').map(row => row.message_id)).toEqual(ids)
    expect(bookkeeping(path)).toEqual([])
  }))

test('[D654] OpenClaw database: it is marked instead if an event names another parent than the one before it', () =>
  inFolder(async folder => {
    const lines = linesOf(3, broken, 0)
    const last = JSON.parse(lines[lines.length - 1])
    const aside = { ...last, id: 'aside', parentId: JSON.parse(lines[2]).id }
    const path = writeSessions(folder, [[...lines.slice(0, -1), JSON.stringify(aside), lines[lines.length - 1]]])
    searchEveryMessage(path)
    await fix(path)
    expect(tablesOf(path).index).toEqual([expect.objectContaining({ needs_rebuild: 1, active_event_count: 0 })])
    expect(rowsOf(path, 'session_transcript_active_events', 'active_position')).toEqual([])
  }))

const rowsOf = (path: string, table: string, order: string) =>
  inDatabase(path, database => database.prepare(`select * from ${table} order by ${order}`).all())

/** As the program does it: each message with text has a row, by its id. */
function searchEveryMessage(path: string): unknown[] {
  const { events } = tablesOf(path)
  const ids = events.flatMap(({ event_json: text }) => {
    const event = JSON.parse(String(text ?? '{}'))
    return event.type === 'message' && event.message.role !== 'toolResult' ? [event.id] : []
  })
  inDatabase(path, database => {
    const id = events[0].session_id as string
    database.exec('delete from session_transcript_fts_rows')
    for (const [index, message] of ids.entries())
      database.prepare('insert into session_transcript_fts_rows values (?, ?, ?)').run(100 + index, id, message)
  })
  return ids
}

test('[D652] OpenClaw database: while a lock of its gateway names a running process, nothing is written', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [linesOf(3, broken, 0)])
    const locks = join(folder, 'tmp', `openclaw-${process.getuid?.() ?? ''}`)
    mkdirSync(locks, { recursive: true })
    writeFileSync(join(locks, 'gateway.lock'), JSON.stringify({ pid: process.ppid }))
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).toEqual(['busy'])
    expect(bytesOf(path)).toEqual(before)
    writeFileSync(join(locks, 'gateway.lock'), JSON.stringify({ pid: 999_999_999 }))
    expect((await fix(path)).map(state)).toEqual(['broken'])
    expect(bytesOf(path)).not.toEqual(before)
  }))

test('[D653] OpenClaw database: a schema version that is not known is refused with one line', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [linesOf(3, broken, 0)])
    inDatabase(path, database => database.exec('pragma user_version = 24'))
    const before = bytesOf(path)
    expect((await fix(path)).map(about).join()).toMatch(/version 24/)
    expect(bytesOf(path)).toEqual(before)
  }))

const tablesOf = (path: string) =>
  inDatabase(path, database => {
    const rows = (table: string) => database.prepare(`select * from ${table} order by session_id`).all()
    return {
      events: database.prepare("select * from transcript_events where session_id like '%0' order by seq").all(),
      marks: rows('transcript_rewrite_watermarks'),
      index: rows('session_transcript_index_state'),
      windows: rows('session_windows'),
      nodes: database.prepare('select * from session_nodes').all(),
    }
  })

const fix = (store: string) =>
  all(
    examineStores([store], {
      systems: [openclawSqlite],
      fix: true,
      backups: join(store, '..', '..', '..', '..', '..', 'backups'),
    }),
  )
