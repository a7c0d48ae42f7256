import { AntiphonError } from '../../../core/errors.ts'
import { agentCallsIn } from '../../agents/agent-calls.ts'
import type { CallPlace, Entry } from '../../entry.ts'
import { assertNotErased } from '../../erasure/tombstone.ts'
import type { StoredMetadata } from '../../metadata/stored-metadata.ts'
import { applyWrite, correctTimes, prepareSqliteWrite } from '../sqlite/apply-write.ts'
import { eraseStep } from '../sqlite/erase-step.ts'
import { readPage } from '../sqlite/read-page.ts'
import { readThreadRow, threadNamed } from '../sqlite/read-thread.ts'
import { toThreadRow } from '../sqlite/rows.ts'
import { prepareStoreStatements, type StoreStatements } from '../sqlite/statements.ts'
import { createThread, describeThread, renewLease } from '../sqlite/thread-changes.ts'
import type { EraseOptions, Erasure, Store, ThreadOrder, ThreadRow, Write, WriteResult } from '../store.ts'
import { checkLease } from '../times.ts'
import { randomUid } from '../uid.ts'
import { migrateObject } from './migrate-object.ts'
import { objectDatabase } from './object-database.ts'
import type { ObjectStorage } from './object-storage.ts'
import { withSplitEntries } from './split-entries.ts'

export interface DurableObjectOptions {
  readonly now?: () => number
  readonly uid?: () => string
  /** Called in the transaction of every change, after it. */
  readonly onChange?: () => void
}

/**
 * A journal in the storage of a Durable Object. A write returns before it is on disk: the output gate of the object holds back every message to
 * the outside, such as a request of a tool or a response to a client, until it is. If it cannot be stored, the object is reset, and nothing was sent.
 */
export class DurableObjectStore implements Store {
  readonly name = 'durable-object'
  readonly #storage: ObjectStorage
  readonly #statements: StoreStatements
  readonly #now: () => number
  readonly #uid: () => string
  readonly #onChange: () => void
  #isClosed = false

  constructor(
    storage: ObjectStorage,
    { now = Date.now, uid = randomUid, onChange = () => {} }: DurableObjectOptions = {},
  ) {
    const database = objectDatabase(storage.sql)
    this.#storage = storage
    this.#now = now
    this.#uid = uid
    this.#onChange = onChange
    storage.transactionSync(() => migrateObject(database, now()))
    this.#statements = withSplitEntries(prepareStoreStatements(database), database)
  }

  async open(name: string): Promise<ThreadRow> {
    const known = await this.find(name)
    if (known) return assertNotErased(known)
    return this.#change(statements => createThread(statements, name, this.#uid, this.#now()))
  }

  async find(name: string): Promise<ThreadRow | undefined> {
    return threadNamed(this.#read(), name)
  }

  async get(thread: number): Promise<ThreadRow> {
    return readThreadRow(this.#read(), thread)
  }

  async write(write: Write): Promise<WriteResult> {
    const draft = prepareSqliteWrite(write)
    return this.#change(statements => applyWrite(statements, draft, this.#now()))
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    checkLease(leaseMs)
    return this.#change(statements => renewLease(statements, thread, epoch, leaseMs, this.#now()))
  }

  async read(thread: number, after: number, limit = 1_000): Promise<Entry[]> {
    return readPage(this.#read(), thread, after, limit).entries
  }

  async due(limit: number): Promise<ThreadRow[]> {
    const { threadsAhead, threadsDue } = this.#read()
    const now = this.#now()
    const ahead = threadsAhead.all(now).map(toThreadRow)
    if (ahead.length > 0)
      this.#change(statements => {
        for (const { thread } of ahead) correctTimes(statements, thread, now)
      })
    return threadsDue.all(now, now, limit).map(toThreadRow)
  }

  async list(after: number, limit: number, order: ThreadOrder = 'oldest'): Promise<ThreadRow[]> {
    const { threadsAfter, threadsBefore } = this.#read()
    return (order === 'oldest' ? threadsAfter : threadsBefore).all(after, limit).map(toThreadRow)
  }

  async agentCalls(thread: number): Promise<CallPlace[]> {
    return agentCallsIn(
      this.#read()
        .agentCalls.all(thread)
        .map(({ data }) => String(data)),
    )
  }

  async describe(thread: number, metadata: StoredMetadata): Promise<boolean> {
    return this.#change(statements => describeThread(statements, thread, metadata, this.#now()))
  }

  async erase(thread: number, options: EraseOptions = {}): Promise<Erasure> {
    return this.#change(statements => eraseStep(statements, thread, options, this.#now()))
  }

  async now(): Promise<number> {
    this.#read()
    return this.#now()
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  /** Ends all leases. An object has one instance at a time, so that those of an earlier instance have no owner any more. */
  endLeases(): void {
    this.#storage.sql.exec('UPDATE antiphon_thread SET owner = NULL, leased_until = 0 WHERE owner IS NOT NULL')
  }

  /** When some thread has something to do next: it may be past. Threads with an owner count as well, and `isOwned` is whether there is one. */
  nextDue(): { readonly at?: number; readonly isOwned: boolean } {
    const [row] = this.#storage.sql
      .exec('SELECT min(due_at) AS at, count(owner) AS owned FROM antiphon_thread WHERE due_at IS NOT NULL')
      .toArray()
    return { isOwned: Number(row?.owned) > 0, ...(row?.at === null ? {} : { at: Number(row?.at) }) }
  }

  /** The name of the first thread that was made and is not erased. */
  firstName(): string | undefined {
    const [row] = this.#storage.sql
      .exec("SELECT name FROM antiphon_thread WHERE state <> 'erased' ORDER BY thread LIMIT 1")
      .toArray()
    return row && String(row.name)
  }

  /** The sequence number of the last entry of a thread; 0 if it does not exist. */
  headOf(name: string): number {
    return threadNamed(this.#statements, name)?.head ?? 0
  }

  #read(): StoreStatements {
    if (this.#isClosed) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
    return this.#statements
  }

  #change<T>(change: (statements: StoreStatements) => T): T {
    const statements = this.#read()
    return this.#storage.transactionSync(() => {
      const answer = change(statements)
      this.#onChange()
      return answer
    })
  }
}
