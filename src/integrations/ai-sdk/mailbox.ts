import { Queue } from '../../core/queue.ts'

/** A queue of values: put at any time, taken one after another. */
export class Mailbox<Value> {
  readonly #values = new Queue<Value>()
  #wake: () => void = () => {}
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake(), { once: true })
  }

  push(value: Value): void {
    this.#values.push(value)
    this.#wake()
  }

  /** Undefined once the signal is aborted. */
  async next(): Promise<Value | undefined> {
    while (this.#values.length === 0 && !this.#signal.aborted)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return this.#signal.aborted ? undefined : this.#values.take()
  }
}
