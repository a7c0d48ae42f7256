import type { CallPlace, Entry } from '../../../src/journal/entry.ts'
import type { StoredMetadata } from '../../../src/journal/metadata/stored-metadata.ts'
import type {
  EraseOptions,
  Erasure,
  Store,
  ThreadOrder,
  ThreadRow,
  Write,
  WriteResult,
} from '../../../src/journal/stores/store.ts'
import type { Life, World } from './world.ts'

/** What becomes of a request: it is carried out, or lost on its way, or its answer is; the process may crash around it. */
export type Fate = 'done' | 'request-lost' | 'answer-lost' | 'crash-before' | 'crash-after'

/** The way between a process and the store. */
export interface Wire {
  travelMs(): number
  fate(operation: keyof Store): Fate
  /** Whether a request that was on its way when its process crashed arrives nevertheless. */
  arrivesAfterCrash(): boolean
}

/** A process that can crash. */
export interface Sender extends Life {
  readonly world: World
  crash(): void
}

/** A store as a process far away from it sees it: every request and every answer takes its time. */
export class RemoteStore implements Store {
  readonly name = 'memory'
  onWritten: (write: Write, written: Extract<WriteResult, { ok: true }>) => void = () => {}
  readonly #inner: Store
  readonly #sender: Sender
  readonly #wire: Wire
  readonly #underway = new Set<Life>()
  readonly #requests = new Map<number, number>()

  constructor(inner: Store, sender: Sender, wire: Wire) {
    this.#inner = inner
    this.#sender = sender
    this.#wire = wire
  }

  open = (name: string): Promise<ThreadRow> => this.#ask('open', store => store.open(name))
  find = (name: string): Promise<ThreadRow | undefined> => this.#ask('find', store => store.find(name))
  get = (thread: number): Promise<ThreadRow> => this.#ask('get', store => store.get(thread))
  write = async (write: Write): Promise<WriteResult> => {
    const written = await this.#ask('write', store => store.write(write))
    if (written.ok) this.onWritten(write, written)
    return written
  }
  renew = (thread: number, epoch: number, leaseMs: number): Promise<boolean> =>
    this.#ask('renew', store => store.renew(thread, epoch, leaseMs))
  read = (thread: number, after: number, limit?: number): Promise<Entry[]> =>
    this.#ask('read', store => store.read(thread, after, limit))
  due = (limit: number): Promise<ThreadRow[]> => this.#ask('due', store => store.due(limit))
  list = (after: number, limit: number, order?: ThreadOrder): Promise<ThreadRow[]> =>
    this.#ask('list', store => store.list(after, limit, order))
  agentCalls = (thread: number): Promise<CallPlace[]> => this.#ask('agentCalls', store => store.agentCalls(thread))
  describe = (thread: number, metadata: StoredMetadata): Promise<boolean> =>
    this.#ask('describe', store => store.describe(thread, metadata))
  erase = (thread: number, options?: EraseOptions): Promise<Erasure> =>
    this.#ask('erase', store => store.erase(thread, options))
  now = (): Promise<number> => this.#ask('now', store => store.now())

  /** Others still need what is behind it. */
  async close(): Promise<void> {}

  /** The sender is gone. What it has sent arrives, or does not. */
  abandon(): void {
    for (const request of this.#underway) if (!this.#wire.arrivesAfterCrash()) request.isDead = true
  }

  /** The most requests within one second. */
  get requestsPeak(): number {
    return Math.max(0, ...this.#requests.values())
  }

  #ask<T>(operation: keyof Store, carryOut: (store: Store) => Promise<T>): Promise<T> {
    const { world } = this.#sender
    const request: Life = { isDead: false, pausedUntil: 0 }
    this.#underway.add(request)
    const second = Math.floor(world.now / 1_000)
    this.#requests.set(second, (this.#requests.get(second) ?? 0) + 1)
    return new Promise((resolve, reject) => {
      const arrive = async (): Promise<void> => {
        this.#underway.delete(request)
        const fate = this.#sender.isDead ? 'done' : this.#wire.fate(operation)
        if (fate === 'crash-before') return this.#sender.crash()
        const answer = fate === 'request-lost' ? lost : await outcomeOf(carryOut(this.#inner), resolve, reject)
        if (fate === 'crash-after') return this.#sender.crash()
        const reply = fate === 'done' ? answer : lost
        world.schedule(this.#wire.travelMs(), () => reply(reject), this.#sender)
      }
      world.schedule(this.#wire.travelMs(), arrive, request)
    })
  }
}

type Reply = (reject: (error: unknown) => void) => void

const outcomeOf = <T>(
  work: Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Promise<Reply> =>
  work.then(
    value => () => resolve(value),
    error => () => reject(error),
  )

const lost: Reply = reject => reject(new ConnectionLostError())

/** Nobody knows whether the store did it. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'

  constructor() {
    super('the connection to the store was lost')
  }
}
