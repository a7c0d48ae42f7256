import { join } from 'node:path'
import { googleAdk } from '../../../../src/doctor/systems/google-adk/index.ts'
import { Random } from '../../../laws/random.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { uuidBy } from '../../chat/line-subject.ts'
import { filesIn } from '../../chat/samples.ts'
import { inDatabase, schemaOf, textIn } from '../../chat/sqlite-store.ts'
import type { Subject } from '../../contract.ts'

type Json = Record<string, unknown>

export const subject: Subject = {
  system: googleAdk,
  tag: 'D',
  healthy: (seed, folder) => writeSessions(folder, [generateChat(seed), generateChat(seed + 1)].map(eventsOf), seed),
  corrupted: (seed, folder) =>
    writeSessions(folder, [corruptChat(seed, generateChat(seed)), generateChat(seed + 1)].map(eventsOf), seed),
  refusals: path => sessionIds(path).flatMap(id => refusalsBy(() => readEvents(path, id))),
  words: path => wordsIn(textIn(path)),
}

/** The events of a conversation; results that follow each other are one. */
export function eventsOf(chat: readonly ChatMessage[]): Json[] {
  const events: { role: string; parts: Json[]; isResult: boolean }[] = []
  for (const { role, texts, calls, results } of chat) {
    const parts: Json[] = [
      ...results.map(({ id, text }) => ({ function_response: { id, name: 'bash', response: { result: text } } })),
      ...texts.map(text => ({ text })),
      ...calls.map(({ id, name, input }) => ({ function_call: { id, args: input, name } })),
    ]
    const last = events.at(-1)
    if (results.length > 0 && last?.isResult) last.parts.push(...parts)
    else events.push({ role: role === 'assistant' ? 'model' : 'user', parts, isResult: results.length > 0 })
  }
  return events.map(({ role, parts }) => ({ content: { parts, role } }))
}

/** Sessions of one user. Some events have the same time, and are read in the order in which they were written. */
export function writeSessions(folder: string, sessions: readonly (readonly Json[])[], seed = 1): string {
  const path = join(folder, 'session.db')
  const random = new Random(seed ^ 0xadc)
  inDatabase(path, database => {
    database.exec(schemaOf('google-adk', 'sessions.sql'))
    for (const [index, events] of sessions.entries()) {
      database
        .prepare("insert into sessions values ('app', 'user-1', ?, '{}', 1786529700.0, 1786529761.2)")
        .run(`session-${index}`)
      let time = 1_786_529_700_100_000
      for (const one of events) {
        if (random.chance(0.7)) time += random.range(1, 2_000_000)
        const id = uuidBy(random)
        const actions = {
          state_delta: {},
          artifact_delta: {},
          requested_auth_configs: {},
          requested_tool_confirmations: {},
        }
        const event = {
          ...one,
          invocation_id: one.invocation_id ?? 'e-1',
          author: 'agent',
          actions: { ...actions, ...(one.actions as Json) },
          id,
          timestamp: time / 1e6,
        }
        database
          .prepare("insert into events values (?, 'app', 'user-1', ?, 'e-1', ?, ?)")
          .run(id, `session-${index}`, time / 1e6, JSON.stringify(event))
      }
    }
  })
  return path
}

const fileIn = (folder: string): string => (folder.endsWith('.db') ? folder : filesIn(folder, '.db')[0])

const sessionIds = (path: string): string[] =>
  inDatabase(fileIn(path), database =>
    database
      .prepare('select id from sessions')
      .all()
      .map(({ id }) => String(id)),
  )

/** What the program reads: events in the order of their times, which the events know too. */
export function readEvents(folder: string, id = sessionIds(folder)[0]): ChatMessage[] {
  const rows = inDatabase(fileIn(folder), database =>
    database.prepare('select timestamp, event_data from events where session_id = ? order by timestamp, rowid').all(id),
  )
  return rows.flatMap(({ timestamp, event_data: text }) => {
    const event = JSON.parse(String(text))
    if (Math.abs(event.timestamp - Number(timestamp)) > 1e-6) throw new Error('the times of row and event differ')
    const parts: Record<string, Json>[] = event.content?.parts ?? []
    if (parts.length === 0) return []
    return message(event.content.role === 'model' ? 'assistant' : 'user', {
      texts: parts.flatMap(({ text }) => (text === undefined ? [] : [String(text)])),
      calls: parts.flatMap(({ function_call: call }) =>
        call ? [{ id: String(call.id), name: String(call.name), input: call.args }] : [],
      ),
      results: parts.flatMap(({ function_response: one }) =>
        one ? [{ id: String(one.id), text: JSON.stringify(one.response) }] : [],
      ),
    })
  })
}
