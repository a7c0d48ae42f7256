/** How often something is looked at again: soon after it changed, and more and more seldom while nothing happens. */
export class Patience {
  readonly #waits = new Set<() => void>()

  /** Ends all waits: something has happened here. */
  wake(): void {
    for (const wake of [...this.#waits]) wake()
  }

  start(signal: AbortSignal, firstMs = 25): Waiting {
    let ms = firstMs
    return {
      reset() {
        ms = firstMs / 2
      },
      next: () => {
        ms = Math.min(ms * 2, longestMs)
        return this.#sleep(ms, signal)
      },
    }
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waits.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#waits.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  }
}

export interface Waiting {
  /** Something has changed: the next look comes soon. */
  reset(): void
  next(): Promise<void>
}

const longestMs = 1_000
