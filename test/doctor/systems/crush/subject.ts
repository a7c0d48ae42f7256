import { fileURLToPath } from 'node:url'
import { crush } from '../../../../src/doctor/systems/crush/index.ts'
import { message } from '../../chat/chat.ts'
import { rowSubject } from '../../chat/row-subject.ts'

type Json = Record<string, unknown>

export const subject = rowSubject({
  system: crush,
  file: 'crush.db',
  dump: fileURLToPath(new URL('samples/healthy/store/crush.sql', import.meta.url)),
  insert(database, session, rows) {
    database.prepare("insert into sessions (id, title, updated_at, created_at) values (?, '', 0, 0)").run(session)
    const add = database.prepare(
      'insert into messages (id, session_id, role, parts, model, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?)',
    )
    for (const [index, { message: one, time }] of rows.entries()) {
      const parts = [
        ...one.results.map(({ id, text }) => ({
          type: 'tool_result',
          data: { tool_call_id: id, name: 'bash', content: text, metadata: '', is_error: false },
        })),
        ...one.texts.map(text => ({ type: 'text', data: { text } })),
        ...one.calls.map(({ id, name, input }) => ({
          type: 'tool_call',
          data: { id, name, input: JSON.stringify(input), provider_executed: false, finished: true },
        })),
        { type: 'finish', data: { reason: one.calls.length > 0 ? 'tool_use' : 'stop', time } },
      ]
      add.run(`${session}-${index}`, session, one.role, JSON.stringify(parts), '', time, time)
    }
  },
  sessions: database =>
    database
      .prepare('select id from sessions order by id')
      .all()
      .map(({ id }) => String(id)),
  read: (database, session) =>
    database
      .prepare('select role, parts from messages where session_id = ? order by created_at, rowid')
      .all(session)
      .map(({ role, parts }) => {
        const all = (kind: string): Json[] =>
          (JSON.parse(String(parts)) as { type: string; data: Json }[])
            .filter(({ type }) => type === kind)
            .map(({ data }) => data)
        return message(role as 'user', {
          texts: all('text').map(({ text }) => String(text)),
          calls: all('tool_call').map(({ id, name, input }) => ({
            id: String(id),
            name: String(name),
            input: JSON.parse(String(input)),
          })),
          results: all('tool_result').map(({ tool_call_id: id, content }) => ({
            id: String(id),
            text: String(content),
          })),
        })
      }),
  bookkeeping: database => [
    ...database.prepare('pragma foreign_key_check').all().map(String),
    ...database
      .prepare(
        'select id from sessions where message_count <> (select count(*) from messages where session_id = sessions.id)',
      )
      .all()
      .map(({ id }) => `the count of ${id} is wrong`),
    ...database
      .prepare(`select id from messages where parts not like '%"type":"finish"%'`)
      .all()
      .map(({ id }) => `${id} is not finished`),
  ],
})
