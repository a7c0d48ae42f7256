import { join } from 'node:path'
import { openSqlite } from '../../src/journal/stores/sqlite/store.ts'
import { Site } from './harness.ts'

/** Journals in files. */
export const newSqliteSite = (): Site =>
  new Site(folder => {
    const file = join(folder, 'chat.db')
    return { where: { file }, open: () => openSqlite(file) }
  })
