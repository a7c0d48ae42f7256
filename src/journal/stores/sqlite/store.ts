import type { DatabaseSync } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import {
  assertNextSeq,
  DamagedEntryError,
  journalDamagedError,
  missingEntriesError,
  readUntilDamage,
} from '../../damage.ts'
import type { Entry } from '../../entry.ts'
import { randomUid } from '../../uid.ts'
import type { Store, ThreadRow, Write, WriteResult } from '../store.ts'
import { checkLease } from '../times.ts'
import { applyWrite, correctTimes, prepareSqliteWrite, readPosition, readThreadRow } from './apply-write.ts'
import { checkWalToo, connectWatchedSqlite, type SqliteConnectOptions, type WatchedDatabase } from './connect.ts'
import { sqliteFailure } from './failure.ts'
import { fileIdentityCheck } from './file-identity.ts'
import { Batch } from './group-commit.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { toEntry, toThreadRow } from './rows.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { sqliteWarning } from './wal-reset.ts'

export interface SqliteOptions extends Partial<SqliteConnectOptions> {
  readonly uid?: () => string
  readonly warn?: (message: string) => void
  /** Hears of every commit, with the number of changes in it. It must not throw. */
  readonly onCommit?: (changes: number) => void
}

/** Opens the journal in a file, which is made if it is not there yet. */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  const { durability = 'full', readOnly = false, busyMs = busyMsDefault, now = Date.now } = options
  const { database, ...watched } = await connectWatchedSqlite(file, { durability, readOnly, busyMs, now })
  const warning = sqliteWarning(String(database.prepare('SELECT sqlite_version() AS version').get()?.version))
  if (warning) (options.warn ?? emitWarning)(warning)
  try {
    return new SqliteStore(database, options, watched)
  } catch (error) {
    watched.close()
    throw sqliteFailure(error)
  }
}

/** A journal in a file of SQLite. Any number of processes on one machine may have it open. */
export class SqliteStore implements Store {
  readonly name = 'sqlite'
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #batch: Batch
  readonly #now: () => number
  readonly #uid: () => string
  readonly #busyMs: number
  readonly #readOnly: boolean
  readonly #disconnect: () => void
  /** How much was read since the last pause. */
  #readBytes = 0
  /** The clock when it was last asked what is due, and when times were last looked after, by the time of the process. */
  #dueAsked = { now: 0, mendedAt: Number.NEGATIVE_INFINITY }
  #closing: Promise<void> | undefined

  /** For a connection that `connect` made. */
  constructor(
    database: DatabaseSync,
    options: SqliteOptions = {},
    { check, close }: Omit<WatchedDatabase, 'database'> = {
      check: checkWalToo(database, fileIdentityCheck(database.location())),
      close: () => database.close(),
    },
  ) {
    this.#database = database
    this.#statements = prepareStatements(database)
    this.#now = options.now ?? Date.now
    this.#uid = options.uid ?? randomUid
    this.#busyMs = options.busyMs ?? busyMsDefault
    this.#readOnly = options.readOnly ?? false
    this.#disconnect = close
    const onCommit = options.onCommit ?? (() => {})
    this.#batch = new Batch(database, this.#statements, { busyMs: this.#busyMs, check, onCommit })
  }

