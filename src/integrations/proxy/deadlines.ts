/** A function that is called when its time is over. */
export type Deadline = () => void

/** Deadlines that are all equally far ahead. Most are deleted at once, and setting a timer for each would cost more. */
export class Deadlines {
  readonly #ms: number
  readonly #due = new Map<Deadline, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.#ms = ms
  }

  add(deadline: Deadline): Deadline {
    this.#due.set(deadline, performance.now() + this.#ms)
    this.#timer ??= setTimeout(this.#call, this.#ms).unref()
    return deadline
  }

  delete(deadline: Deadline): void {
    this.#due.delete(deadline)
  }

  /** Calls what is due, and waits for the next if there is one. */
  readonly #call = (): void => {
    this.#timer = undefined
    const now = performance.now()
    for (const [deadline, due] of this.#due) {
      if (due > now) {
        this.#timer ??= setTimeout(this.#call, Math.ceil(due - now)).unref()
        return
      }
      this.#due.delete(deadline)
      deadline()
    }
  }
}
