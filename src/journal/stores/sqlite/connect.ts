import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AntiphonError } from '../../../core/errors.ts'
import { readOnlyCloser } from './close-read-only.ts'
import { sqliteFailure } from './failure.ts'
import { fileIdentityCheck } from './file-identity.ts'
import { type SqliteGuard, trusting } from './guard.ts'
import { resultCode } from './result-code.ts'
import { lockMs, retryWhileBusy } from './retry-while-busy.ts'
import { checkSqliteVersion, checkVersion, migrateSqlite } from './schema.ts'

export interface SqliteConnectOptions {
  /** `full`: acknowledged writes survive a power loss. `process`: they survive a crash of the process. */
  readonly durability: 'full' | 'process'
  /** Writes nothing, and changes no setting of the file. */
  readonly readOnly: boolean
  readonly busyMs: number
  readonly now: () => number
}

/** A connection to the journal in the file, with its tables up to date. */
export async function connectSqlite(file: string, options: SqliteConnectOptions): Promise<DatabaseSync> {
  return (await connectWatchedSqlite(file, options)).database
}

export interface WatchedDatabase {
  readonly database: DatabaseSync
  /** Throws once the opened file is no longer the one at its path. */
  readonly check: () => void
  readonly close: () => void
}

/** The same, and watches the file from the moment it is opened, because preparing it may take a while. */
export async function connectWatchedSqlite(
  file: string,
  options: SqliteConnectOptions,
  guard: SqliteGuard = trusting,
): Promise<WatchedDatabase> {
  checkFile(file)
  const watched = await retryWhileBusy(() => openFile(file, options.readOnly, guard), options.busyMs)
  const { database, close } = watched
  try {
    const prepare = () => {
      guard.check(database)
      if (options.readOnly) checkSqliteVersion(database, file)
      else prepareToWrite(database, options)
    }
    await retryWhileBusy(prepare, options.busyMs)
    return options.readOnly ? watched : { ...watched, check: checkWalToo(database, watched.check) }
  } catch (error) {
    const path = database.location()
    close()
    if (options.readOnly && path !== null && cannotCreateWal(error)) return openImmutable(path, guard)
    throw error
  }
}

/** To read, SQLite creates the WAL and its index next to the file. The error is READONLY or CANTOPEN if it may not. */
export const cannotCreateWal = (error: unknown): boolean =>
  [8, 14].includes((resultCode(AntiphonError.is(error) ? error.cause : error) ?? 0) & 0xff)

export const unreadableWalError = (path: string): AntiphonError =>
  new AntiphonError(
    'journal-unreachable',
    'the last writes of the journal are in a WAL file that cannot be read without write access',
    {
      hint: `copy it together with ${basename(path)}-wal to a writable folder`,
    },
  )

/**
 * On a read-only file system or in a folder without write access, the journal is opened as immutable. SQLite would ignore the
 * WAL then, so a file with a WAL is refused.
 */
function openImmutable(path: string, guard: SqliteGuard): WatchedDatabase {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw unreadableWalError(path)
  const database = guard.open(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true })
  const close = (): void => database.close()
  try {
    guard.check(database)
    checkSqliteVersion(database, path)
  } catch (error) {
    close()
    throw sqliteFailure(error)
  }
  return { database, check: () => {}, close }
}

/** SQLite itself only says "unable to open database file". */
function checkFile(file: string): void {
  if (file.includes('\0'))
    throw new AntiphonError('journal-unreachable', 'the file name contains U+0000', {
      hint: 'use a file name such as chat.db',
    })
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  throw new AntiphonError('journal-unreachable', `${file} is a folder`, { hint: 'use a file name such as chat.db' })
}

function openFile(file: string, readOnly: boolean, { open }: SqliteGuard): WatchedDatabase {
  const path = resolve(file)
  const database = open(file, { readOnly, timeout: lockMs })
  const found = database.location()
  const close = readOnly ? readOnlyCloser(database, open) : () => database.close()
  // SQLite parses names that start with file: as URIs, so only it knows the path.
  return { database, check: fileIdentityCheck(found === null || file.startsWith('file:') ? found : path), close }
}

/**
 * The WAL and its index hold writes that are not in the file yet. If they are removed under an open connection, those writes
 * are lost when the process ends, so they are watched like the file. While the connection is open it still has the removed
 * WAL, and copies it into the file, unless there is another WAL by now.
 */
export function checkWalToo(database: DatabaseSync, check: () => void): () => void {
  const file = database.location()
  const logs = file === null ? [] : [`${file}-wal`, `${file}-shm`].filter(path => existsSync(path))
  const checks = logs.map(fileIdentityCheck)
  return () => {
    check()
    try {
      for (const checkLog of checks) checkLog()
    } catch (error) {
      if (!existsSync(`${file}-wal`)) checkpointWal(database)
      throw error
    }
  }
}

function checkpointWal(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // The original error is thrown.
  }
}

/** Idempotent: it is started again if the lock was not free. */
function prepareToWrite(database: DatabaseSync, { durability, now }: SqliteConnectOptions): void {
  checkVersion(database)
  // Deleted content is overwritten with zeros, and free pages can be given back. A file that has tables keeps its auto_vacuum.
  database.exec('PRAGMA secure_delete = ON; PRAGMA auto_vacuum = INCREMENTAL')
  const mode = pragma(database, 'journal_mode = WAL', 'journal_mode')
  if (mode !== 'wal') throw notDurable(`its journal mode is ${mode}, not wal`)
  const level = durability === 'full' ? 2 : 1
  // On macOS only this flushes the disk's own cache. It has no effect elsewhere.
  if (durability === 'full') database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
  // After a very large write the WAL shrinks again.
  database.exec(`PRAGMA journal_size_limit = ${8 * 1024 * 1024}; PRAGMA synchronous = ${level}`)
  const taken = pragma(database, 'synchronous', 'synchronous')
  if (taken !== level) throw notDurable(`its synchronous level is ${taken}, not ${level}`)
  migrateSqlite(database, now())
}

const pragma = (database: DatabaseSync, text: string, column: string): unknown =>
  database.prepare(`PRAGMA ${text}`).get()?.[column]

const notDurable = (why: string): AntiphonError =>
  new AntiphonError('journal-not-durable', `the file is not durable: ${why}`, {
    hint: 'use a file on a local disk, or memory: for a journal that need not survive',
  })
