import { AntiphonError } from '../../../core/errors.ts'
import { timerDelay } from '../../../core/timer-delay.ts'

/**
 * Limits how many statements write at the same time. A write locks the row of its thread, and the next write to that thread
 * waits in the server, on a connection that nothing else can use. So only a few writes per thread run in parallel, and some
 * connections are kept for reads. The other writes wait here: first in, first out per thread, and round-robin across threads.
 */
export class ThreadLimiter {
  readonly #limits: Limits
  readonly #waitMs: number
  readonly #threads = new Map<number, ThreadQueue>()
  /** The threads with waiting writes, the next one first. */
  readonly #queues: Record<WriteKind, Set<ThreadQueue>> = { renewal: new Set(), write: new Set() }
  #running = 0
  /** How many run in parallel to another write of their thread. */
  #extra = 0

  /** A write that has waited for `waitMs` is rejected, and nothing of it was sent. */
  constructor(connections: number, waitMs: number) {
    this.#limits = limitsFor(connections)
    this.#waitMs = waitMs
  }

  async run<T>(kind: WriteKind, thread: number, work: () => Promise<T>): Promise<T> {
    const queue = this.#threads.get(thread) ?? { thread, parallel: 1, running: 0, renewal: new Set(), write: new Set() }
    this.#threads.set(thread, queue)
    // First in, first out: if a write of the same kind waits for this thread, there is no room.
    if (this.#hasRoom(kind, queue)) this.#enter(queue)
    else await this.#wait(kind, queue)
    try {
      const result = await work()
      // A success allows one more write in parallel, so that a row that stays locked occupies one connection.
      queue.parallel = Math.min(queue.parallel + 1, parallelMax)
      return result
    } finally {
      this.#leave(queue)
    }
  }

  /** A renewal does not wait for a large write that is still being sent. */
  #hasRoom(kind: WriteKind, { running, parallel }: ThreadQueue): boolean {
    if (this.#running >= this.#limits[kind]) return false
    return running === 0 || ((kind === 'renewal' || running < parallel) && this.#extra < this.#limits.extra)
  }

  #enter(queue: ThreadQueue): void {
    if (queue.running > 0) this.#extra++
    queue.running++
    this.#running++
  }

  #leave(queue: ThreadQueue): void {
    this.#running--
    queue.running--
    if (queue.running > 0) this.#extra--
    this.#startNext('renewal')
    this.#startNext('write')
    this.#forget(queue)
  }

  /** Skips only threads with a running write, so the loop is short. */
  #startNext(kind: WriteKind): void {
    const waiting = this.#queues[kind]
    for (const queue of waiting) {
      if (this.#running >= this.#limits[kind]) return
      const [proceed] = queue[kind]
      if (!proceed || !this.#hasRoom(kind, queue)) continue
      this.#enter(queue)
      proceed()
      // Round-robin: to the end of the queue, which this loop reaches again.
      if (waiting.delete(queue)) waiting.add(queue)
    }
  }

  /** Resolved by the write that makes room, which has counted this one as running. */
  #wait(kind: WriteKind, queue: ThreadQueue): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (then: () => void) => () => {
        clearTimeout(timer)
        queue[kind].delete(proceed)
        if (queue[kind].size === 0) this.#queues[kind].delete(queue)
        then()
      }
      const proceed = stop(resolve)
      const giveUp = stop(() => {
        this.#forget(queue)
        reject(heldUpError())
      })
      const timer = setTimeout(giveUp, timerDelay(this.#waitMs))
      queue[kind].add(proceed)
      this.#queues[kind].add(queue)
    })
  }

  #forget({ thread, running, renewal, write }: ThreadQueue): void {
    if (running + renewal.size + write.size === 0) this.#threads.delete(thread)
  }
}

type WriteKind = 'renewal' | 'write'

/** The waiting writes of a thread by their kind, in order of arrival. */
interface ThreadQueue extends Readonly<Record<WriteKind, Set<() => void>>> {
  readonly thread: number
  /** How many writes may run at once. */
  parallel: number
  running: number
}

/** How many statements may run at once before one of that kind waits, and how many in parallel to another of their thread. */
interface Limits extends Readonly<Record<WriteKind, number>> {
  readonly extra: number
}

/**
 * Two connections are never used for writes, and one of these also not for renewals; with fewer than four connections it is
 * one, with a single connection none. Each locked thread occupies one connection and its extra ones. The extra ones are limited to half of the
 * connections for writes, so that a write to another thread finds one.
 */
function limitsFor(connections: number): Limits {
  const without = (kept: number): number => Math.max(1, connections - Math.min(kept, Math.floor(connections / 2)))
  const write = without(2)
  return { renewal: without(1), write, extra: Math.max(0, Math.min(Math.floor(write / 2), write - 2)) }
}

/** More do not make writes to one thread faster. */
const parallelMax = 5

const heldUpError = (): AntiphonError =>
  new AntiphonError('journal-busy', 'earlier writes, to this thread or to many others, have not finished', {
    hint: 'retry, and look for what keeps threads locked in the database; nothing of this write was stored',
  })
