import { join, resolve } from 'node:path'
import { fileError } from '../../files/file-error.ts'
import { examineTimedRows } from '../../rows/examine-timed-rows.ts'
import { schemaText } from '../../schema-text.ts'
import { openDatabase } from '../../sqlite.ts'
import type { StoredConversation, StoreUser, System } from '../../system.ts'
import { gooseRows } from './rows.ts'

/** The sessions of Goose, all in one database. */
export const goose: System = {
  id: 'goose',
  title: 'Goose',
  places,
  recognises: peek => messagesTable.test(schemaText(peek)),
  program: { processes: [{ names: ['goose', 'goosed'], holds: () => true }] },
  async open(path) {
    const database = openDatabase(path, ['sessions', 'messages', 'schema_version'])
    try {
      const [known] = database.look.prepare('select max(version) as version from schema_version').all()
      if (Number(known?.version) > versionMax)
        throw fileError(
          path,
          `it is of a newer version of Goose (schema ${known?.version}, known are up to ${versionMax})`,
          'a newer version of antiphon may know it',
        )
    } catch (error) {
      database.close()
      throw error
    }
    const conversation = (id: string, name: unknown): StoredConversation => ({
      id,
      ...(typeof name === 'string' && name !== '' && { title: name }),
      examine: async () => examineTimedRows(database, id, gooseRows(id), `${path}, session ${id}`),
    })
    return {
      *conversations() {
        const sessions = database.look.prepare('select id, description as name from sessions order by created_at, id')
        for (const { id, name } of sessions.all()) yield conversation(String(id), name)
      },
      close: () => database.close(),
    }
  },
}

/** Schema 17 has the same table of messages as the first one. */
const versionMax = 17

const messagesTable = /CREATE TABLE[^;]{0,40}\bmessages\b[^;]{0,300}\bcontent_json\b[^;]{0,100}\bcreated_timestamp\b/i

function places({ home, folder, environment, platform }: StoreUser): string[] {
  const { GOOSE_PATH_ROOT: own, XDG_DATA_HOME: data, APPDATA: roaming } = environment
  const root = own
    ? join(resolve(folder, own), 'data')
    : platform === 'win32'
      ? join(roaming || join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'data')
      : join(data || join(home, '.local', 'share'), 'goose')
  return [join(root, 'sessions', 'sessions.db')]
}
