import { closeSync, readSync, realpathSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { AntiphonError } from '../core/errors.ts'
import { DatabaseSync } from '../journal/stores/node-modules.ts'
import { hashFile } from './backup/backup.ts'
import { BoundedDatabase, readLimitFor } from './files/bounded-sqlite.ts'
import { failureReason, fileError } from './files/file-error.ts'
import { fingerprint } from './files/fingerprint.ts'
import { companions, mustHaveRealCompanions } from './files/no-links.ts'
import { openRegularFile } from './files/regular-file.ts'
import { mustHaveSoundSchema } from './files/sqlite-schema-tree.ts'
import type { AssertUnused } from './files/swap-file.ts'
import {
  mustBeSound,
  mustBeTables,
  mustOpenInTime,
  mustRunNothing,
  type OwnSchema,
  restrictSqlite,
} from './files/untrusted-sqlite.ts'
import { lookCopyOf } from './look-copy.ts'

/** Another program's SQLite database: read without leaving a trace, and changed in one transaction. */
export interface Database {
  /**
   * For reading: the state when it was opened, or last changed here. Get it anew each time, and read only its own
   * tables.
   */
  readonly look: DatabaseSync
  /** The files that a backup must hold. */
  readonly files: readonly string[]
  /**
   * Changes it, all or nothing. Throws, with nothing changed, if it was written to since it was opened, or if `assertUnused`
   * throws, which is called before the commit.
   */
  change(work: (database: DatabaseSync) => void, assertUnused?: AssertUnused): void
  close(): void
}

/** The tables that are read and written, if they exist. */
export type Tables = readonly string[] | ((database: DatabaseSync) => readonly string[])

/**
 * Opens a database for reading. Throws a one-line error if it cannot be read, or if one of these is not an ordinary
 * table. A change runs no trigger but those of its program; those that match `aside` are dropped for its duration.
 */
export function openDatabase(path: string, tables: Tables, own?: OwnSchema, aside?: RegExp): Database {
  try {
    return open(realpathSync(path), tables, own, aside)
  } catch (error) {
    if (AntiphonError.is(error) && error.code === 'old-node') throw fileError(path, error.message, error.hint)
    if (AntiphonError.is(error)) throw error
    throw fileError(path, failureReason(error))
  }
}

function open(path: string, tables: Tables, own: OwnSchema | undefined, aside: RegExp | undefined): Database {
  let expected = stateOf(path)
  let isSound = false
  let view = lookAt(path, tables)
  return {
    get look() {
      return view.look
    },
    files: [path, ...companions.map(suffix => path + suffix)],
    change(work, assertUnused) {
      const { rolledBack } = view
      const settle = (database: DatabaseSync): string =>
        rolledBack === undefined ? expected : rollBack(database, path, rolledBack)
      change(path, settle, database => {
        const names = namesOf(tables, database)
        if (!isSound) {
          mustBeTables(database, path, names)
          mustBeSound(database, path)
        }
        isSound = true
        const statements = aside ? putAside(database, aside) : []
        mustRunNothing(database, path, names, own)
        work(database)
        for (const statement of statements) database.exec(statement)
        assertUnused?.()
      })
      expected = stateOf(path)
      // If it can no longer be read, the old view stays open until it is closed.
      const next = lookAt(path, tables)
      view.close()
      view = next
    },
    close: () => view.close(),
  }
}

/** Drops triggers, and returns the statements that create them. A trigger may use the clock, and code in a foreign file is not run. */
function putAside(database: DatabaseSync, triggers: RegExp): string[] {
  const found = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all()
  const aside = found.filter(({ sql }) => triggers.test(String(sql)))
  for (const { name } of aside) database.exec(`drop trigger "${String(name).replaceAll('"', '""')}"`)
  return aside.map(({ sql }) => String(sql))
}

/**
 * A database in write-ahead mode cannot be opened without writing next to it, so it is opened as immutable, or as a
 * copy if there are files next to it.
 */
function lookAt(path: string, tables: Tables): View {
  mustHaveRealCompanions(path)
  if (isFilled(`${path}-wal`) || isFilled(`${path}-journal`)) return lookAtCopy(path, tables)
  mustHaveSoundSchema(path)
  const look = isWriteAhead(path)
    ? bounded(new URL(`${pathToFileURL(path).href}?immutable=1`), path, { readOnly: true })
    : bounded(path, path, { readOnly: true })
  return viewOf(look, path, tables, () => {})
}

const bounded = (location: string | URL, path: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync =>
  new BoundedDatabase(location, options, path, readLimitFor(statSync(path).size))

interface View extends Pick<Database, 'look' | 'close'> {
  /**
   * The hash of the database after the rollback of a transaction that a process left unfinished, if there may be one.
   * Every process that opens the database does this rollback, so this is the expected state before a change.
   */
  readonly rolledBack?: string
}

const namesOf = (tables: Tables, database: DatabaseSync): readonly string[] =>
  typeof tables === 'function' ? tables(database) : tables

function viewOf(look: DatabaseSync, path: string, tables: Tables, remove: () => void): View {
  const close = (): void => {
    look.close()
    remove()
  }
  try {
    restrictSqlite(look)
    mustBeTables(look, path, namesOf(tables, look))
    look.exec('pragma query_only = on')
    return { look, close }
  } catch (error) {
    close()
    throw error
  }
}

function lookAtCopy(path: string, tables: Tables): View {
  const before = stateOf(path)
  const isJournaled = isFilled(`${path}-journal`)
  const copy = lookCopyOf(path)
  try {
    if (stateOf(path) !== before) throw busy(path)
    mustOpenInTime(copy.path, path, true)
    mustHaveSoundSchema(copy.path, path)
    const view = viewOf(bounded(copy.path, path), path, tables, copy.remove)
    return isJournaled ? { ...view, rolledBack: hashFile(copy.path) } : view
  } catch (error) {
    copy.remove()
    throw error
  }
}

const busy = (path: string): AntiphonError =>
  fileError(path, 'it is being written to, so it was left as it is', 'close its program and try again')

/**
 * Lets SQLite roll back an unfinished transaction, and checks the result. The returned value shows later that nothing
 * was written since. No lock is held yet, because closing a file releases all locks that the process has on it.
 */
function rollBack(database: DatabaseSync, path: string, hash: string): string {
  database.prepare('select count(*) from sqlite_schema').get()
  const state = stateOf(path)
  if (hashFile(path) !== hash) throw busy(path)
  return state
}

function change(
  path: string,
  settle: (database: DatabaseSync) => string,
  work: (database: DatabaseSync) => void,
): void {
  mustHaveRealCompanions(path)
  const database = new DatabaseSync(path, { timeout: 2_000 })
  try {
    restrictSqlite(database)
    const expected = settle(database)
    database.exec('pragma synchronous = full; pragma foreign_keys = on; begin immediate')
    try {
      if (stateOf(path) !== expected) throw busy(path)
      work(database)
      database.exec('commit')
    } catch (error) {
      // A full disk ends the transaction without a rollback here.
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  } catch (error) {
    if (AntiphonError.is(error)) throw error
    throw fileError(path, failureReason(error), 'nothing was changed')
  } finally {
    database.close()
  }
}

/** Identifies the state, to detect writes. An empty log counts as none. */
function stateOf(path: string): string {
  const files = [path, `${path}-wal`].filter(file => file === path || isFilled(file))
  return files.map(file => Object.values(fingerprint(file)).join(' ')).join('\n')
}

const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

function isWriteAhead(path: string): boolean {
  const handle = openRegularFile(path)
  try {
    const versions = Buffer.alloc(2)
    readSync(handle, versions, 0, 2, 18)
    return versions[0] === 2 || versions[1] === 2
  } finally {
    closeSync(handle)
  }
}
