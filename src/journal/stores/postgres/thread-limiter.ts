import { AntiphonError } from '../../../core/errors.ts'

/**
 * Who changes a thread locks its row, and who comes next waits for that inside the server, on a connection that nobody else
 * can use meanwhile. So only so many are let through: few to one thread, few beyond the first of each, and of all of them so
 * many that questions find a connection. The others wait here, those of a thread in the order they came, threads by turns.
 */
export class ThreadLimiter {
  readonly #limits: Limits
  readonly #waitMs: number
  readonly #lines = new Map<number, ThreadQueue>()
  /** The lines in which somebody waits, the next one first. */
  readonly #queues: Record<WriteKind, Set<ThreadQueue>> = { renewal: new Set(), write: new Set() }
  #passing = 0
  /** How many pass beside another one of their line. */
  #beside = 0

  /** Who has waited for `waitMs` gives up, and nothing of it was sent. */
  constructor(connections: number, waitMs: number) {
    this.#limits = limitsFor(connections)
    this.#waitMs = waitMs
  }

  async run<T>(sort: WriteKind, thread: number, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(thread) ?? { thread, parallel: 1, running: 0, renewal: new Set(), write: new Set() }
    this.#lines.set(thread, line)
    // Nobody is overtaken: where one of the same sort waits in this line there is no room.
    if (this.#hasRoom(sort, line)) this.#enter(line)
    else await this.#wait(sort, line)
    try {
      const result = await work()
      // Where one has come through there is room for one more, so a row that is locked all along takes up one connection.
      line.parallel = Math.min(line.parallel + 1, parallelMax)
      return result
    } finally {
      this.#leave(line)
    }
  }

  /** A renewal does not stand behind a large write that is still on its way to the server. */
  #hasRoom(sort: WriteKind, { running: passing, parallel: abreast }: ThreadQueue): boolean {
    if (this.#passing >= this.#limits[sort]) return false
    return passing === 0 || ((sort === 'renewal' || passing < abreast) && this.#beside < this.#limits.extra)
  }

  #enter(line: ThreadQueue): void {
    if (line.running > 0) this.#beside++
    line.running++
    this.#passing++
  }

  #leave(line: ThreadQueue): void {
    this.#passing--
    line.running--
    if (line.running > 0) this.#beside--
    this.#letIn('renewal')
    this.#letIn('write')
    this.#forget(line)
  }

  /** Looks in vain only at lines of which somebody is passing, and so at few. */
  #letIn(sort: WriteKind): void {
    const queue = this.#queues[sort]
    for (const line of queue) {
      if (this.#passing >= this.#limits[sort]) return
      if (!this.#hasRoom(sort, line)) continue
      const [goOn] = line[sort]
      this.#enter(line)
      goOn()
      // To the end, where this loop comes by again.
      if (queue.delete(line)) queue.add(line)
    }
  }

  /** Resolved by who makes room, and has counted us in. */
  #wait(sort: WriteKind, line: ThreadQueue): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (then: () => void) => () => {
        clearTimeout(timer)
        line[sort].delete(goOn)
        if (line[sort].size === 0) this.#queues[sort].delete(line)
        then()
      }
      const goOn = stop(resolve)
      const giveUp = stop(() => {
        this.#forget(line)
        reject(heldUpError())
      })
      const timer = setTimeout(giveUp, this.#waitMs)
      line[sort].add(goOn)
      this.#queues[sort].add(line)
    })
  }

  #forget({ thread, running: passing, renewal, write }: ThreadQueue): void {
    if (passing + renewal.size + write.size === 0) this.#lines.delete(thread)
  }
}

type WriteKind = 'renewal' | 'write'

/** Those who wait are there by their sort, in the order they came. */
interface ThreadQueue extends Readonly<Record<WriteKind, Set<() => void>>> {
  readonly thread: number
  /** How many writes are let through at once. */
  parallel: number
  running: number
}

/** How many pass at once: of all, before one of that sort has to wait, and of those beside another one of their line. */
interface Limits extends Readonly<Record<WriteKind, number>> {
  readonly extra: number
}

/**
 * Two connections are not for writes, one of them not for renewals either; of fewer than four only one, of one none. Locked
 * threads take up one each, and what they have beside: if that is half of what writes have, and never all but one, a write
 * to another thread finds a connection.
 */
function limitsFor(connections: number): Limits {
  const without = (kept: number): number => Math.max(1, connections - Math.min(kept, Math.floor(connections / 2)))
  const write = without(2)
  return { renewal: without(1), write, extra: Math.max(0, Math.min(Math.floor(write / 2), write - 2)) }
}

/** More of them do not make the writes to one thread faster. */
const parallelMax = 5

const heldUpError = (): AntiphonError =>
  new AntiphonError('journal-busy', 'earlier writes, to this thread or to many others, are held up', {
    hint: 'Try again, and look for who keeps threads locked in the database. Nothing of this write was stored.',
  })
