import type { DatabaseSync } from 'node:sqlite'
import { fileError } from '../../files/file-error.ts'
import { rowsWith } from '../../rows-with.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { ConversationStore, StoredConversation, StoreRepair } from '../../system.ts'
import type { PartChange } from './diagnose.ts'
import { examineStoredRejection } from './examine-rejection.ts'
import { examineStoredSession } from './examine-session.ts'
import { recordOf, type StoredMessage } from './records.ts'
import { openingMessage } from './rewrite.ts'

/** The database of newer versions: one row for each session, message and part. */
export function openSqliteStore(path: string): ConversationStore {
  const database = openDatabase(path, ['session', 'message', 'part'])
  return {
    *conversations() {
      const sessions = database.look.prepare('select id, title from session order by id').all()
      for (const { id, title } of sessions) yield conversationOf(String(id), title, database, path)
    },
    close: () => database.close(),
  }
}

function conversationOf(id: string, title: unknown, database: Database, path: string): StoredConversation {
  return {
    id,
    ...(typeof title === 'string' && title !== '' && { title }),
    examine: async () => {
      const messages = messagesOf(id, database)
      return examineStoredSession(messages, changes => storeRepairOf(id, messages, changes, database, path))
    },
    examineRejection: async rejection => {
      const messages = messagesOf(id, database)
      return examineStoredRejection(messages, rejection, changes =>
        storeRepairOf(id, messages, changes, database, path),
      )
    },
  }
}

/** The messages of a session in the program's order. */
function messagesOf(session: string, { look }: Pick<Database, 'look'>): StoredMessage[] {
  const parts = new Map<string, ReturnType<typeof recordOf>[]>()
  const ofParts = rowsWith(look, 'part', 'session_id', session)
  const rows = look.prepare(`select id, message_id, data from part where ${ofParts.sql} order by message_id, id`)
  for (const { id, message_id, data } of rows.iterate(ofParts.value)) {
    const list = parts.get(String(message_id)) ?? []
    list.push(recordOf(String(id), String(data)))
    parts.set(String(message_id), list)
  }
  const ofMessages = rowsWith(look, 'message', 'session_id', session)
  const messages = look.prepare(`select id, data from message where ${ofMessages.sql} order by time_created, id`)
  return messages
    .all(ofMessages.value)
    .map(({ id, data }) => ({ ...recordOf(String(id), String(data)), parts: parts.get(String(id)) ?? [] }))
}

function storeRepairOf(
  session: string,
  examined: readonly StoredMessage[],
  changes: readonly PartChange[],
  database: Database,
  path: string,
): StoreRepair {
  return {
    files: database.files,
    isShared: true,
    apply: async assertUnused =>
      database.change(look => {
        if (JSON.stringify(messagesOf(session, { look })) !== JSON.stringify(examined))
          throw fileError(path, 'it changed during the repair, so it was left as it is', 'try again')
        for (const change of changes) perform(change, session, look)
      }, assertUnused),
  }
}

function perform(change: PartChange, session: string, database: DatabaseSync): void {
  const run = (statement: string, ...values: (string | number | null)[]): unknown =>
    database.prepare(statement).run(...values)
  if (change.kind === 'write') run('update part set data = ? where id = ?', change.text, change.part)
  else if (change.kind === 'remove') run('delete from part where id = ?', change.part)
  else if (change.kind === 'begin')
    run(
      'insert into part (id, message_id, session_id, time_created, time_updated, data) ' +
        'select ?, message_id, session_id, time_created, time_updated, ? from part where id = ?',
      change.part,
      '{"type":"step-start"}',
      change.next,
    )
  else {
    const { info, part } = openingMessage(change.next)
    const { message } = change
    run(
      'insert into message (id, session_id, time_created, time_updated, data) ' +
        'select ?, session_id, time_created, time_updated, ? from message where session_id = ? order by time_created, id limit 1',
      message,
      JSON.stringify(info),
      session,
    )
    run(
      'insert into part (id, message_id, session_id, time_created, time_updated, data) ' +
        'select ?, id, session_id, time_created, time_updated, ? from message where id = ?',
      change.part,
      JSON.stringify(part),
      message,
    )
  }
}
