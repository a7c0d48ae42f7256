import { AntiphonError } from '../core/errors.ts'
import type { Tape } from '../observe/tape/create-tape.ts'
import type { Clock } from './clock.ts'
import { type Command, type Draft, decide } from './decide.ts'
import type { Entry, Happening } from './entry.ts'
import { evolve, initialState, type ThreadState } from './fold.ts'
import { wordsOf } from './outcome.ts'
import { asStored } from './render/as-stored.ts'
import type { KnownInput, Store, ThreadRow, Write, Written } from './stores/store.ts'
import { recordEntry } from './tracing/tape.ts'

/** How a command ended: what was written, and the draft that it came to. */
export interface Transition {
  readonly draft: Draft
  /** Empty if there was nothing to write. */
  readonly entries: readonly Entry[]
  readonly epoch: number
}

/**
 * One thread in this process: its state, kept up with the store. Whatever is written was decided on the very state that the
 * store has: if somebody else wrote in between, the store refuses, the new entries are read, and the command is decided
 * again. Commands of this process take turns.
 */
export class Log {
  readonly name: string
  readonly #store: Store
  readonly #clock: Clock
  /** Hears of what was written here, and of nothing that others wrote: they have tapes of their own. */
  readonly #tape: Tape | undefined
  /** How far the clock of the store was ahead of the one here, and when. */
  #ahead: { readonly ms: number; readonly at: number } | undefined
  #row: ThreadRow | undefined
  /** Whether it is known that the thread is a conversation. As long as it is empty, somebody else may come and keep it. */
  #isOurs = false
  #state: ThreadState | undefined
  #queue: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<(entries: readonly Entry[]) => void>()

  constructor(store: Store, name: string, clock: Clock, tape?: Tape | undefined) {
    this.#store = store
    this.name = name
    this.#clock = clock
    this.#tape = tape
  }

