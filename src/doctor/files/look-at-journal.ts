import { closeSync, existsSync, readSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from '../../journal/stores/node-modules.ts'
import { openStore } from '../../journal/stores/open-store.ts'
import { checkTables, journalTables } from '../../journal/stores/sqlite/check-tables.ts'
import { cannotCreateWal, unreadableWalError } from '../../journal/stores/sqlite/connect.ts'
import type { SqliteGuard } from '../../journal/stores/sqlite/guard.ts'
import { openSqlite } from '../../journal/stores/sqlite/store.ts'
import type { Store } from '../../journal/stores/store.ts'
import { BoundedDatabase, type ReadLimit, readLimitFor } from './bounded-sqlite.ts'
import { fileError } from './file-error.ts'
import { mustHaveRealCompanions, realPlace } from './no-links.ts'
import { openRegularFile } from './regular-file.ts'
import { isSqlite, mustHaveSoundSchema } from './sqlite-schema-tree.ts'
import { mustBeTables, mustOpenInTime, mustRunNothing, restrictSqlite } from './untrusted-sqlite.ts'

export interface JournalLook {
  readonly schema?: string
  /** How long an SQLite file may be read. */
  readonly limit?: ReadLimit
}

/** Opens a journal for reading: an SQLite file, or the address of a PostgreSQL database. Nothing is written. */
export async function lookAtJournal(place: string, { schema, limit }: JournalLook = {}): Promise<Store> {
  const options = { readOnly: true, reconnectMs: 2_000, ...(schema === undefined ? {} : { schema }) }
  if (/^postgres(ql)?:/i.test(place)) return openStore(place, options)
  const file = place.replace(/^sqlite:(\/\/)?/, '')
  // Text that looks like an address is not repeated: it may contain a password.
  if (/:\/\/|password=/i.test(file))
    throw fileError('the journal', 'unsupported kind of URL', 'use an SQLite file or postgres://...')
  if (!existsSync(file)) throw fileError(file, 'there is no such file')
  withUntrusted(file, database => mustBeJournal(database, file))
  return openSqlite(file, options, guardOf(file, limit))
}

/**
 * Opens an SQLite file that is already a journal, for writing. Throws if a write would run code that is not part of the
 * journal.
 */
export async function openUntrustedJournal(file: string): Promise<Store> {
  withUntrusted(file, database => mustBeJournal(database, file))
  const { open, check } = guardOf(file)
  return openSqlite(
    `${pathToFileURL(resolve(file)).href}?mode=rw`,
    {},
    {
      open,
      check(database) {
        check(database)
        mustRunNothing(database, file, journalTables)
      },
    },
  )
}

/** Guards the connections to further tables in the file of a journal, for reading or for writing. */
export function guardTables(file: string, names: readonly string[], access: 'read' | 'write'): SqliteGuard {
  withUntrusted(file, database => {
    mustBeJournal(database, file)
    mustBeTables(database, file, names)
  })
  const { open, check } = guardOf(file)
  return {
    open,
    check(database) {
      check(database)
      mustBeTables(database, file, names, false)
      if (access === 'write') mustRunNothing(database, file, [...journalTables, ...names])
    },
  }
}

/** Guards every connection to an untrusted file: reads are bounded, and the tables must be those of a journal. */
function guardOf(file: string, limit: ReadLimit = journalLimitFor(statSync(file).size)): SqliteGuard {
  return {
    open(location, options) {
      const database = new BoundedDatabase(location, options, file, limit)
      restrictSqlite(database)
      return database
    },
    check(database) {
      mustBeTables(database, file, journalTables, false)
      checkTables(database)
    },
  }
}

/** A journal may be watched for days, so a tenth of the time in which nothing is read is given back. */
const journalLimitFor = (bytes: number): ReadLimit => ({ ...readLimitFor(bytes), refill: 0.1 })

/**
 * Throws if the tables of a journal are not ordinary ones with sound pages. The entries of a large journal are not
 * checked each time: they are read in key order, and a repeated key ends the reading. Statistics could make SQLite read
 * all of them first.
 */
function mustBeJournal(database: DatabaseSync, file: string): void {
  const isLarge = statSync(file).size > checkedBytesMax && !hasStatistics(database)
  for (const name of journalTables) mustBeTables(database, file, [name], !isLarge || name !== 'antiphon_entry')
}

const hasStatistics = (database: DatabaseSync): boolean =>
  database.prepare("select 1 from sqlite_schema where lower(sql) like '%sqlite_stat%'").get() !== undefined

/** Opens an SQLite file for a first look. Without a log next to it, no trace is left. */
function withUntrusted(file: string, look: (database: DatabaseSync) => void): void {
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
    restrictSqlite(database)
    look(database)
  } catch (error) {
    throw isLogged && cannotCreateWal(error) ? unreadableWalError(path) : error
  } finally {
    database.close()
  }
}

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
