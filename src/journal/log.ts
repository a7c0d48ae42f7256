import { AntiphonError } from '../core/errors.ts'
import type { Tape } from '../observe/tape/create-tape.ts'
import { parentOf } from './agents/child-name.ts'
import type { Clock } from './clock.ts'
import { type Command, decide, type PlannedWrite } from './decide.ts'
import type { Entry, EntryData } from './entry.ts'
import { eraseThread } from './erasure/erase-thread.ts'
import { assertNotErased, isFullyErased } from './erasure/tombstone.ts'
import { callId, evolve, initialState, type ThreadState } from './fold.ts'
import { callListener } from './live/call-listener.ts'
import { LiveHub } from './live/live-hub.ts'
import { closesResponse } from './live/live-reader.ts'
import { LiveThread } from './live/live-thread.ts'
import type { StoredMetadata } from './metadata/stored-metadata.ts'
import { copyAsJson } from './render/copy-as-json.ts'
import type { KnownInput, Store, ThreadRow, Write, WriteResult } from './stores/store.ts'
import { tapeEntry } from './tracing/tape-entry.ts'

/** What must hold for a write: the writer still has this epoch, or the lease is free, or the key of the input is new. */
type Guard = Pick<Write, 'epoch' | 'lease' | 'input'>

/** How a command ended: what was decided, and the entries that were written. */
export interface Transition {
  readonly planned: PlannedWrite
  /** Empty if there was nothing to write. */
  readonly entries: readonly Entry[]
  readonly epoch: number
}

/**
 * One thread in this process: its state, kept up to date with the store. Writes are compare-and-swap on the head of the thread:
 * if another process wrote in between, the store refuses the write, the new entries are read, and the command is decided again.
 * Commands of this process run one after the other.
 */
export class Log {
  readonly name: string
  /** What streams at the moment. */
  readonly live: LiveThread
  readonly #hub: LiveHub
  readonly #store: Store
  readonly #clock: Clock
  /** Records what this process writes. Other processes have their own tapes. */
  readonly #tape: Tape | undefined
  /** How far the clock of the store is ahead of the local one, and when that was measured. */
  #offset: { readonly ms: number; readonly at: number } | undefined
  #row: ThreadRow | undefined
  /** Whether the thread is known to be a conversation. As long as it is empty, an adapter may claim it for entries of its own. */
  #isConversation = false
  #state: ThreadState | undefined
  /** The sequence number of the last entry that ended a response. */
  #closedAt = 0
  /** Why the thread cannot be read. The state may have a part of the damaged entry, and nothing more is decided on it. */
  #damage: { readonly error: unknown } | undefined
  #queue: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<(entries: readonly Entry[]) => void>()
  /** Ends the agent of a call that got a result. */
  readonly #endAgent: ((callId: string) => Promise<void>) | undefined

