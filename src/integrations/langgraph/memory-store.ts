import { AntiphonError } from '../../core/errors.ts'
import { timesAfterClockSetBack } from '../../journal/stores/times.ts'
import type {
  CheckpointChange,
  CheckpointQuery,
  CheckpointRow,
  Claim,
  Effect,
  EffectStart,
  GraphStore,
  StoredCheckpoint,
  WriteAnswer,
  WriteGuard,
  WriteRow,
} from './graph-store.ts'

interface MemoryThread {
  readonly name: string
  epoch: number
  owner: string | undefined
  leasedUntil: number
  /** When the lease was taken or extended. */
  leasedAt: number
  readonly checkpoints: Map<string, CheckpointRow & { readonly seq: number }>
  readonly writes: Map<string, Map<string, WriteRow>>
  readonly parts: Map<string, Uint8Array>
  readonly effects: Map<string, Effect>
}

/** Threads that live as long as their process. */
export class MemoryGraphStore implements GraphStore {
  readonly #threads = new Map<string, MemoryThread>()
  readonly #now: () => number
  #seq = 0
  #closed = false

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  async claim(name: string, { owner, leaseMs, epoch }: Claim): Promise<number | undefined> {
    const thread = this.#open(name)
    const now = this.#now()
    if (thread.owner !== owner) {
      if (thread.leasedUntil > now || (epoch ?? thread.epoch) !== thread.epoch) return undefined
      thread.epoch++
      thread.owner = owner
    }
    thread.leasedUntil = now + leaseMs
    thread.leasedAt = now
    return thread.epoch
  }

  async renew(name: string, epoch: number, leaseMs: number): Promise<boolean> {
    return this.#admit(this.#open(name), { epoch, leaseMs }) === 'done'
  }

  async release(name: string, epoch?: number): Promise<void> {
    const thread = this.#open(name)
    this.#admit(thread, { epoch: epoch ?? thread.epoch, leaseMs: 0 })
  }

  async write(
    name: string,
    guard: WriteGuard,
    { parts, checkpoint, writes = [] }: CheckpointChange,
  ): Promise<WriteAnswer> {
    const thread = this.#open(name)
    const answer = this.#admit(thread, guard)
    if (answer !== 'done') return answer
    for (const [hash, data] of parts) thread.parts.set(hash, data)
    if (checkpoint) {
      const key = keyOf(checkpoint.namespace, checkpoint.id)
      const seq = thread.checkpoints.get(key)?.seq ?? ++this.#seq
      thread.checkpoints.set(key, { ...checkpoint, seq })
    }
    for (const write of writes) {
      const place = keyOf(write.namespace, write.checkpoint)
      const pending = thread.writes.get(place) ?? new Map<string, WriteRow>()
      thread.writes.set(place, pending)
      const key = keyOf(write.task, String(write.index))
      if (write.index < 0 || !pending.has(key)) pending.set(key, write)
    }
    return 'done'
  }

  async find(name: string, namespace: string, id?: string): Promise<StoredCheckpoint | undefined> {
    const query = { thread: name, namespace, limit: 1, ...(id === undefined ? {} : { id }) }
    return (await this.list(query))[0]
  }

  async list({
    thread: name,
    namespace,
    id,
    before,
    after,
    limit,
  }: CheckpointQuery): Promise<readonly StoredCheckpoint[]> {
    this.#checkOpen()
    const threads = name === undefined ? [...this.#threads.values()] : [this.#threads.get(name)]
    return threads
      .flatMap(thread => {
        if (!thread) return []
        const rows = [...thread.checkpoints.values()]
        const isEarlier = earlierThan(before, rows)
        return rows.filter(isEarlier).map(row => foundOf(thread, row))
      })
      .filter(row => namespace === undefined || row.namespace === namespace)
      .filter(row => (id === undefined || row.id === id) && (after === undefined || row.seq < after))
      .sort((one, other) => other.seq - one.seq)
      .slice(0, limit)
  }

  async parts(name: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { parts } = this.#open(name)
    return new Map(hashes.flatMap(hash => (parts.has(hash) ? [[hash, parts.get(hash) as Uint8Array]] : [])))
  }

  async effect(name: string, key: string): Promise<Effect | undefined> {
    return this.#open(name).effects.get(key)
  }

  async startEffect(
    name: string,
    guard: WriteGuard,
    { key, owner, before }: EffectStart,
  ): Promise<WriteAnswer | 'taken'> {
    const thread = this.#open(name)
    const answer = this.#admit(thread, guard, false)
    if (answer !== 'done') return answer
    const known = thread.effects.get(key)
    if (known?.state !== before?.state || known?.owner !== before?.owner) return 'taken'
    thread.effects.set(key, { state: 'started', owner })
    return 'done'
  }

  async settleEffect(name: string, key: string, effect: Effect): Promise<void> {
    const { effects } = this.#open(name)
    const known = effects.get(key)
    if (known?.state === 'started' || known?.state === 'unknown') effects.set(key, { ...known, ...effect })
  }

  async remove(name: string): Promise<void> {
    const thread = this.#threads.get(name)
    if (!thread) return
    const { epoch } = thread
    this.#threads.delete(name)
    this.#open(name).epoch = epoch + 1
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #admit(thread: MemoryThread, { epoch, leaseMs }: WriteGuard, checkLease = true): WriteAnswer {
    const now = this.#now()
    if (epoch === undefined) {
      if (!checkLease) return 'done'
      if (thread.leasedUntil > now) return 'leased'
      thread.epoch++
      thread.owner = undefined
      return 'done'
    }
    if (epoch !== thread.epoch) return 'fenced'
    thread.leasedUntil = leaseMs === 0 ? 0 : now + leaseMs
    thread.leasedAt = now
    return 'done'
  }

  #open(name: string): MemoryThread {
    this.#checkOpen()
    const known = this.#threads.get(name)
    if (known) return timely(known, this.#now())
    const made: MemoryThread = {
      ...{ name, epoch: 0, owner: undefined, leasedUntil: 0, leasedAt: 0 },
      ...{ checkpoints: new Map(), writes: new Map(), parts: new Map(), effects: new Map() },
    }
    this.#threads.set(name, made)
    return made
  }

  #checkOpen(): void {
    if (this.#closed) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
  }
}

/** A lease taken while the clock was ahead does not outlast its length after the clock is corrected. */
function timely(thread: MemoryThread, now: number): MemoryThread {
  const { leasedUntil, leasedAt } = thread
  if (leasedAt > now) {
    thread.leasedUntil = timesAfterClockSetBack({ leasedUntil, updatedAt: leasedAt }, now).leasedUntil
    thread.leasedAt = now
  }
  return thread
}

const keyOf = (...names: readonly string[]): string => JSON.stringify(names)

function foundOf(thread: MemoryThread, row: CheckpointRow & { readonly seq: number }): StoredCheckpoint {
  const writes = [...(thread.writes.get(keyOf(row.namespace, row.id))?.values() ?? [])]
  return { ...row, thread: thread.name, writes }
}

/**
 * By the order of writing among the checkpoints of one graph, otherwise by its id, which begins with a time: graphs within graphs do not wait for
 * each other's writes.
 */
function earlierThan(before: string | undefined, rows: readonly CheckpointPlace[]) {
  const known = rows.find(({ id }) => id === before)
  return ({ namespace, id, seq }: CheckpointPlace): boolean =>
    before === undefined || (known?.namespace === namespace ? seq < known.seq : id < before)
}

interface CheckpointPlace {
  readonly namespace: string
  readonly id: string
  readonly seq: number
}
