import { AntiphonError } from '../../core/errors.ts'
import { agentCallsIn } from '../agents/agent-calls.ts'
import { effectsOf } from '../effects.ts'
import type { CallPlace, Entry } from '../entry.ts'
import { assertNotErased, eraseAgainMs, erasedAtOnce, isFullyErased, tombstoneName } from '../erasure/tombstone.ts'
import { metadataText, readMetadata, type StoredMetadata } from '../metadata/stored-metadata.ts'
import type {
  EraseOptions,
  Erasure,
  KnownInput,
  RefusalReason,
  Store,
  StoredThreadState,
  ThreadOrder,
  ThreadRow,
  Write,
  WriteResult,
} from './store.ts'
import { checkLease, checkTimes, timesAfterClockSetBack } from './times.ts'
import { randomUid } from './uid.ts'

export interface MemoryOptions {
  readonly now?: () => number
  readonly uid?: () => string
}

interface MemoryThread {
  thread: number
  name: string
  uid: string
  epoch: number
  owner: string | undefined
  leasedUntil: number
  state: StoredThreadState
  dueAt: number | undefined
  createdAt: number
  updatedAt: number
  entries: string[]
  inputs: Map<string, KnownInput>
  /** The open calls, and whether each is started. */
  open: Map<string, boolean>
  /** As JSON text. */
  metadata: string | undefined
  revision: number
}

/** A journal in memory, for as long as the process runs. Entries are kept as JSON text, so that no caller can change them. */
export class MemoryStore implements Store {
  readonly name = 'memory'
  readonly #now: () => number
  readonly #uid: () => string
  readonly #threads: MemoryThread[] = []
  readonly #names = new Map<string, MemoryThread>()
  #closed = false

  constructor({ now = Date.now, uid = randomUid }: MemoryOptions = {}) {
    this.#now = now
    this.#uid = uid
  }

