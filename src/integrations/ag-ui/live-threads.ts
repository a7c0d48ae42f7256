import type { ReplyDelta } from '../../codecs/shared/reply.ts'

/** Hears the words of a model while they come. */
export interface Listener {
  delta(delta: ReplyDelta): void
  retract(): void
}

/**
 * The threads that runs of this process are about. What the owner of a turn streams is heard by every run on its thread; one
 * that comes in the middle of a step is first told what has come of it. Steps that are recorded are in the journal.
 */
export class LiveThreads {
  readonly #threads = new Map<string, LiveThread>()

  /** Listens to a thread, until the function that comes back is called. */
  join(name: string, listener: Listener): { readonly live: LiveThread; leave(): void } {
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
  readonly #listeners = new Set<Listener>()
  /** What has come since the last response. */
  #soFar: ReplyDelta[] = []

  add(listener: Listener): void {
    for (const delta of this.#soFar) listener.delta(delta)
    this.#listeners.add(listener)
  }

  remove(listener: Listener): number {
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

  /** What came is recorded, or will never be: whoever comes now reads the journal. */
  clear(): void {
    this.#soFar = []
  }
}
