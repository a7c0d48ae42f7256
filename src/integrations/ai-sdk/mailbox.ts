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

  get isEmpty(): boolean {
    return this.#values.length === 0
  }

  push(value: Value): void {
    this.#values.push(value)
    this.#wake()
  }

  /** Undefined once the signal is aborted. */
  async next(): Promise<Value | undefined> {
    while (this.isEmpty && !this.#signal.aborted)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return this.#signal.aborted ? undefined : this.#values.take()
  }
}
