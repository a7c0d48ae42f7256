import { dirname, join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { fileError } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { examineTimedRows } from '../../rows/examine-timed-rows.ts'
import { schemaText } from '../../schema-text.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { Examination, RecordedOwner, StoreUser, System } from '../../system.ts'
import { crushRows } from './rows.ts'

/** The sessions of Crush, in a database for each project. */
export const crush: System = {
  id: 'crush',
  title: 'Crush',
  places,
  recognises(peek) {
    const schema = schemaText(peek)
    return messagesTable.test(schema) && /\bgoose_db_version\b/.test(schema)
  },
  program: { processes: [{ names: ['crush'], holds: () => true }], owners },
  async open(path) {
    const database = openDatabase(path, ['sessions', 'messages', 'goose_db_version'], undefined, triggers)
    try {
      mustBeKnown(database.look, path)
    } catch (error) {
      database.close()
      throw error
    }
    return {
      *conversations() {
        const sessions = database.look.prepare('select id, title from sessions order by created_at, id')
        for (const { id, title } of sessions.all()) {
          const examine = async (): Promise<Examination> => examineSession(database, String(id), path)
          yield { id: String(id), ...(title !== '' && { title: String(title) }), examine }
        }
      },
      close: () => database.close(),
    }
  },
}

function examineSession(database: Database, session: string, path: string): Examination {
  const rows = crushRows(session, sentIn(database.look, session))
  return examineTimedRows(database, session, rows, `${path}, session ${session}`)
}

/** Which messages are sent: the summary of a session and those after it, or all. */
function sentIn(database: DatabaseSync, session: string): (id: string) => boolean {
  const ordered = 'from messages where session_id = ? order by created_at, rowid'
  const [known] = database.prepare('select summary_message_id as id from sessions where id = ?').all(session)
  const ids = known?.id ? database.prepare(`select id ${ordered}`).all(session) : []
  const at = ids.findIndex(({ id }) => id === known?.id)
  const before = new Set(ids.slice(0, Math.max(at, 0)).map(({ id }) => id))
  return id => !before.has(id)
}

function mustBeKnown(database: DatabaseSync, path: string): void {
  const [known] = database.prepare('select max(version_id) as version from goose_db_version').all()
  if (Number(known?.version) > versionMax)
    throw fileError(
      path,
      `it is of a newer version of Crush (migration ${known?.version})`,
      'a newer version of antiphon may know it',
    )
}

/** The end of the month of the last migration that was read. */
const versionMax = 20_260_930_999_999

/** The triggers of Crush set a time, or count the messages of a session. */
const triggers =
  /^CREATE TRIGGER\s{1,9}\w{1,80}\s{1,9}AFTER (?:UPDATE|INSERT|DELETE) ON \w{1,80}\s{1,9}BEGIN\s{1,9}UPDATE \w{1,80} SET\s{1,9}(?:updated_at = strftime\('%s', 'now'\)|message_count = message_count [+-] 1)\s{1,9}WHERE id = (?:new|old)\.(?:session_)?id;\s{1,9}END$/i

const messagesTable = /CREATE TABLE[^;]{0,40}\bmessages\b[^;]{0,120}\bsession_id\b[^;]{0,120}\bparts\b/i

/** The database of this project, and those of the projects that Crush has noted. */
function places({ home, folder, environment }: StoreUser): string[] {
  const { CRUSH_GLOBAL_DATA: own, XDG_DATA_HOME: data } = environment
  const root = own ? resolve(folder, own) : join(data || join(home, '.local', 'share'), 'crush')
  const noted = valueIn(join(root, 'projects.json'))
  const projects = isRecord(noted) && Array.isArray(noted.projects) ? noted.projects : []
  const folders = projects.flatMap((project: unknown) =>
    isRecord(project) && typeof project.path === 'string'
      ? [resolve(project.path, typeof project.data_dir === 'string' ? project.data_dir : '.crush')]
      : [],
  )
  return [...new Set([join(folder, '.crush'), ...folders])].map(one => join(one, 'crush.db'))
}

/** The process that has locked the folder. The file stays when it ends. */
function owners(path: string): RecordedOwner[] {
  const lock = valueIn(join(dirname(resolve(path)), 'crush.lock'))
  const pid = Number(isRecord(lock) ? lock.pid : undefined)
  return pid > 0 ? [{ pid, isThis: true }] : []
}

function valueIn(path: string): unknown {
  try {
    return tryParseJson(readRegularFile(path).toString())
  } catch {
    return undefined
  }
}