  async open(name: string): Promise<ThreadRow> {
    const known = this.#named(name)
    if (known) return rowOf(assertNotErased(known))
    const now = this.#now()
    const made: MemoryThread = {
      ...{ thread: this.#threads.length + 1, name, uid: this.#uid(), epoch: 0, owner: undefined, leasedUntil: 0 },
      ...{ state: 'idle', dueAt: undefined, createdAt: now, updatedAt: now, entries: [] },
      ...{ inputs: new Map(), open: new Map(), metadata: undefined, revision: 0 },
    }
    this.#threads.push(made)
    this.#names.set(name, made)
    return rowOf(made)
  }

  async find(name: string): Promise<ThreadRow | undefined> {
    const known = this.#named(name)
    return known && rowOf(known)
  }

  async get(thread: number): Promise<ThreadRow> {
    return rowOf(this.#thread(thread))
  }

  async write(write: Write): Promise<WriteResult> {
    const thread = assertNotErased(this.#thread(write.thread))
    const head = thread.entries.length
    const effects = effectsOf(write.entries, head)
    checkTimes(write)
    const now = this.#now()
    correctTimes(thread, now)
    const known = write.input && thread.inputs.get(write.input.key)
    const why = refusal()
    if (why) return { ok: false, why, row: rowOf(thread), ...(known && { known }) }
    const epoch = thread.epoch + (write.lease ? 1 : 0)
    // Before anything is changed, since JSON.stringify may throw.
    const texts = write.entries.map((entry, index) =>
      JSON.stringify({ ...entry, seq: head + 1 + index, at: now, epoch }),
    )
    if (write.lease) {
      thread.epoch = epoch
      thread.owner = write.lease.owner
      thread.leasedUntil = now + write.lease.ms
    }
    for (const text of texts) thread.entries.push(text)
    for (const call of effects.opens) thread.open.set(nameOf(call), false)
    for (const call of effects.starts) thread.open.set(nameOf(call), true)
    for (const call of effects.settles) thread.open.delete(nameOf(call))
    if (write.input) thread.inputs.set(write.input.key, { digest: write.input.digest, seq: thread.entries.length })
    if (write.release) {
      thread.owner = undefined
      thread.leasedUntil = 0
    }
    if (write.state) thread.state = write.state
    const due = write.dueAt === 'now' && !write.release ? Math.min(thread.dueAt ?? now, now) : write.dueAt
    if (due !== undefined) thread.dueAt = due === 'now' ? now : (due ?? undefined)
    thread.updatedAt = now
    return { ok: true, head: thread.entries.length, epoch: thread.epoch, at: now }

    function refusal(): RefusalReason | undefined {
      if (known) return 'known'
      if (write.epoch !== undefined && write.epoch !== thread.epoch) return 'fenced'
      if (write.head !== undefined && write.head !== head) return 'moved'
      if (write.lease && thread.leasedUntil > now) return 'leased'
      if (write.onlyIf && write.onlyIf !== thread.state) return 'busy'
      const [settles, starts] = [effects.settles.map(nameOf), effects.starts.map(nameOf)]
      if (effects.requiresAllSettled && thread.open.size > new Set(settles.filter(call => thread.open.has(call))).size)
        return 'open'
      if ([...settles, ...starts].some(call => !thread.open.has(call))) return 'settled'
      if (new Set(settles).size < settles.length) return 'settled'
      return new Set(starts).size < starts.length || starts.some(call => thread.open.get(call)) ? 'started' : undefined
    }
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    checkLease(leaseMs)
    const known = assertNotErased(this.#thread(thread))
    if (known.epoch !== epoch || known.owner === undefined) return false
    const now = this.#now()
    correctTimes(known, now)
    known.leasedUntil = now + leaseMs
    known.updatedAt = now
    return true
  }

  async read(thread: number, after: number, limit = 1_000): Promise<Entry[]> {
    const { entries } = assertNotErased(this.#thread(thread))
    return entries.slice(after, after + limit).map(text => JSON.parse(text) as Entry)
  }

  async due(limit: number): Promise<ThreadRow[]> {
    this.#checkOpen()
    const now = this.#now()
    for (const thread of this.#threads) correctTimes(thread, now)
    return this.#threads
      .filter(({ dueAt, leasedUntil }) => dueAt !== undefined && dueAt <= now && leasedUntil <= now)
      .sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || one.thread - other.thread)
      .slice(0, limit)
      .map(rowOf)
  }

  async list(after: number, limit: number, order: ThreadOrder = 'oldest'): Promise<ThreadRow[]> {
    this.#checkOpen()
    const threads = order === 'oldest' ? this.#threads.slice(after) : this.#threads.slice(0, after - 1).reverse()
    return threads
      .filter(thread => !isFullyErased(thread))
      .slice(0, limit)
      .map(rowOf)
  }

  async agentCalls(thread: number): Promise<CallPlace[]> {
    return agentCallsIn(this.#thread(thread).entries)
  }

  async describe(key: number, metadata: StoredMetadata): Promise<boolean> {
    const thread = assertNotErased(this.#thread(key))
    if (metadata.revision !== thread.revision + 1) return false
    const now = this.#now()
    correctTimes(thread, now)
    Object.assign(thread, { metadata: metadataText(metadata), revision: metadata.revision, updatedAt: now })
    return true
  }

  async erase(key: number, { idleSince = Infinity, limit = erasedAtOnce }: EraseOptions = {}): Promise<Erasure> {
    const thread = this.#thread(key)
    const now = this.#now()
    correctTimes(thread, now)
    const isFenced = thread.state === 'erased'
    if (isFenced && thread.dueAt === undefined) return 'erased'
    if (!isFenced && thread.updatedAt > idleSince) return 'active'
    thread.updatedAt = now
    thread.dueAt = now + eraseAgainMs
    if (!isFenced) {
      Object.assign(thread, { state: 'erased', epoch: thread.epoch + 1, owner: undefined, leasedUntil: 0 })
      thread.metadata = undefined
      thread.open.clear()
      return 'partly'
    }
    thread.entries.splice(Math.max(0, thread.entries.length - limit))
    for (const [input, { seq }] of thread.inputs) if (seq > thread.entries.length) thread.inputs.delete(input)
    if (thread.entries.length > 0) return 'partly'
    this.#names.delete(thread.name)
    thread.name = tombstoneName(thread.name)
    this.#names.set(thread.name, thread)
    thread.dueAt = undefined
    return 'erased'
  }

  async now(): Promise<number> {
    this.#checkOpen()
    return this.#now()
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #named(name: string): MemoryThread | undefined {
    this.#checkOpen()
    const known = this.#names.get(name)
    if (known) return known
    const tombstone = this.#names.get(tombstoneName(name))
    return tombstone?.state === 'erased' ? tombstone : undefined
  }

  #thread(key: number): MemoryThread {
    this.#checkOpen()
    const thread = this.#threads[key - 1]
    if (!thread)
      throw new AntiphonError('unknown-thread', `unknown thread key ${key}`, {
        hint: 'open the thread by its name first',
      })
    return thread
  }

  #checkOpen(): void {
    if (this.#closed) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
  }
}

function correctTimes(thread: MemoryThread, now: number): void {
  if (thread.updatedAt > now) Object.assign(thread, timesAfterClockSetBack(thread, now), { updatedAt: now })
}

const nameOf = ({ step, index }: CallPlace): string => `${step}.${index}`

const rowOf = ({ entries, inputs: _, open, owner, dueAt, metadata, revision, ...row }: MemoryThread): ThreadRow => ({
  ...row,
  head: entries.length,
  openCalls: open.size,
  ...(owner === undefined ? {} : { owner }),
  ...(dueAt === undefined ? {} : { dueAt }),
  ...(metadata === undefined ? {} : { metadata: readMetadata(metadata, revision) }),
})
