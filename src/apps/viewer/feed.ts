/**
 * The latest value of each key, and listeners for changes. A slow listener misses no key, only values that were replaced in the
 * meantime, so its queue never has more than one value per key.
 */
export class Feed<Value> {
  readonly #now = new Map<string, Value>()
  readonly #listeners = new Set<Listener<Value>>()

  publish(key: string, value: Value): void {
    this.#now.set(key, value)
    for (const { waiting, wake } of this.#listeners) {
      waiting.set(key, value)
      wake()
    }
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  values(): IterableIterator<Value> {
    return this.#now.values()
  }

  /** Yields the current values, then every change, until the signal is aborted. */
  async *listen(signal: AbortSignal): AsyncGenerator<Value> {
    let wake = (): void => {}
    const listener: Listener<Value> = { waiting: new Map(this.#now), wake: () => wake() }
    this.#listeners.add(listener)
    const end = (): void => wake()
    signal.addEventListener('abort', end)
    try {
      while (!signal.aborted) {
        for (const [key, value] of listener.waiting) {
          listener.waiting.delete(key)
          yield value
          if (signal.aborted) return
        }
        if (listener.waiting.size > 0 || signal.aborted) continue
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    } finally {
      signal.removeEventListener('abort', end)
      this.#listeners.delete(listener)
    }
  }
}

interface Listener<Value> {
  readonly waiting: Map<string, Value>
  wake(): void
}