  constructor(
    store: Store,
    name: string,
    clock: Clock,
    tape?: Tape | undefined,
    endAgent?: (callId: string) => Promise<void>,
    hub: LiveHub = new LiveHub(clock),
  ) {
    this.#store = store
    this.name = name
    this.#clock = clock
    this.#tape = tape
    this.#endAgent = endAgent
    this.#hub = hub
    this.live = new LiveThread(hub, {
      uid: async () => this.key().then(() => (this.#row as ThreadRow).uid),
      head: () => this.#state?.head ?? -1,
      catchUp: () => this.catchUp(),
      sealer: async () => store.sealer?.(await this.key()),
    })
  }

  /** The state as far as this process has read it; `catchUp` reads the rest. */
  get state(): ThreadState {
    if (!this.#state) throw new Error('the thread has not been read yet')
    return this.#state
  }

  get isRead(): boolean {
    return this.#state !== undefined
  }

  /** The position of a live reader that begins now. */
  get known(): { readonly epoch: number; readonly closedAt: number; readonly head: number } {
    const { epoch, head } = this.state
    return { epoch, head, closedAt: this.#closedAt }
  }

  /** The integer key of the thread, which is created if it does not exist. */
  async key(): Promise<number> {
    if (!this.#row || !this.#isConversation) {
      this.#row = await this.#open()
      if (this.#row.state === 'kept') throw notAConversation(this.name)
      this.#isConversation = this.#row.head > 0
    }
    return this.#row.thread
  }

  /** The time by the clock of the store. Times that several processes compare use this clock. */
  async now(): Promise<number> {
    const known = this.#offset
    const ageMs = this.#clock.now() - (known?.at ?? 0)
    // The local clock may be set, so a measured offset is not trusted for long.
    if (!known || ageMs < 0 || ageMs > offsetValidMs) this.#measureOffset(await this.#store.now())
    return this.#clock.now() + (this.#offset?.ms ?? 0)
  }

  /** Reads what was written elsewhere. */
  catchUp(): Promise<ThreadState> {
    return this.#enqueue(() => this.#read())
  }

  /** Decides and writes; again if the head has moved. */
  async command(command: () => Command, guard: Guard = {}): Promise<Transition> {
    const transition = await this.#enqueue(async () => {
      if (!this.#state || this.#damage) await this.#read()
      for (;;) {
        const transition = await this.#tryCommand(command, guard)
        if (transition) return transition
      }
    })
    if (this.#endAgent) for (const id of this.#agentCallsIn(transition.entries)) await this.#endAgent(id)
    return transition
  }

  /** The ids of the calls of this thread that were given to an agent and that these entries settle. */
  #agentCallsIn(entries: readonly Entry[]): string[] {
    return entries.flatMap(entry => {
      if (entry.kind !== 'call-settle') return []
      const id = callId(this.state.uid, entry.call)
      return this.state.calls.get(id)?.parked?.why === 'agent' ? id : []
    })
  }

  /** Writes an entry that does not depend on the state. It must be JSON that is not changed later. */
  async submit(entry: EntryData, write: Pick<Write, 'input' | 'dueAt' | 'onlyIf' | 'state'>): Promise<WriteResult> {
    const written = await this.#writeFirst({ entries: [entry], ...write })
    if (!written.ok) return written
    this.#announce(written.head, write.dueAt)
    if (this.#state?.head === written.head - 1) {
      this.#evolve([entry], written)
      return written
    }
    if (entry.kind === 'input-submit') this.#tape?.input({ content: entry.content, thread: this.name })
    // Other processes wrote entries before this one, so the state here does not have it yet. Listeners may read it.
    this.#notify([])
    return written
  }

  /** Writes the first entries of the thread, all or none. Returns false if it is not empty. */
  begin(entries: readonly EntryData[], write: Pick<Write, 'state' | 'dueAt'>): Promise<boolean> {
    return this.#enqueue(async () => {
      if ((await this.#read()).head > 0) return false
      const written = await this.#write({ entries, ...write }, { head: 0 })
      if (written.ok) this.#evolve(entries, written)
      return written.ok
    })
  }

  /** Sets the time at which the thread has something to do next, computed from its state; undefined leaves it unchanged. */
  async postpone(nextDue: (state: ThreadState) => number | null | undefined): Promise<void> {
    const state = await this.catchUp()
    const { head } = state
    const dueAt = nextDue(state)
    if (dueAt === undefined) return
    const written = await this.#store.write({ thread: await this.key(), entries: [], head, dueAt })
    // A time that has passed would wake every worker, one of which has just found nothing to do.
    if (written.ok && dueAt !== null && dueAt > written.at) this.#hub.announceDue(dueAt)
  }

  /** Entries after a position, read from the store. */
  async read(after: number, limit?: number): Promise<Entry[]> {
    return this.#store.read(await this.key(), after, limit)
  }

  /** The thread as the store has it now. */
  async row(): Promise<ThreadRow> {
    return this.#store.get(await this.key())
  }

  async describe(metadata: StoredMetadata): Promise<boolean> {
    return this.#store.describe(await this.key(), metadata)
  }

  /** Erases the thread, or continues an interrupted erasure. Returns false if there is nothing to erase. */
  async erase(): Promise<boolean> {
    const row = await this.#store.find(this.name)
    if (!row || isFullyErased(row)) return false
    await eraseThread(this.#store, row.thread)
    // Makes owners and watchers read, so that they notice the erasure.
    this.#notify([])
    this.live.announce()
    return true
  }

  async renew(epoch: number, leaseMs: number): Promise<boolean> {
    const isOwner = await this.#store.renew(await this.key(), epoch, leaseMs)
    if (isOwner) this.#hub.announceLease(this.#clock.now() + (this.#offset?.ms ?? 0) + leaseMs)
    return isOwner
  }

  /** Calls the listener with new entries of the state, and with none if there may be something to read. */
  listen(listener: (entries: readonly Entry[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Decides and writes once. Returns undefined if the head has moved: the command is then decided on the new state. */
  async #tryCommand(command: () => Command, guard: Guard): Promise<Transition | undefined> {
    const { state } = this
    const { head, epoch } = state
    if (guard.epoch !== undefined && epoch > guard.epoch) throw fenced(this.name, guard.epoch, epoch)
    const planned = tryDecide(state, command())
    if (planned instanceof AntiphonError || planned.entries.length === 0) {
      // The state here may be old. Only the newest state can refuse a command, or have nothing to write.
      if ((await this.#read()).head > head) return undefined
      if (planned instanceof AntiphonError) throw planned
      return { planned, entries: [], epoch }
    }
    // Copied before it is written, so that a state built here equals one that is read from the store.
    const data = planned.entries.map(copyAsJson)
    const written = await this.#write({ ...planned, entries: data }, { head, ...guard })
    if (written.ok) return { planned, entries: this.#evolve(data, written), epoch: written.epoch }
    if (written.why === 'known') throw new KnownInputError(written.known as KnownInput)
    if (written.why === 'leased') throw new LeasedError(written.row)
    if (written.why === 'fenced') throw fenced(this.name, guard.epoch ?? 0, written.row.epoch)
    // Any other refusal means that the state here was old. If it was not, the decision itself was wrong.
    if ((await this.#read()).head === head) throw refusedWrite(this.name, written.why)
    return undefined
  }

  async #read(): Promise<ThreadState> {
    if (this.#damage) throw this.#damage.error
    const key = await this.key()
    // Entries from before the first read are not news to listeners.
    const isNews = this.#state !== undefined
    this.#state ??= initialState((this.#row as ThreadRow).uid, parentOf(this.name) && true)
    const state = this.#state
    for (;;) {
      const page = await this.#store.read(key, state.head, pageSize)
      if (page.length === 0) return state
      // Input that this process submitted may already be in the state.
      const entries = page.filter(({ seq }) => seq > state.head)
      try {
        for (const entry of entries) {
          evolve(state, entry)
          if (closesResponse(entry)) this.#closedAt = entry.seq
        }
      } catch (error) {
        this.#damage = { error }
        throw error
      }
      if (isNews && entries.length > 0) this.#notify(entries)
    }
  }

  /** The thread of an agent is created by its parent only, so that no one else can take its name. */
  async #open(): Promise<ThreadRow> {
    if (!parentOf(this.name)) return this.#store.open(this.name)
    const row = await this.#store.find(this.name)
    if (row) return assertNotErased(row)
    throw new AntiphonError('unknown-thread', `unknown thread ${this.name}: its agent was not started`, {
      hint: 'names of this form are reserved for agents; use another name',
      thread: this.name,
    })
  }

  /** While the thread may be empty, the write succeeds only as its first entry: if another process wrote first, it may have claimed the thread. */
  async #writeFirst(write: Omit<Write, 'thread'>): Promise<WriteResult> {
    for (;;) {
      const thread = await this.key()
      if (this.#isConversation) return this.#store.write({ thread, ...write })
      const written = await this.#store.write({ thread, ...write, head: 0 })
      this.#isConversation ||= written.ok
      if (written.ok || written.why !== 'moved') return written
    }
  }

  async #write({ entries, release, state, dueAt }: PlannedWrite, guard: Partial<Write>): Promise<WriteResult> {
    const written = await this.#store.write({
      thread: await this.key(),
      entries,
      ...(release && { release }),
      ...(state && { state }),
      ...(dueAt === undefined ? {} : { dueAt }),
      ...guard,
    })
    // While the thread has an owner, no other process has anything to do.
    const isOwned = guard.lease !== undefined || (guard.epoch !== undefined && !release)
    if (written.ok) this.#announce(written.head, isOwned ? undefined : dueAt)
    if (written.ok && guard.lease) this.#hub.announceLease(written.at + guard.lease.ms)
    return written
  }

  /** Tells other processes that there is something to read, and workers that there is something to do. */
  #announce(head: number, dueAt: Write['dueAt']): void {
    this.live.announce(head)
    if (dueAt !== undefined && dueAt !== null) this.#hub.announceDue(dueAt === 'now' ? undefined : dueAt)
  }

  #evolve(data: readonly EntryData[], { head, epoch, at }: Extract<WriteResult, { ok: true }>): Entry[] {
    const first = head - data.length + 1
    this.#isConversation = true
    this.#measureOffset(at)
    const entries = data.map((entry, index) => ({ ...entry, seq: first + index, at, epoch }))
    for (const entry of entries) {
      evolve(this.state, entry)
      if (closesResponse(entry)) this.#closedAt = entry.seq
      if (this.#tape) tapeEntry(this.#tape, entry, this.state, this.name)
    }
    this.#notify(entries)
    return entries
  }

  #measureOffset(storeNow: number): void {
    const now = this.#clock.now()
    this.#offset = { ms: storeNow - now, at: now }
  }

  /** A listener that throws does not undo the write. */
  #notify(entries: readonly Entry[]): void {
    for (const listener of [...this.#listeners]) callListener(this.name, () => listener(entries))
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }
}

/** What a command would write, or the error with which it is refused. */
function tryDecide(state: ThreadState, command: Command): PlannedWrite | AntiphonError {
  try {
    return decide(state, command)
  } catch (error) {
    if (error instanceof AntiphonError) return error
    throw error
  }
}

/** The key was used before. The caller compares the digests. */
export class KnownInputError extends Error {
  readonly known: KnownInput

  constructor(known: KnownInput) {
    super('an input with this key was submitted before')
    this.known = known
  }
}

/** Another process has the lease. */
export class LeasedError extends Error {
  readonly row: ThreadRow

  constructor(row: ThreadRow) {
    super('another process has the lease')
    this.row = row
  }
}

export const fenced = (thread: string, mine: number, now: number): AntiphonError =>
  new AntiphonError('fenced', `thread ${thread} has another owner (epoch ${now}, this owner had ${mine})`, {
    hint: 'stop working on this turn: the new owner continues it',
    thread,
    epoch: now,
  })

const notAConversation = (thread: string): AntiphonError =>
  new AntiphonError('not-a-conversation', `thread ${thread} has no turns: an adapter keeps its own entries in it`, {
    hint: 'open it with that adapter, such as journalSession, or use another name',
    thread,
  })

const refusedWrite = (thread: string, why: string): AntiphonError =>
  new AntiphonError('refused-write', `the store refused a write to thread ${thread}: ${why}`, {
    hint: 'nothing was written; report this with the entries of the thread',
    thread,
    why,
  })

const pageSize = 500

/** How long a measured clock offset is used. */
const offsetValidMs = 10_000
