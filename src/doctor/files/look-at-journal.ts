import { closeSync, existsSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { openStore } from '../../journal/stores/open-store.ts'
import { cannotCreateWal, unreadableWalError } from '../../journal/stores/sqlite/connect.ts'
import type { Store } from '../../journal/stores/store.ts'
import { unreadable } from './file-error.ts'
import { mustHaveRealCompanions, realPlace } from './no-links.ts'
import { openRegularFile } from './regular-file.ts'
import { isSqlite, mustHaveSoundSchema } from './sqlite-schema-tree.ts'
import { distrust, mustBeTables, mustOpenInTime, mustRunNothing } from './untrusted-sqlite.ts'

/** Opens a journal to look at it: a file of SQLite, or the address of a PostgreSQL database. Nothing is written. */
export async function lookAtJournal(place: string, { schema }: { readonly schema?: string } = {}): Promise<Store> {
  const isAddress = /^postgres(ql)?:/i.test(place)
  const file = place.replace(/^sqlite:(\/\/)?/, '')
  // What looks like an address is not repeated: there may be a password in it.
  if (!isAddress && /:\/\/|password=/i.test(file))
    throw unreadable('the journal', 'no journal is kept at such an address', 'an SQLite file, or postgres://...')
  if (!isAddress && !existsSync(file)) throw unreadable(file, 'there is no such file')
  if (!isAddress) mustBeSafe(file)
  const options = { readOnly: true, reconnectMs: 2_000, ...(schema === undefined ? {} : { schema }) }
  return openStore(isAddress ? place : `sqlite:${file}`, options)
}

/** Throws if a file that may be from somebody else has a schema that keeps whoever reads it busy, or links next to it. */
function mustBeSafe(file: string): void {
  withUntrusted(file, (database, isLarge) => mustBeTables(database, file, tables, !isLarge))
}

/** Throws if a write to a journal would run something that is not of the journal. */
export function mustBeSafeToWrite(file: string): void {
  withUntrusted(file, database => mustRunNothing(database, file, tables))
}

function withUntrusted(file: string, look: (database: DatabaseSync, isLarge: boolean) => void): void {
  const path = realPlace(file)
  if (statSync(path).isDirectory()) return
  mustHaveRealCompanions(path)
  if (!isSqlite(headOf(path))) return
  const isLogged = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (isLogged) mustOpenInTime(path, file, false)
  else mustHaveSoundSchema(path, file)
  // Without a log next to it, nothing is written next to it either.
  const place = isLogged ? path : new URL(`${pathToFileURL(path).href}?immutable=1`)
  const database = new DatabaseSync(place, { readOnly: true, timeout: 2_000 })
  try {
    distrust(database)
    look(database, statSync(path).size > checkedBytesMax)
  } catch (error) {
    throw isLogged && cannotCreateWal(error) ? unreadableWalError(path) : error
  } finally {
    database.close()
  }
}

const tables = ['thread', 'entry', 'input', 'open_call', 'migration'].map(name => `antiphon_${name}`)

/** The pages of a larger journal are not looked through each time that it is opened. */
const checkedBytesMax = 256 * 1024 * 1024

function headOf(path: string): Buffer {
  const handle = openRegularFile(path)
  try {
    const head = Buffer.alloc(16)
    readSync(handle, head)
    return head
  } finally {
    closeSync(handle)
  }
}
