import { getEventListeners } from 'node:events'

/**
 * Whether a LangGraph run is still active. LangGraph does not report the end of a run, but while it is consumed or a node is running, it
 * listens for the abort signal. Between two steps there may be a moment without a listener.
 */
export class RunLiveness {
  readonly #signal: AbortSignal | undefined
  #wasAlive = false
  #silent = 0

  constructor(signal: AbortSignal | undefined, onAbort: () => void) {
    this.#signal = signal
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#wasAlive = this.#isListening()
  }

  /** `gone` if it was alive before, and is missing for the second time; `unknown` if it never listened. */
  poll(isBusy: boolean): 'alive' | 'gone' | 'unknown' {
    const isAlive = this.#isListening()
    this.#wasAlive ||= isAlive
    this.#silent = isAlive || isBusy ? 0 : this.#silent + 1
    if (isAlive) return 'alive'
    return this.#wasAlive && this.#silent > 1 ? 'gone' : 'unknown'
  }

  /** Whether there are listeners besides our own. */
  #isListening(): boolean {
    const { aborted } = this.#signal ?? { aborted: true }
    return !aborted && getEventListeners(this.#signal as AbortSignal, 'abort').length > 1
  }
}
