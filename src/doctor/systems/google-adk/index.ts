import { join } from 'node:path'
import { fileError } from '../../files/file-error.ts'
import { schemaText } from '../../schema-text.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { System } from '../../system.ts'
import { runtimes, worksNear } from '../../works-near.ts'
import { examineSession } from './examine-session.ts'

/** Sessions of the Agent Development Kit for Python in SQLite: `SqliteSessionService` and `DatabaseSessionService`. */
export const googleAdk: System = {
  id: 'google-adk',
  title: 'Google ADK',
  places: ({ folder }) => [join(folder, '.adk', 'session.db')],
  recognises(peek) {
    const schema = schemaText(peek)
    return ['app_states', 'user_states', 'invocation_id', 'app_name'].every(name => schema.includes(name))
  },
  // A user's own program, which may close its database between two events.
  program: { processes: [{ names: runtimes, isRuntime: true, isOfOpenCalls: true, worksIn: worksNear }] },
  async open(path) {
    const database = openDatabase(path, ['sessions', 'events', 'adk_internal_metadata'])
    try {
      mustBeKnown(database, path)
    } catch (error) {
      database.close()
      throw error
    }
    return {
      *conversations() {
        const sessions = database.look.prepare(
          'select cast(app_name as text) as app, cast(user_id as text) as user, cast(id as text) as id from sessions order by app_name, user_id, id',
        )
        for (const { app, user, id } of sessions.all()) {
          const key = [String(app), String(user), String(id)] as const
          const examine = async () => examineSession(database, key, `${path}, session ${id}`)
          yield { id: String(id), title: `${app}, ${user}`, examine }
        }
      },
      close: () => database.close(),
    }
  },
}

function mustBeKnown({ look }: Database, path: string): void {
  const columns = look.prepare('pragma table_info(events)').all()
  if (!columns.some(({ name }) => name === 'event_data'))
    throw fileError(path, 'its tables are those of ADK before version 1 of its schema, which are not read')
  const metadata = look
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'adk_internal_metadata'")
    .get()
  const versions = metadata
    ? look.prepare("select value from adk_internal_metadata where key = 'schema_version'").all()
    : []
  const newer = versions.find(({ value }) => Number(value) > 1)
  if (newer)
    throw fileError(path, `its schema version ${newer.value} is newer than the last known one (1)`, 'update antiphon')
}
