import type { ReplyDelta } from '../../codecs/shared/reply.ts'

/** Gets the deltas of a model while they arrive. */
export interface DeltaListener {
  delta(delta: ReplyDelta): void
  retract(): void
}

/**
 * The threads with runs in this process. Every run on a thread gets the deltas of its current turn; a run that joins in the middle of a step
 * first gets the deltas so far. Recorded steps are in the journal.
 */
export class LiveThreads {
  readonly #threads = new Map<string, LiveThread>()

  /** Listens to a thread, until `leave` is called. */
  join(name: string, listener: DeltaListener): { readonly live: LiveThread; leave(): void } {
    const live = this.#threads.get(name) ?? new LiveThread()
    this.#threads.set(name, live)
    live.add(listener)
    return {
      live,
      leave: () => {
        if (live.remove(listener) === 0) this.#threads.delete(name)
      },
    }
  }
}

export class LiveThread {
  readonly #listeners = new Set<DeltaListener>()
  /** The deltas since the last response. */
  #soFar: ReplyDelta[] = []

  add(listener: DeltaListener): void {
    for (const delta of this.#soFar) listener.delta(delta)
    this.#listeners.add(listener)
  }

  remove(listener: DeltaListener): number {
    this.#listeners.delete(listener)
    return this.#listeners.size
  }

  delta(delta: ReplyDelta): void {
    this.#soFar.push(delta)
    for (const listener of this.#listeners) listener.delta(delta)
  }

  retract(): void {
    this.#soFar = []
    for (const listener of this.#listeners) listener.retract()
  }

  /** The deltas are recorded or discarded: a run that joins now reads the journal. */
  clear(): void {
    this.#soFar = []
  }
}
