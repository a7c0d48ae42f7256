import { join } from 'node:path'
import { fileError } from '../../files/file-error.ts'
import { schemaText } from '../../schema-text.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { ConversationStore, StoreOpenOptions, StoreUser, System } from '../../system.ts'
import { examineSession } from './examine-session.ts'
import { usersOf } from './users.ts'

/** Sessions of hermes-agent: rows of its SQLite database. */
export const hermes: System = {
  id: 'hermes',
  title: 'Hermes Agent',
  places,
  recognises(peek) {
    const schema = schemaText(peek)
    return tables.every(name => schema.includes(name))
  },
  program: {
    processes: [{ names: ['hermes', 'hermes-agent', 'hermes_cli'], holds: () => true }],
    // They are kept open while it repairs the database or builds its index.
    keepsOpen: place => ['.repair.lock', '.fts_rebuild.lock'].map(suffix => place + suffix),
  },
  async open(path, options) {
    const database = openDatabase(path, read, { isOwn: name => name.startsWith('messages_') })
    try {
      mustBeKnown(database, path)
      return storeOf(path, database, options)
    } catch (error) {
      database.close()
      throw error
    }
  },
}

const read = ['sessions', 'messages', 'state_meta', 'schema_version'].concat(
  'session_turn_leases',
  'compression_locks',
  'gateway_heartbeats',
)

/** The names that no other program has in its schema together. */
const tables = [
  'state_meta',
  'tool_call_count',
  'parent_session_id',
  'compacted',
  'tool_call_id',
  'platform_message_id',
]

function places({ home, environment }: StoreUser): string[] {
  const root = environment.HERMES_HOME || join(home, '.hermes')
  return [join(root, 'state.db'), join(root, 'profiles')]
}

function mustBeKnown({ look }: Database, path: string): void {
  const [row] = look.prepare('select max(version) as version from schema_version').all()
  const version = Number(row?.version ?? 0)
  if (version > versionMax)
    throw fileError(
      path,
      `its schema version ${version} is newer than the last known one (${versionMax})`,
      'update antiphon',
    )
}

const versionMax = 30

function storeOf(path: string, database: Database, { now }: StoreOpenOptions): ConversationStore {
  return {
    *conversations() {
      const sessions = database.look
        .prepare('select cast(id as text) as id, title, end_reason from sessions order by started_at, id')
        .all()
      for (const { id, title, end_reason } of sessions) {
        const session = String(id)
        yield {
          id: session,
          ...(typeof title === 'string' && title !== '' && { title }),
          examine: async () => {
            const users = () => usersOf(database.look, session, now)
            return examineSession(database, { id: session, isClosed: end_reason === 'compression', path, users })
          },
        }
      }
    },
    close: () => database.close(),
  }
}