  /** The state as far as it is known here; `catchUp` brings the rest. */
  get state(): ThreadState {
    if (!this.#state) throw new Error('the thread was not read yet')
    return this.#state
  }

  get isRead(): boolean {
    return this.#state !== undefined
  }

  /** The integer key of the thread, which is made if it is not there. */
  async key(): Promise<number> {
    if (!this.#row || !this.#isOurs) {
      this.#row = await this.#store.open(this.name)
      if (this.#row.state === 'kept') throw kept(this.name)
      this.#isOurs = this.#row.head > 0
    }
    return this.#row.thread
  }

  /** What the clock of the store says, as well as that is known here. Whatever others are to agree on goes by it. */
  async now(): Promise<number> {
    const known = this.#ahead
    const ageMs = this.#clock.now() - (known?.at ?? 0)
    // The clock here may be set meanwhile, so what is known is not trusted for long.
    if (!known || ageMs < 0 || ageMs > trustMs) this.#compare(await this.#store.now())
    return this.#clock.now() + (this.#ahead?.ms ?? 0)
  }

  /** Reads what was written elsewhere. */
  catchUp(): Promise<ThreadState> {
    return this.#inTurn(() => this.#read())
  }

  /** Decides and writes, again if the thread has moved. `guard` is what the writer claims: an epoch, or the lease. */
  command(command: () => Command, guard: Pick<Write, 'epoch' | 'lease' | 'input'> = {}): Promise<Transition> {
    return this.#inTurn(async () => {
      if (!this.#state) await this.#read()
      for (;;) {
        const state = this.state
        if (guard.epoch !== undefined && state.epoch > guard.epoch) throw fenced(this.name, guard.epoch, state.epoch)
        const { head } = state
        const draft = decided(state, command())
        if (draft instanceof AntiphonError || draft.entries.length === 0) {
          // What is known here may be old: only the newest state can refuse, or say that there is nothing to do.
          if ((await this.#read()).head > head) continue
          if (draft instanceof AntiphonError) throw draft
          return { draft, entries: [], epoch: state.epoch }
        }
        // Copied before it is written, so that nobody can tell whether the state came from here or from the store.
        const happenings = draft.entries.map(asStored)
        const written = await this.#write({ ...draft, entries: happenings }, { head, ...guard })
        if (written.ok) return { draft, entries: this.#take(happenings, written), epoch: written.epoch }
        if (written.why === 'known') throw new KnownInputError(written.known as KnownInput)
        if (written.why === 'leased') throw new LeasedError(written.row)
        if (written.why === 'fenced') throw fenced(this.name, guard.epoch ?? 0, written.row.epoch)
        // Whatever else stands against it, the state here is not the store's: if it were, the store refuses a bad decision.
        if ((await this.#read()).head === head) throw refused(this.name, written.why)
      }
    })
  }

  /** Writes without looking at the state: what is written stands by itself. It is JSON, and nobody else has it. */
  async submit(entry: Happening, write: Pick<Write, 'input' | 'dueAt' | 'onlyIf' | 'state'>): Promise<Written> {
    const written = await this.#writeFirst({ entries: [entry], ...write })
    if (!written.ok) return written
    if (this.#state?.head === written.head - 1) {
      this.#take([entry], written)
      return written
    }
    if (entry.kind === 'input-submit') this.#tape?.input({ content: entry.content, thread: this.name })
    // Not taken in here: others have written before it. Whoever listens reads it.
    this.#notify([])
    return written
  }

  /** Sets when there is something to do next, as the state tells it; undefined leaves it as it is. */
  async postpone(nextDue: (state: ThreadState) => number | null | undefined): Promise<void> {
    const state = await this.catchUp()
    const { head } = state
    const dueAt = nextDue(state)
    if (dueAt !== undefined) await this.#store.write({ thread: await this.key(), entries: [], head, dueAt })
  }

  /** Entries behind a position, straight from the store. */
  async read(after: number, limit?: number): Promise<Entry[]> {
    return this.#store.read(await this.key(), after, limit)
  }

  async renew(epoch: number, leaseMs: number): Promise<boolean> {
    return this.#store.renew(await this.key(), epoch, leaseMs)
  }

  /** Calls back with what was taken in, and with nothing if there may be something to read. */
  listen(listener: (entries: readonly Entry[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #read(): Promise<ThreadState> {
    const key = await this.key()
    // What happened before anybody looked is no news.
    const isNews = this.#state !== undefined
    this.#state ??= initialState((this.#row as ThreadRow).uid)
    const state = this.#state
    for (;;) {
      const page = await this.#store.read(key, state.head, pageSize)
      if (page.length === 0) return state
      // Input that was submitted here may have been taken in meanwhile.
      const entries = page.filter(({ seq }) => seq > state.head)
      for (const entry of entries) evolve(state, entry)
      if (isNews && entries.length > 0) this.#notify(entries)
    }
  }

  /** Into an empty thread only as its first entry: if somebody was faster, it is asked again whose thread it is. */
  async #writeFirst(write: Omit<Write, 'thread'>): Promise<Written> {
    for (;;) {
      const thread = await this.key()
      if (this.#isOurs) return this.#store.write({ thread, ...write })
      const written = await this.#store.write({ thread, ...write, head: 0 })
      this.#isOurs ||= written.ok
      if (written.ok || written.why !== 'moved') return written
    }
  }

  async #write({ entries, release, state, dueAt }: Draft, guard: Partial<Write>): Promise<Written> {
    return this.#store.write({
      thread: await this.key(),
      entries,
      ...(release && { release }),
      ...(state && { state }),
      ...(dueAt === undefined ? {} : { dueAt }),
      ...guard,
    })
  }

  #take(happenings: readonly Happening[], { head, epoch, at }: Extract<Written, { ok: true }>): Entry[] {
    const first = head - happenings.length + 1
    this.#isOurs = true
    this.#compare(at)
    const entries = happenings.map((happening, index) => ({ ...happening, seq: first + index, at, epoch }))
    for (const entry of entries) {
      evolve(this.state, entry)
      if (this.#tape) recordEntry(this.#tape, entry, this.state, this.name)
    }
    this.#notify(entries)
    return entries
  }

  #compare(storeNow: number): void {
    const now = this.#clock.now()
    this.#ahead = { ms: storeNow - now, at: now }
  }

  /** What was written is written, whatever listeners make of it. */
  #notify(entries: readonly Entry[]): void {
    for (const listener of [...this.#listeners])
      try {
        listener(entries)
      } catch (error) {
        const warning = `a listener of thread ${this.name} failed: ${wordsOf(error)}`
        process.emitWarning(warning, { code: 'ANTIPHON_LISTENER' })
      }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }
}

/** What a command comes to, or why it is refused. */
function decided(state: ThreadState, command: Command): Draft | AntiphonError {
  try {
    return decide(state, command)
  } catch (error) {
    if (error instanceof AntiphonError) return error
    throw error
  }
}

/** The input was submitted before; the caller compares the digests. */
export class KnownInputError extends Error {
  readonly known: KnownInput

  constructor(known: KnownInput) {
    super('this input was submitted before')
    this.known = known
  }
}

/** Somebody else has the lease. */
export class LeasedError extends Error {
  readonly row: ThreadRow

  constructor(row: ThreadRow) {
    super('somebody else has the lease')
    this.row = row
  }
}

export const fenced = (thread: string, mine: number, now: number): AntiphonError =>
  new AntiphonError('fenced', `thread ${thread} has another owner now (epoch ${now}, this one had ${mine})`, {
    hint: 'stop working on this turn: whoever took it over goes on with it',
    thread,
    epoch: now,
  })

const kept = (thread: string): AntiphonError =>
  new AntiphonError('not-a-conversation', `thread ${thread} has no turns: somebody keeps entries of its own in it`, {
    hint: 'open it with the adapter that keeps it, like journalSession, or take another name',
    thread,
  })

const refused = (thread: string, why: string): AntiphonError =>
  new AntiphonError('refused-write', `the journal refused a write to thread ${thread}: ${why}`, {
    hint: 'nothing was written; please report this with the entries of the thread',
    thread,
    why,
  })

const pageSize = 500

/** How long the clocks are taken to run alike. */
const trustMs = 10_000
