import { getEventListeners } from 'node:events'

/**
 * Whether a run of LangGraph is still there. It does not say when it ends, but as long as somebody reads it, or a node
 * of it is under way, it listens for the signal that would abort it. Between two steps there may be a moment in which it does not.
 */
export class Pulse {
  readonly #signal: AbortSignal | undefined
  #wasFelt = false
  #silent = 0

  constructor(signal: AbortSignal | undefined, onAbort: () => void) {
    this.#signal = signal
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#wasFelt = this.#isListening()
  }

  /** `gone` if it was there before, and is not there for the second time. `unknown` where nobody ever listened. */
  feel(isBusy: boolean): 'alive' | 'gone' | 'unknown' {
    const isAlive = this.#isListening()
    this.#wasFelt ||= isAlive
    this.#silent = isAlive || isBusy ? 0 : this.#silent + 1
    if (isAlive) return 'alive'
    return this.#wasFelt && this.#silent > 1 ? 'gone' : 'unknown'
  }

  /** Whether somebody but us listens. */
  #isListening(): boolean {
    const { aborted } = this.#signal ?? { aborted: true }
    return !aborted && getEventListeners(this.#signal as AbortSignal, 'abort').length > 1
  }
}
