import { setTimeout as sleep } from 'node:timers/promises'
import { describeWithHint } from '../../../core/describe-error.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { printable } from '../../../core/printable.ts'
import type { CallPlace, Entry } from '../../entry.ts'
import { assertNotErased, isFullyErased } from '../../erasure/tombstone.ts'
import type { StoredMetadata } from '../../metadata/stored-metadata.ts'
import { preparePostgresWrite } from '../postgres/prepare-write.ts'
import { relocationOf } from '../postgres/relocation.ts'
import type { ScannedThread } from '../postgres/shard.ts'
import type { PostgresStore } from '../postgres/store.ts'
import type { EraseOptions, Erasure, Store, ThreadOrder, ThreadRow, Write, WriteResult } from '../store.ts'
import { arrived, birthShard, keyOf, localKey, localPositions } from './keys.ts'
import { homeOf, type Layout } from './layout.ts'
import { finishMove, moveThread, type ShardPlace, undoMove } from './move-thread.ts'
import type { Shard } from './shard.ts'

/**
 * Threads divided among several PostgreSQL databases by their names. It is a router and stores nothing: every operation on a thread goes to the one
 * database that has it, and only `due` and `list` go to all.
 */
export class ShardStore implements Store {
  readonly name = 'postgres'
  readonly layout: Layout
  readonly #shards: readonly Shard[]
  readonly #busyMs: number
  /** The shards of threads that have moved. */
  readonly #moved = new Map<number, number>()
  /** Since when a shard has not answered which threads are due. */
  readonly #unanswered = new Map<Shard, number>()
  /** When the unfinished moves of a shard are looked at again. */
  readonly #nextLook = new Map<Shard, number>()

  constructor(shards: readonly Shard[], layout: Layout, busyMs: number) {
    this.#shards = shards
    this.layout = layout
    this.#busyMs = busyMs
  }

  get size(): number {
    return this.#shards.length
  }

