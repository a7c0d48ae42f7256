import { fileURLToPath } from 'node:url'
import { goose } from '../../../../src/doctor/systems/goose/index.ts'
import { message } from '../../chat/chat.ts'
import { rowSubject } from '../../chat/row-subject.ts'

type Json = Record<string, unknown>

export const subject = rowSubject({
  system: goose,
  file: 'sessions.db',
  dump: fileURLToPath(new URL('samples/healthy/store/sessions.sql', import.meta.url)),
  insert(database, session, rows) {
    database.prepare("insert into sessions (id, working_dir) values (?, '/home/dev/shop')").run(session)
    const add = database.prepare(
      'insert into messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) values (?, ?, ?, ?, ?, ?)',
    )
    for (const [index, { message: one, time }] of rows.entries()) {
      const content = [
        ...one.results.map(({ id, text }) => ({
          type: 'toolResponse',
          id,
          toolResult: { status: 'success', value: { content: [{ type: 'text', text }], isError: false } },
        })),
        ...one.texts.map(text => ({ type: 'text', text })),
        ...one.calls.map(({ id, name, input }) => ({
          type: 'toolRequest',
          id,
          toolCall: { status: 'success', value: { name, arguments: input } },
        })),
      ]
      const role = one.role === 'assistant' ? 'assistant' : 'user'
      const visible = '{"userVisible":true,"agentVisible":true}'
      add.run(`msg_${session}_${index}`, session, role, JSON.stringify(content), time, visible)
    }
  },
  sessions: database =>
    database
      .prepare('select id from sessions order by id')
      .all()
      .map(({ id }) => String(id)),
  read: (database, session) =>
    database
      .prepare('select role, content_json from messages where session_id = ? order by created_timestamp, id')
      .all(session)
      .map(({ role, content_json }) => {
        const blocks = JSON.parse(String(content_json)) as Json[]
        return message(role as 'user', {
          texts: blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])),
          calls: blocks.flatMap(({ type, id, toolCall }) => {
            const { value } = (toolCall ?? {}) as { value?: { name: string; arguments: unknown } }
            return type === 'toolRequest' && value ? [{ id: String(id), name: value.name, input: value.arguments }] : []
          }),
          results: blocks.flatMap(({ type, id, toolResult }) => {
            const { value } = (toolResult ?? {}) as { value?: { content: { text: string }[] } }
            return type === 'toolResponse' && value ? [{ id: String(id), text: value.content[0].text }] : []
          }),
        })
      }),
  bookkeeping: database => [
    ...database.prepare('pragma foreign_key_check').all().map(String),
    ...database
      .prepare('select message_id from messages group by message_id having count(*) > 1')
      .all()
      .map(({ message_id }) => `${message_id} is there twice`),
  ],
})
