import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AntiphonError } from '../../../core/errors.ts'
import { closeReader } from './close-read-only.ts'
import { sqliteFailure } from './failure.ts'
import { fileIdentityCheck } from './file-identity.ts'
import { resultCode } from './result-code.ts'
import { lockMs, retryWhileBusy } from './retry-while-busy.ts'
import { checkSqliteVersion, checkVersion, migrateSqlite } from './schema.ts'

export interface SqliteConnectOptions {
  /** `full`: what was acknowledged survives a loss of power; `process`: the end of the process, however it comes. */
  readonly durability: 'full' | 'process'
  /** Only looks: writes nothing, changes no setting of the file. */
  readonly readOnly: boolean
  readonly busyMs: number
  readonly now: () => number
}

/** A connection to the journal in that file, with its tables up to date. */
export async function connectSqlite(file: string, options: SqliteConnectOptions): Promise<DatabaseSync> {
  return (await connectWatchedSqlite(file, options)).database
}

export interface WatchedDatabase {
  readonly database: DatabaseSync
  /** Throws once the file that was opened is not the one at its path any more. */
  readonly check: () => void
  readonly close: () => void
}

/** The same, and watches the file from when it is opened: to make it ready may take a while. */
export async function connectWatchedSqlite(file: string, options: SqliteConnectOptions): Promise<WatchedDatabase> {
  checkFile(file)
  const watched = await retryWhileBusy(() => openFile(file, options.readOnly), options.busyMs)
  const { database, close } = watched
  try {
    const prepare = () => (options.readOnly ? checkSqliteVersion(database, file) : prepareToWrite(database, options))
    await retryWhileBusy(prepare, options.busyMs)
    return options.readOnly ? watched : { ...watched, check: checkWalToo(database, watched.check) }
  } catch (error) {
    const path = database.location()
    close()
    if (options.readOnly && path !== null && cannotCreateWal(error)) return openImmutable(path)
    throw error
  }
}

/** To read, SQLite makes a log and its index beside the file, if they are not there: READONLY or CANTOPEN if it may not. */
export const cannotCreateWal = (error: unknown): boolean =>
  [8, 14].includes((resultCode(AntiphonError.is(error) ? error.cause : error) ?? 0) & 0xff)

export const unreadableWalError = (path: string): AntiphonError =>
  new AntiphonError('journal-unreachable', 'its last writes are in a log that cannot be read without writing', {
    hint: `Copy it together with ${basename(path)}-wal to a folder that you may write to.`,
  })

/**
 * On a read-only file system, or in a folder that one may not write to, a journal is read as a file that nobody changes. What
 * stands in a log would be left out then, so a file with one is refused.
 */
function openImmutable(path: string): WatchedDatabase {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw unreadableWalError(path)
  const database = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true })
  const close = (): void => database.close()
  try {
    checkSqliteVersion(database, path)
  } catch (error) {
    close()
    throw sqliteFailure(error)
  }
  return { database, check: () => {}, close }
}

/** SQLite itself only says that it is unable. */
function checkFile(file: string): void {
  if (file.includes('\0'))
    throw new AntiphonError('journal-unreachable', 'the name of the file has a character in it that no file has', {
      hint: 'Name a file, like chat.db.',
    })
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  throw new AntiphonError('journal-unreachable', `${file} is a folder`, { hint: 'Name a file, like chat.db.' })
}

function openFile(file: string, readOnly: boolean): WatchedDatabase {
  const path = resolve(file)
  const database = new DatabaseSync(file, { readOnly, timeout: lockMs })
  const found = database.location()
  const close = readOnly ? closeReader(database) : () => database.close()
  // SQLite reads what begins like that as an address, and it alone knows which path it has found in it.
  return { database, check: fileIdentityCheck(found === null || file.startsWith('file:') ? found : path), close }
}

/**
 * The log and its index beside the file hold what is not in the file yet. Whoever removes them under a connection takes
 * that away, and nobody notices before the process ends: so they are watched as the file is. As long as the connection
 * is open it still has the log that was removed, and puts what is in it into the file, unless there is another log by now.
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
    // The error that led here is thrown.
  }
}

/** May be done again from its beginning when the lock was not free. */
function prepareToWrite(database: DatabaseSync, { durability, now }: SqliteConnectOptions): void {
  checkVersion(database)
  const mode = pragma(database, 'journal_mode = WAL', 'journal_mode')
  if (mode !== 'wal') throw notDurable(`its journal mode is ${mode}, not wal`)
  const level = durability === 'full' ? 2 : 1
  // On a Mac only this makes the disk write what it has been given; elsewhere it does nothing.
  if (durability === 'full') database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
  // A very large write does not leave a log of its size behind.
  database.exec(`PRAGMA journal_size_limit = ${8 * 1024 * 1024}; PRAGMA synchronous = ${level}`)
  const taken = pragma(database, 'synchronous', 'synchronous')
  if (taken !== level) throw notDurable(`its level of synchronisation is ${taken}, not ${level}`)
  migrateSqlite(database, now())
}

const pragma = (database: DatabaseSync, text: string, column: string): unknown =>
  database.prepare(`PRAGMA ${text}`).get()?.[column]

const notDurable = (why: string): AntiphonError =>
  new AntiphonError('journal-not-durable', `The file does not keep what it is given: ${why}`, {
    hint: 'Use a file on a local disk, or memory: for a journal that need not last.',
  })
