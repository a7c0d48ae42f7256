/**
 * Says when to look at the agents of a chat again. Each of their calls has events, and a look takes time in proportion to all of their calls: so
 * many events are one look, and between two looks there is as much time as the last one took.
 */
export class AgentLooks {
  readonly #look: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #restsUntil = 0

  constructor(look: () => void) {
    this.#look = look
  }

  /** Something has happened. */
  request(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#look()
      },
      Math.max(0, this.#restsUntil - performance.now()),
    )
  }

  async measure<T>(look: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await look()
    } finally {
      const end = performance.now()
      this.#restsUntil = end + (end - start)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
