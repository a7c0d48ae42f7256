import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal, Thread, ThreadMetadata } from '../../src/journal/index.ts'
import { Acknowledged } from '../journal/invariants/acknowledged.ts'
import { wordOf } from '../journal/invariants/words.ts'
import type { Counters } from './counters.ts'
import { codeOf } from './open-again.ts'
import { type Dialect, expiry, threadOptions } from './settings.ts'
import type { View } from './watcher.ts'

/** What each simulated user was told, thread by thread, and may rely on. */
export interface Promises {
  readonly acknowledged: Acknowledged
  /** The messages of AG-UI clients whose run did not end with an error. */
  readonly taken: Set<string>
  /** The branches that were made, and where. */
  readonly forks: { readonly branch: number; readonly at: number }[]
  metadata: ThreadMetadata
  /** When the last write began of which it is known that it was made. */
  touchedAt: number
}

export interface Place {
  readonly dialect: Dialect
  readonly name: string
}

/** What all users share. */
export class World {
  readonly seed: number
  readonly counters: Counters
  /** Where the AG-UI clients and the plain ones find their servers. */
  readonly agents: string
  readonly proxy: string
  /** Aborted when nobody is to say anything new. */
  readonly over: AbortSignal
  /** The threads that a user has erased. */
  readonly erased = new Set<string>()
  /** Where each user is just now. */
  readonly current = new Map<string, Place>()
  /** When threads have expired last. */
  expiredAt = 0
  /** What those have seen who watch. */
  readonly views: View[] = []
  /** What should not have happened. */
  readonly problems: string[] = []
  readonly #journals: ReadonlyMap<Dialect, readonly Journal[]>
  readonly #promises = new Map<string, Promises>()
  #words = 0

  constructor(
    options: Pick<World, 'seed' | 'counters' | 'agents' | 'proxy' | 'over'> & { journals: World['journals'] },
  ) {
    this.seed = options.seed
    this.counters = options.counters
    this.agents = options.agents
    this.proxy = options.proxy
    this.over = options.over
    this.#journals = options.journals
  }

  get journals(): ReadonlyMap<Dialect, readonly Journal[]> {
    return this.#journals
  }

  /** A thread as one of several processes sees it: `twin` is another one, with connections of its own. */
  thread(dialect: Dialect, name: string, twin = 0): Thread {
    return this.journal(dialect, twin).thread(name, threadOptions(dialect))
  }

  journal(dialect: Dialect, twin = 0): Journal {
    const journal = this.#journals.get(dialect)?.[twin]
    if (!journal) throw new Error(`there is no journal of ${dialect}`)
    return journal
  }

  /** Every thread in which somebody was told something. */
  get promised(): ReadonlyMap<string, Promises> {
    return this.#promises
  }

  promises(dialect: Dialect, name: string): Promises {
    const key = `${dialect}, ${name}`
    const known = this.#promises.get(key) ?? {
      ...{ acknowledged: new Acknowledged(), taken: new Set(), forks: [] },
      ...{ metadata: { labels: [] }, touchedAt: Number.NEGATIVE_INFINITY },
    }
    this.#promises.set(key, known)
    return known
  }

  /** A word that comes up once. */
  word(what: 'in' | 'out'): string {
    return wordOf(what, process.pid * 1_000_000 + this.#words++)
  }

  /** Does something in a thread, which may be gone if it was not in use for so long that it may have expired. */
  async visit(user: string, place: Place, deed: () => Promise<void>): Promise<void> {
    this.current.set(user, place)
    try {
      await deed()
    } catch (error) {
      const isExpired = codeOf(error) === 'thread-erased' && mayExpire(this.promises(place.dialect, place.name))
      if (!isExpired) throw error
      this.counters.count('expired in use')
    }
  }

  /** Does it until the journal can be reached: what failed may be asked for again, that is what keys are for. */
  async insist<T>(deed: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await deed()
      } catch (error) {
        const code = codeOf(error)
        if (!code.startsWith('journal-') || tries === 20) throw error
        this.counters.count(`asked again after ${code}`)
        await sleep(100)
      }
    }
  }
}

/** Whether a thread may have expired by then: it is not to be kept, and nothing was written to it for long enough. */
export const mayExpire = ({ metadata: { labels }, touchedAt }: Promises, by = Date.now()): boolean =>
  !labels.includes(expiry.keepLabel) && touchedAt <= by - expiry.idleMs