  async open(name: string): Promise<ThreadRow> {
    const { addThread, threadByName } = this.#statements
    const known = await this.find(name)
    if (known) return known
    return this.#change(() => {
      const now = this.#now()
      addThread.run(name, this.#uid(), now, now)
      return toThreadRow(threadByName.get(name) ?? {})
    })
  }

  find(name: string): Promise<ThreadRow | undefined> {
    return this.#look(({ threadByName }) => {
      const found = threadByName.get(name)
      return found && toThreadRow(found)
    })
  }

  get(thread: number): Promise<ThreadRow> {
    return this.#look(statements => readThreadRow(statements, thread))
  }

  async write(write: Write): Promise<WriteResult> {
    const draft = prepareSqliteWrite(write)
    return await this.#change(() => applyWrite(this.#statements, draft, this.#now()), draft.bytes)
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    checkLease(leaseMs)
    return this.#change(() => {
      const now = this.#now()
      correctTimes(this.#statements, thread, now)
      return this.#statements.renewLease.run(now + leaseMs, now, thread, epoch).changes > 0
    })
  }

  async read(thread: number, after: number, limit = 1_000): Promise<Entry[]> {
    const entries = await this.#look(statements => this.#page(statements, thread, after, limit))
    if (this.#readBytes > readBytesMax) await this.#pause()
    return entries
  }

  async due(limit: number): Promise<ThreadRow[]> {
    await this.#mendAll()
    const now = this.#now()
    return this.#look(({ threadsDue }) => threadsDue.all(now, now, limit).map(toThreadRow))
  }

  list(after: number, limit: number): Promise<ThreadRow[]> {
    return this.#look(({ threadsBehind }) => threadsBehind.all(after, limit).map(toThreadRow))
  }

  async now(): Promise<number> {
    this.#checkOpen()
    return this.#now()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#batch.idle()
    try {
      if (!this.#readOnly) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Others are still at work: the last of them does it.
    }
    this.#disconnect()
  }

  #page(statements: Statements, thread: number, after: number, limit: number): Entry[] {
    try {
      const entries = this.#entries(statements, thread, after, limit)
      if (entries.length > 0 || limit < 1) return entries
      const { head } = readPosition(statements, { thread })
      if (head <= after) return entries
      // Somebody may have written just now.
      const written = this.#entries(statements, thread, after, limit)
      if (written.length > 0) return written
      throw missingEntriesError(after, head)
    } catch (error) {
      throw error instanceof DamagedEntryError
        ? journalDamagedError(readThreadRow(statements, thread).name, error)
        : error
    }
  }

  #entries(statements: Statements, thread: number, after: number, limit: number): Entry[] {
    let last = after
    let bytes = 0
    const columns = statements.entriesBehind.iterate(thread, after, limit)
    const entries = readUntilDamage(within(columns), columns => {
      assertNextSeq(Number(columns.seq), last)
      const entry = toEntry(columns)
      last = entry.seq
      return entry
    })
    this.#readBytes += bytes
    return entries

    function* within(all: typeof columns): typeof columns {
      for (const columns of all) {
        yield columns
        bytes += String(columns.data).length
        if (bytes > readBytesMax) return
      }
    }
  }

  /** What has been read is there at once, so that whoever reads page by page would never let others have a turn. */
  async #pause(): Promise<void> {
    this.#readBytes = 0
    await new Promise(resolve => setImmediate(resolve))
  }

  /**
   * Threads whose last change is still to come would not be due for as long as the clock was ahead. They are looked for when
   * the clock is seen to be set back, and now and then, since that may have been while nobody looked.
   */
  async #mendAll(): Promise<void> {
    const now = this.#now()
    const since = performance.now()
    const isSetBack = now < this.#dueAsked.now
    if (this.#readOnly || (!isSetBack && since - this.#dueAsked.mendedAt < mendPauseMs)) {
      this.#dueAsked.now = now
      return
    }
    this.#dueAsked = { now, mendedAt: since }
    const ahead = await this.#look(({ threadsAhead }) => threadsAhead.all(now).map(toThreadRow))
    if (ahead.length > 0)
      await this.#change(() => {
        for (const { thread } of ahead) correctTimes(this.#statements, thread, this.#now())
      })
  }

  /** Reads what is committed. Transactions have no pause inside, so a read never stands within one. */
  #look<T>(read: (statements: Statements) => T): Promise<T> {
    return retryWhileBusy(() => {
      this.#checkOpen()
      return read(this.#statements)
    }, this.#busyMs)
  }

  #change<T>(change: () => T, bytes = 0): Promise<T> {
    this.#checkOpen()
    if (this.#readOnly)
      throw new AntiphonError('journal-read-only', 'The journal was opened for reading alone', {
        hint: 'Open it without readOnly.',
      })
    return this.#batch.add(change, bytes)
  }

  #checkOpen(): void {
    if (this.#closing) throw new AntiphonError('journal-closed', 'The journal is closed', { hint: 'Open it again.' })
  }
}

const busyMsDefault = 5_000

const mendPauseMs = 5_000

/** So much is read at once, by one page or by several, before the event loop has a turn. */
const readBytesMax = 8 * 1024 * 1024

const emitWarning = (message: string): void => process.emitWarning(message, { code: 'ANTIPHON_SQLITE' })
