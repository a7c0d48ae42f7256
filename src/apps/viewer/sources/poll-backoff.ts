/** Polling intervals with exponential backoff: short after a change, longer while nothing happens. */
export class PollBackoff {
  readonly #waits = new Set<() => void>()

  /** Ends all waits, because something has changed. */
  wake(): void {
    for (const wake of [...this.#waits]) wake()
  }

  start(signal: AbortSignal, firstMs = 25): PollTimer {
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

export interface PollTimer {
  /** Something has changed: the next wait is short. */
  reset(): void
  next(): Promise<void>
}

const longestMs = 1_000
