import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { hermes } from '../../../../src/doctor/systems/hermes/index.ts'
import { Random } from '../../../laws/random.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { filesIn } from '../../chat/samples.ts'
import { inDatabase, schemaOf, textIn } from '../../chat/sqlite-store.ts'
import type { Subject } from '../../contract.ts'

export const subject: Subject = {
  system: hermes,
  tag: 'D',
  healthy: (seed, folder) => writeSessions(folder, [generateChat(seed), generateChat(seed + 1)], new Random(seed)),
  corrupted: (seed, folder) =>
    writeSessions(folder, [corruptChat(seed, generateChat(seed)), generateChat(seed + 1)], new Random(seed)),
  refusals: path => sessionIds(path).flatMap(id => [...refusalsBy(() => readSession(path, id)), ...bookkeeping(path)]),
  words: path => wordsIn(textIn(path)),
}

/** Sessions whose rows are interleaved, as when several run at once. */
export function writeSessions(folder: string, chats: readonly (readonly ChatMessage[])[], random: Random): string {
  const path = join(folder, 'state.db')
  inDatabase(path, database => {
    database.exec(`${schemaOf('hermes', 'state.sql')}; insert into schema_version (version) values (30)`)
    const ids = chats.map((_, index) => `2026081${index}_101500_3f9a2c`)
    const insert = database.prepare('insert into sessions (id, source, started_at, title) values (?, ?, ?, ?)')
    for (const [index, id] of ids.entries()) insert.run(id, 'cli', 1_786_529_700 + index, 'Talk')
    const left = chats.map(chat => [...chat])
    let time = 1_786_529_700
    for (let open = [...left.keys()]; open.length > 0; open = open.filter(index => left[index].length > 0)) {
      const index = random.pick(open)
      const one = left[index].shift()
      if (one) addRows(database, ids[index], one, time++, random.chance(0.3))
    }
    for (const [index, id] of ids.entries()) count(database, id, chats[index])
  })
  return path
}

const count = (database: DatabaseSync, id: string, chat: readonly ChatMessage[]): unknown =>
  database
    .prepare('update sessions set message_count = ?, tool_call_count = ? where id = ?')
    .run(chat.length, chat.flatMap(({ calls }) => calls).length, id)

/** Calls of Codex models have two ids, and results name the second one. */
export function addRows(
  database: DatabaseSync,
  session: string,
  one: ChatMessage,
  time: number,
  isCodex = false,
): void {
  const { role, texts, calls, results } = one
  const asked = calls.map(({ id, name, input }) => ({
    ...(isCodex ? { id: `fc_${id}`, call_id: id } : { id }),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const insert = database.prepare(
    'insert into messages (session_id, role, content, tool_call_id, tool_calls, timestamp) values (?, ?, ?, ?, ?, ?)',
  )
  const [result] = results
  const text = result?.text ?? texts.join('\n')
  insert.run(session, role, text, result?.id ?? null, asked.length > 0 ? JSON.stringify(asked) : null, time)
}

const fileIn = (folder: string): string => (folder.endsWith('.db') ? folder : filesIn(folder, '.db')[0])

const sessionIds = (path: string): string[] =>
  inDatabase(fileIn(path), database =>
    database
      .prepare('select id from sessions')
      .all()
      .map(({ id }) => String(id)),
  )

/** The session as the program sends it: active rows in the order of their ids. */
export function readSession(folder: string, session = sessionIds(folder).sort().at(-1) as string): ChatMessage[] {
  const rows = inDatabase(fileIn(folder), database =>
    database.prepare('select * from messages where session_id = ? and active = 1 order by id').all(session),
  )
  return rows.map(({ role, content, tool_call_id: id, tool_calls: calls }) => {
    const text = String(content ?? '')
    if (role === 'tool') return message('tool', { results: [{ id: String(id), text }] })
    const asked = (calls ? JSON.parse(String(calls)) : []) as { id: string; call_id?: string; function: Called }[]
    return message(role as 'user' | 'assistant', {
      texts: text === '' ? [] : [text],
      calls: asked.map(({ id, call_id, function: { name, arguments: input } }) => ({
        id: call_id ?? id,
        name,
        input: JSON.parse(input),
      })),
    })
  })
}

interface Called {
  readonly name: string
  readonly arguments: string
}

/** The counters of sessions, and the full-text index. */
export const bookkeeping = (folder: string): string[] =>
  inDatabase(fileIn(folder), database => {
    const faults = database
      .prepare('select id, message_count, tool_call_count from sessions')
      .all()
      .flatMap(({ id, message_count, tool_call_count }) => {
        const chat = readSession(folder, String(id))
        const calls = chat.flatMap(one => one.calls).length
        return message_count === chat.length && tool_call_count === calls
          ? []
          : [
              `session ${id} has ${chat.length} messages and ${calls} calls, and counts ${message_count} and ${tool_call_count}`,
            ]
      })
    try {
      database.exec("begin; insert into messages_fts(messages_fts, rank) values ('integrity-check', 1); rollback")
    } catch (error) {
      faults.push((error as Error).message)
    }
    return faults
  })
