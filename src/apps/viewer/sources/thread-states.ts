import { evolve, initialState, type ThreadState } from '../../../journal/fold.ts'
import { readEntries } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'

/** A cache of folded threads: of a cached thread only new entries are read. */
export class ThreadStates {
  readonly #store: Store
  readonly #states = new Map<number, { readonly state: ThreadState; last: Promise<unknown> }>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Calls `see` with the current state of a thread. The state changes later, so `see` must not keep it. */
  read<Seen>(row: ThreadRow, see: (state: ThreadState) => Seen): Promise<Seen> {
    const known = this.#states.get(row.thread) ?? { state: initialState(row.uid), last: Promise.resolve() }
    this.#states.delete(row.thread)
    this.#states.set(row.thread, known)
    for (const thread of this.#states.keys()) {
      if (this.#states.size <= statesMax) break
      this.#states.delete(thread)
    }
    // One at a time, so that each entry is applied once.
    const seen = known.last.then(async () => {
      for await (const entry of readEntries(this.#store, row, known.state.head)) evolve(known.state, entry)
      return see(known.state)
    })
    known.last = seen.catch(() => this.#states.delete(row.thread))
    return seen
  }
}

const statesMax = 8
