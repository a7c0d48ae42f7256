import type { DatabaseSync } from 'node:sqlite'
import { assertAmounts } from '../../../core/assert-options.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { printable } from '../../../core/printable.ts'
import { agentCallsIn } from '../../agents/agent-calls.ts'
import type { CallPlace, Entry } from '../../entry.ts'
import { assertNotErased } from '../../erasure/tombstone.ts'
import type { StoredMetadata } from '../../metadata/stored-metadata.ts'
import { columnParts } from '../entry-column.ts'
import type { EraseOptions, Erasure, Store, ThreadOrder, ThreadRow, Write, WriteResult } from '../store.ts'
import { checkLease } from '../times.ts'
import { randomUid } from '../uid.ts'
import { applyWrite, correctTimes, prepareSqliteWrite } from './apply-write.ts'
import { checkWalToo, connectWatchedSqlite, type SqliteConnectOptions, type WatchedDatabase } from './connect.ts'
import { eraseStep } from './erase-step.ts'
import { sqliteFailure } from './failure.ts'
import { fileIdentityCheck } from './file-identity.ts'
import { GroupCommit } from './group-commit.ts'
import type { SqliteGuard } from './guard.ts'
import { readBytesMax, readPage } from './read-page.ts'
import { readThreadRow, threadNamed } from './read-thread.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { toThreadRow } from './rows.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { createThread, describeThread, renewLease } from './thread-changes.ts'
import { truncateWal } from './truncate-wal.ts'
import { sqliteWarning } from './wal-reset.ts'

export interface SqliteOptions extends Partial<SqliteConnectOptions> {
  readonly uid?: () => string
  readonly warn?: (message: string) => void
  /** Called after every commit with the number of changes in it. It must not throw. */
  readonly onCommit?: (changes: number) => void
}

/** Opens the journal in a file, which is created if it does not exist. */
export async function openSqlite(file: string, options: SqliteOptions = {}, guard?: SqliteGuard): Promise<SqliteStore> {
  const { durability = 'full', readOnly = false, busyMs = busyMsDefault, now = Date.now } = options
  assertAmounts({ busyMs })
  const { database, ...watched } = await connectWatchedSqlite(file, { durability, readOnly, busyMs, now }, guard)
  const warning = sqliteWarning(String(database.prepare('SELECT sqlite_version() AS version').get()?.version))
  if (warning) (options.warn ?? emitWarning)(warning)
  try {
    return new SqliteStore(database, options, watched)
  } catch (error) {
    watched.close()
    throw sqliteFailure(error)
  }
}

/** A journal in an SQLite file. Any number of processes on one machine may open it. */
export class SqliteStore implements Store {
  readonly name = 'sqlite'
  readonly takesBytes = true
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #commits: GroupCommit
  readonly #now: () => number
  readonly #uid: () => string
  readonly #busyMs: number
  readonly #readOnly: boolean
  readonly #disconnect: () => void
  /** Bytes read since the last pause. */
  #readBytes = 0
  /** The clock at the last `due`, and when times were last corrected, by the monotonic clock. */
  #dueAsked = { now: 0, correctedAt: Number.NEGATIVE_INFINITY }
  #closing: Promise<void> | undefined

