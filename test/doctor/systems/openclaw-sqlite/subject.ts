import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { openclawSqlite } from '../../../../src/doctor/systems/openclaw-sqlite/index.ts'
import { type ChatMessage, corruptChat, generateChat, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { filesIn } from '../../chat/samples.ts'
import { inDatabase, schemaOf } from '../../chat/sqlite-store.ts'
import type { Subject } from '../../contract.ts'
import { readSessionText, sessionLines } from '../pi/session.ts'

export const subject: Subject = {
  system: openclawSqlite,
  tag: 'D',
  healthy: (seed, folder) =>
    writeSessions(folder, [linesOf(seed, generateChat(seed), 0), linesOf(seed + 1, generateChat(seed + 1), 1)]),
  corrupted: (seed, folder) =>
    writeSessions(folder, [
      linesOf(seed, corruptChat(seed, generateChat(seed)), 0),
      linesOf(seed + 1, generateChat(seed + 1), 1),
    ]),
  refusals: path => [
    ...sessionIds(path).flatMap(id => refusalsBy(() => readTranscript(path, id))),
    ...bookkeeping(path),
  ],
  words: path => sessionIds(path).flatMap(id => wordsIn(eventsOf(path, id).join('\n'))),
}

const idOf = (index: number): string => `7d0f5a52-6c1b-4f7e-9f53-2f6c1e0a4b2${index}`

export const linesOf = (seed: number, chat: readonly ChatMessage[], index: number): string[] =>
  sessionLines(seed, chat, idOf(index))

/** A database with the sessions of several conversations, their identities and what is derived from them. */
export function writeSessions(folder: string, sessions: readonly (readonly string[])[]): string {
  const path = join(folder, 'agents', 'main', 'agent', 'openclaw-agent.sqlite')
  mkdirSync(dirname(path), { recursive: true })
  inDatabase(path, database => {
    database.exec(schemaOf('openclaw-sqlite', 'agents/main/agent/openclaw-agent.sql'))
    const run = (statement: string, ...values: (string | number | null | Uint8Array)[]): unknown =>
      database.prepare(statement).run(...values)
    for (const [index, lines] of sessions.entries()) {
      const id = idOf(index)
      run(
        "insert into session_nodes (session_key, current_session_id, entry_json, updated_at) values (?, ?, '{}', 1)",
        `agent:main:${index}`,
        id,
      )
      run(
        'insert into session_windows (session_id, session_key, created_at, updated_at, transcript_updated_at) values (?, ?, 1, 1, 5)',
        id,
        `agent:main:${index}`,
      )
      run('insert into transcript_rewrite_watermarks values (?, ?, 7)', id, '0120a4f9196a5f9eb9f523f31f914da7')
      for (const [seq, line] of lines.entries()) {
        const { id: event, type, parentId = null } = JSON.parse(line)
        if (line.length > 600)
          run(
            'insert into transcript_events values (?, ?, null, ?, ?, ?, ?)',
            id,
            seq,
            seq,
            zstdCompressSync(line),
            Buffer.byteLength(line),
            navigation,
          )
        else
          run(
            'insert into transcript_events (session_id, seq, event_json, created_at) values (?, ?, ?, ?)',
            id,
            seq,
            line,
            seq,
          )
        run(
          'insert into transcript_event_identities values (?, ?, ?, ?, ?, null, ?)',
          id,
          event,
          seq,
          type,
          parentId,
          seq,
        )
      }
      run(
        'insert into session_transcript_index_state values (?, ?, ?, 0, 1, 1, 9)',
        id,
        lines.length - 1,
        JSON.parse(lines.at(-1) as string).id,
      )
      run('insert into session_transcript_active_events values (?, 0, 1, 0, 1)', id)
      run("insert into session_transcript_fts (rowid, text, session_id) values (?, 'some words', ?)", index + 1, id)
      run('insert into session_transcript_fts_rows values (?, ?, null)', index + 1, id)
    }
  })
  return path
}

const navigation = JSON.stringify({
  version: 1,
  report: { kind: 'canonical' },
  navigation: {},
  reset: {},
  model: {},
  modelBytes: 1,
  modelWithoutCheckpointBytes: 1,
  withoutCustomDataBytes: 1,
})

const fileIn = (folder: string): string => (folder.endsWith('.sqlite') ? folder : filesIn(folder, '.sqlite')[0])

const sessionIds = (path: string): string[] =>
  inDatabase(fileIn(path), database =>
    database
      .prepare('select current_session_id as id from session_nodes')
      .all()
      .map(({ id }) => String(id)),
  )

const eventsOf = (path: string, id: string): string[] =>
  inDatabase(fileIn(path), database =>
    database
      .prepare('select event_json, event_zstd from transcript_events where session_id = ? order by seq')
      .all(id)
      .map(({ event_json: text, event_zstd: packed }) => String(text ?? zstdDecompressSync(packed as Uint8Array))),
  )

export const readTranscript = (path: string, id = sessionIds(path)[0]): ChatMessage[] =>
  readSessionText(eventsOf(path, id).join('\n'), true)

/** The identities of events, and what is derived from them: marked to be built again, or as it was. */
export const bookkeeping = (folder: string): string[] =>
  inDatabase(fileIn(folder), database => {
    const rows = (statement: string) => database.prepare(statement).all()
    const events = sessionIds(folder).flatMap(id =>
      eventsOf(folder, id).map((text, seq) => {
        const { id: event, type, parentId = null } = JSON.parse(text)
        return JSON.stringify([id, event, seq, type, parentId])
      }),
    )
    const named = rows('select session_id, event_id, seq, event_type, parent_id from transcript_event_identities').map(
      row => JSON.stringify(Object.values(row)),
    )
    const stale = rows(
      `select session_id from session_transcript_index_state where needs_rebuild = 1 and session_id in
       (select session_id from session_transcript_active_events union select session_id from session_transcript_fts)`,
    )
    return [
      ...(events.sort().join() === named.sort().join() ? [] : ['identities differ from events']),
      ...rows('pragma foreign_key_check').map(row => `foreign key ${JSON.stringify(row)}`),
      ...stale.map(({ session_id }) => `session ${session_id} has old rows in its index`),
    ]
  })
