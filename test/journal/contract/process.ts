import { Journal } from '../../../src/journal/journal.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import type { ThreadOptions } from '../../../src/journal/thread-options.ts'
import type { PausingClock } from './pausing-clock.ts'

/** What a process has of a journal: a store, a clock, and a state of its own. */
export class Process {
  readonly store: Store
  readonly clock: PausingClock
  readonly journal: Journal

  constructor(store: Store, clock: PausingClock, name: string) {
    this.store = store
    this.clock = clock
    this.journal = new Journal(store, clock, name)
  }

  thread(options: ThreadOptions = {}, name = 't'): Thread {
    return this.journal.thread(name, options)
  }

  /** It sleeps: it renews no lease and hears of nothing. If it never wakes up, it has crashed. */
  pause(): void {
    this.clock.pause()
  }

  resume(): void {
    this.clock.resume()
  }
}