  async place(number: number): Promise<ShardPlace> {
    return { number, shard: (await this.#open(number)).shard }
  }

  async open(name: string): Promise<ThreadRow> {
    for (;;) {
      const [number, { settled }] = [homeOf(name, this.layout.settled), this.layout]
      const found = await this.#named(number, store => store.open(name))
      const row = found && assertNotErased(found)
      // An empty thread may have just been created by a process that does not know yet that the list has grown.
      if (!row || row.head > 0 || row.epoch > 0) return row ?? this.open(name)
      await this.#learn(number)
      const home = homeOf(name, this.layout.target)
      if (home === number) return row
      if (birthShard(row.thread) === number && !this.#moved.has(row.thread)) await this.#bringHome(row, number, home)
      else if (settled === this.layout.settled) return row
    }
  }

  async find(name: string): Promise<ThreadRow | undefined> {
    for (;;) {
      const number = homeOf(name, this.layout.settled)
      const row = await this.#named(number, store => store.find(name))
      if (row) return row
      await this.#learn(number)
      if (homeOf(name, this.layout.settled) === number) return undefined
    }
  }

  async get(thread: number): Promise<ThreadRow> {
    return this.#at(thread, async (store, local) => ({ ...(await store.get(local)), thread }))
  }

  async write(write: Write): Promise<WriteResult> {
    const { thread } = write
    const plan = preparePostgresWrite(write)
    return this.#at(thread, async (store, local, wasTried) => {
      const written = await store.writePrepared({ ...plan, thread: local }, wasTried)
      return written.ok ? written : { ...written, row: { ...written.row, thread } }
    })
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    return this.#at(thread, (store, local) => store.renew(local, epoch, leaseMs))
  }

  async read(thread: number, after: number, limit?: number): Promise<Entry[]> {
    return this.#at(thread, (store, local) => store.read(local, after, limit))
  }

  /** A shard that does not answer in time is left out: its threads wait, and no others. */
  async due(limit: number): Promise<ThreadRow[]> {
    const answers = await Promise.allSettled(this.#shards.map(shard => this.#dueAt(shard, limit)))
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
    const [failure] = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
    if (found.length === 0) throw failure
    const rows = found.flat().sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || one.thread - other.thread)
    return rows.slice(0, limit)
  }

  /** Shards are asked in their order: a thread that moves meanwhile only goes to a later one, so that it is found in one or both. */
  async list(after: number, limit: number, order: ThreadOrder = 'oldest'): Promise<ThreadRow[]> {
    const found = new Map<number, ThreadRow>()
    for (const { number } of this.#shards) {
      const store = await this.#open(number)
      const [own, immigrated] = localPositions(after, number, order)
      const [newest, oldest] = [order === 'newest', order === 'oldest']
      const pages = [await store.list(oldest ? own : Math.min(own, arrived), limit, order)]
      if (oldest || after > 0) pages.push(await store.list(immigrated, limit, order))
      const rows = pages.flat().map(row => ({ ...row, thread: keyOf(row.thread, number) }))
      for (const row of rows) {
        const isAfter = newest ? row.thread < after : row.thread > after
        if (isAfter && !found.has(row.thread)) found.set(row.thread, row)
      }
    }
    const sorted = [...found.values()].sort((one, other) => one.thread - other.thread)
    return (order === 'newest' ? sorted.reverse() : sorted).slice(0, limit)
  }

  /** Reads the row first: it throws if the thread has moved. The shard that it has left would answer that there are no calls. */
  async agentCalls(thread: number): Promise<CallPlace[]> {
    return this.#at(thread, async (store, local) => {
      await store.get(local)
      return store.agentCalls(local)
    })
  }

  async describe(thread: number, metadata: StoredMetadata): Promise<boolean> {
    return this.#at(thread, (store, local) => store.describe(local, metadata))
  }

  async erase(thread: number, options?: EraseOptions): Promise<Erasure> {
    return this.#at(thread, async (store, local) => {
      const row = await store.get(local)
      // The name in this shard is removed last, so that an interrupted erasure is found and repeated.
      if (row.state === 'erased') await this.#forget(thread, row)
      const erasure = await store.erase(local, options)
      // Another process may have done all of this meanwhile.
      if (erasure === 'erased') await this.#forget(thread, row)
      return erasure
    })
  }

  /** The clock of the first shard that answers: the clocks of all servers should be equal. */
  async now(): Promise<number> {
    const answering = this.#shards.filter(shard => !this.#isAway(shard))
    const asked = (answering.length > 0 ? answering : this.#shards).map(async shard => (await shard.store()).now())
    return Promise.any(asked).catch(({ errors }: AggregateError) => {
      throw errors[0]
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#shards.map(shard => shard.close()))
  }

  async #open(number: number): Promise<PostgresStore> {
    const shard = this.#shards[number - 1]
    if (!shard) throw unknownShard(number, this.size)
    return shard.store()
  }

  /** Finds a thread by its name, and follows it if it has moved. */
  async #named(
    number: number,
    look: (store: PostgresStore) => Promise<ThreadRow | undefined>,
  ): Promise<ThreadRow | undefined> {
    try {
      const row = await look(await this.#open(number))
      return row && { ...row, thread: keyOf(row.thread, number) }
    } catch (error) {
      const relocation = relocationOf(error)
      if (relocation?.phase !== 'moved') throw error
      const key = keyOf(relocation.thread, number)
      this.#remember(key, relocation.shard)
      return this.get(key)
    }
  }

  /** Works on a thread where it is. While it moves, it can be read, and other work waits. */
  async #at<T>(key: number, work: (store: PostgresStore, local: number, wasTried: boolean) => Promise<T>): Promise<T> {
    let end: number | undefined
    // An earlier attempt may have been stored before the thread moved.
    let wasTried = false
    for (;;) {
      const number = this.#moved.get(key) ?? birthShard(key)
      if (number > this.size && !this.#moved.has(key)) throw unknownKey(key)
      const store = this.#shards[number - 1]?.opened ?? (await this.#open(number))
      const local = localKey(key, number)
      try {
        return await work(store, local, wasTried)
      } catch (error) {
        const relocation = relocationOf(error)
        if (!relocation) throw error
        wasTried ||= AntiphonError.is(error) && error.data?.doubtful === true
        if (relocation.phase === 'moved') this.#remember(key, relocation.shard)
        else if (relocation.phase === 'arriving') await store.shard.endMove(local, relocation)
        else {
          end ??= performance.now() + this.#busyMs
          const found = await store.shard.scanOne(local)
          if (found) await this.#undo(found, { number, shard: store.shard })
          if (performance.now() > end) throw isMoving(wasTried)
          await sleep(10 + Math.random() * 40)
        }
      }
    }
  }

  /** Erases what is left of a thread in other shards: those that it has left, and the one to which it was about to move. */
  async #forget(thread: number, row: ThreadRow): Promise<void> {
    if (isFullyErased(row)) return
    const number = this.#moved.get(thread) ?? birthShard(thread)
    const others = this.#shards.filter(shard => shard.number < number && shard.number >= birthShard(thread))
    const home = homeOf(row.name, this.size)
    for (const other of [...others.map(shard => shard.number), ...(home > number ? [home] : [])])
      await (await this.#open(other)).shard.removeRemains(localKey(thread, other), row.name)
  }

  async #undo(found: ScannedThread, from: ShardPlace): Promise<void> {
    const { relocation } = found
    // If the other shard cannot be reached, the copy stays there until the next `rebalance`.
    if (relocation) await undoMove(found, from, () => this.place(relocation.shard)).catch(() => {})
  }

  #remember(key: number, shard: number): void {
    if (this.#moved.size >= movedMax) this.#moved.clear()
    this.#moved.set(key, shard)
  }

  /** Reads whether the list has grown. */
  async #learn(number: number): Promise<void> {
    const mark = await (await this.#open(number)).shard.mark()
    if (mark) this.layout.learn(mark)
    if (this.layout.target > this.size) throw unknownShard(this.layout.target, this.size)
  }

  /** Moves an empty thread to the shard in which the longer list looks for it. */
  async #bringHome({ thread }: ThreadRow, number: number, home: number): Promise<void> {
    const [from, to] = [await this.place(number), await this.place(home)]
    const found = await from.shard.scanOne(localKey(thread, number))
    if (found?.relocation) await this.#undo(found, from)
    else if (found && (await moveThread(found, from, to)) !== 'busy') return
    await sleep(10 + Math.random() * 40)
  }

  /**
   * Undoes or finishes the moves of processes that have stopped: until then their threads are not due, even if input waits in them. It is not
   * waited for, since the other shard of a move may not answer.
   */
  async #completeMoves(from: ShardPlace, shard: Shard): Promise<void> {
    if (performance.now() < (this.#nextLook.get(shard) ?? 0)) return
    this.#nextLook.set(shard, Number.POSITIVE_INFINITY)
    const found = await from.shard.unfinishedMoves(unfinishedMax).catch(() => [])
    for (const one of found) {
      const { relocation } = one
      if (relocation?.phase === 'moved')
        await this.place(relocation.shard)
          .then(to => finishMove(one, from, to))
          .catch(() => {})
      else await this.#undo(one, from)
    }
    this.#nextLook.set(shard, performance.now() + lookMs)
  }

  #isAway(shard: Shard): boolean {
    const since = this.#unanswered.get(shard)
    return since !== undefined && performance.now() - since > patienceMs
  }

  async #dueAt(shard: Shard, limit: number): Promise<ThreadRow[]> {
    if (this.#isAway(shard)) return []
    const none = sleep(patienceMs, [], { ref: false })
    return Promise.race([this.#askDue(shard, limit), none])
  }

  async #askDue(shard: Shard, limit: number): Promise<ThreadRow[]> {
    const { number } = shard
    if (!this.#unanswered.has(shard)) this.#unanswered.set(shard, performance.now())
    try {
      const store = await shard.store()
      void this.#completeMoves({ number, shard: store.shard }, shard)
      const rows = await store.due(limit)
      return rows.map(row => ({ ...row, thread: keyOf(row.thread, number) }))
    } catch (error) {
      if (this.size > 1)
        process.emitWarning(printable(`shard ${number}: ${describeWithHint(error)}`), { code: 'ANTIPHON_SHARD' })
      throw error
    } finally {
      this.#unanswered.delete(shard)
    }
  }
}

/** How long to wait for the due threads of one shard before taking those of the others. */
const patienceMs = 1_000

/** How often a process that asks for due threads looks for unfinished moves, and how many it completes at a time. */
const [lookMs, unfinishedMax] = [2_000, 100]

/** How many threads that have moved are remembered; the shards of all others are looked up. */
const movedMax = 100_000

const unknownKey = (key: number): AntiphonError =>
  new AntiphonError('unknown-thread', `unknown thread key ${key}`, { hint: 'open the thread by its name first' })

const unknownShard = (number: number, size: number): AntiphonError =>
  new AntiphonError('wrong-shard', `this process was given ${size} shards, and the journal has at least ${number}`, {
    hint: 'open the journal with the complete list of its shards',
  })

const isMoving = (wasTried: boolean): AntiphonError =>
  new AntiphonError('journal-busy', 'the thread is being moved to another shard', {
    hint: wasTried
      ? 'the last write may or may not be stored; submit it again with the same key, and it is stored once'
      : 'retry; nothing of this write was stored',
    doubtful: wasTried,
  })