  /** For a connection made by `connectSqlite`. */
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
    this.#commits = new GroupCommit(database, this.#statements, { busyMs: this.#busyMs, check, onCommit })
  }

  async open(name: string): Promise<ThreadRow> {
    const known = await this.find(name)
    if (known) return assertNotErased(known)
    return this.#change(() => createThread(this.#statements, name, this.#uid, this.#now()))
  }

  find(name: string): Promise<ThreadRow | undefined> {
    return this.#read(statements => threadNamed(statements, name))
  }

  get(thread: number): Promise<ThreadRow> {
    return this.#read(statements => readThreadRow(statements, thread))
  }

  async write(write: Write): Promise<WriteResult> {
    const draft = prepareSqliteWrite(write)
    return await this.#change(() => applyWrite(this.#statements, draft, this.#now()), draft.bytes)
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    checkLease(leaseMs)
    return this.#change(() => renewLease(this.#statements, thread, epoch, leaseMs, this.#now()))
  }

  async read(thread: number, after: number, limit = 1_000): Promise<Entry[]> {
    const { entries, bytes } = await this.#read(statements => readPage(statements, thread, after, limit))
    this.#readBytes += bytes
    if (this.#readBytes > readBytesMax) await this.#pause()
    return entries
  }

  async due(limit: number): Promise<ThreadRow[]> {
    await this.#correctAllTimes()
    const now = this.#now()
    return this.#read(({ threadsDue }) => threadsDue.all(now, now, limit).map(toThreadRow))
  }

  list(after: number, limit: number, order: ThreadOrder = 'oldest'): Promise<ThreadRow[]> {
    return this.#read(({ threadsAfter, threadsBefore }) =>
      (order === 'oldest' ? threadsAfter : threadsBefore).all(after, limit).map(toThreadRow),
    )
  }

  agentCalls(thread: number): Promise<CallPlace[]> {
    return this.#read(({ agentCalls }) =>
      agentCallsIn(agentCalls.all(thread).map(({ data }) => columnParts(data).json)),
    )
  }

  describe(thread: number, metadata: StoredMetadata): Promise<boolean> {
    return this.#change(() => describeThread(this.#statements, thread, metadata, this.#now()))
  }

  async erase(thread: number, options: EraseOptions = {}): Promise<Erasure> {
    const erasure = await this.#change(() => {
      const erasure = eraseStep(this.#statements, thread, options, this.#now())
      // Only `all` runs a pragma to its end.
      this.#statements.freePages.all()
      return erasure
    })
    if (erasure === 'erased') await truncateWal(this.#database, this.#busyMs)
    return erasure
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
    await this.#commits.idle()
    try {
      if (!this.#readOnly) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Other processes still use the file. The last one to close it does this.
    }
    this.#disconnect()
  }

  /** Reads are synchronous, so that reading page by page would otherwise block the event loop. */
  async #pause(): Promise<void> {
    this.#readBytes = 0
    await new Promise(resolve => setImmediate(resolve))
  }

  /**
   * Threads whose last change is in the future would not be due for as long as the clock was ahead. They are corrected when the
   * clock is seen to be set back, and from time to time, since that may have happened unseen.
   */
  async #correctAllTimes(): Promise<void> {
    const now = this.#now()
    const since = performance.now()
    const isSetBack = now < this.#dueAsked.now
    if (this.#readOnly || (!isSetBack && since - this.#dueAsked.correctedAt < correctPauseMs)) {
      this.#dueAsked.now = now
      return
    }
    this.#dueAsked = { now, correctedAt: since }
    const ahead = await this.#read(({ threadsAhead }) => threadsAhead.all(now).map(toThreadRow))
    if (ahead.length > 0)
      await this.#change(() => {
        for (const { thread } of ahead) correctTimes(this.#statements, thread, this.#now())
      })
  }

  /** Reads committed data. Transactions are synchronous, so a read is never inside one. */
  #read<T>(read: (statements: Statements) => T): Promise<T> {
    return retryWhileBusy(() => {
      this.#checkOpen()
      return read(this.#statements)
    }, this.#busyMs)
  }

  #change<T>(change: () => T, bytes = 0): Promise<T> {
    this.#checkOpen()
    if (this.#readOnly)
      throw new AntiphonError('journal-read-only', 'the journal was opened read-only', {
        hint: 'open it without readOnly',
      })
    return this.#commits.add(change, bytes)
  }

  #checkOpen(): void {
    if (this.#closing) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
  }
}

const busyMsDefault = 5_000

const correctPauseMs = 5_000

const emitWarning = (message: string): void => process.emitWarning(printable(message), { code: 'ANTIPHON_SQLITE' })
