import { join } from 'node:path'
import { schemaText } from '../../schema-text.ts'
import { openDatabase } from '../../sqlite.ts'
import type { StoredConversation, StoreUser, System } from '../../system.ts'
import { examineThread } from './examine-thread.ts'

/** The threads of Zed's agent, all in one database. */
export const zed: System = {
  id: 'zed',
  title: 'Zed',
  places: user => [join(dataFolder(user), 'threads', 'threads.db')],
  recognises: peek => threadsTable.test(schemaText(peek)),
  program: { processes: [{ names: ['zed', 'zed-editor', 'zeditor', 'Zed'], holds: () => true }] },
  async open(path) {
    const database = openDatabase(path, ['threads'])
    const conversation = (id: string, title: unknown): StoredConversation => ({
      id,
      ...(typeof title === 'string' && title !== '' && { title }),
      examine: async () => examineThread(database, id, `${path}, thread ${id}`),
    })
    return {
      *conversations() {
        const threads = database.look.prepare('select id, summary from threads order by rowid')
        for (const { id, summary } of threads.all()) yield conversation(String(id), summary)
      },
      close: () => database.close(),
    }
  },
}

const threadsTable =
  /CREATE TABLE[^;]{0,40}\bthreads\b[^;]{0,200}\bsummary\b[^;]{0,100}\bdata_type\b[^;]{0,60}\bdata\b/i

function dataFolder({ home, environment, platform }: StoreUser): string {
  const { FLATPAK_XDG_DATA_HOME: flatpak, XDG_DATA_HOME: data, LOCALAPPDATA: local } = environment
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Zed')
  if (platform === 'win32') return join(local || join(home, 'AppData', 'Local'), 'Zed')
  return join(flatpak || data || join(home, '.local', 'share'), 'zed')
}
