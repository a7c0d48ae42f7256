/** First in, first out. Values are removed from the array many at once: one by one, `shift` would move all that follow each time. */
export class Queue<Value> {
  #values: Value[] = []
  /** How many of them were taken. */
  #taken = 0

  get length(): number {
    return this.#values.length - this.#taken
  }

  /** The values that were not taken, the oldest first. */
  get rest(): Value[] {
    return this.#values.slice(this.#taken)
  }

  push(value: Value): void {
    this.#values.push(value)
  }

  /** The oldest value; undefined if there is none. */
  take(): Value | undefined {
    const value = this.#values[this.#taken]
    if (this.#taken < this.#values.length) this.#taken++
    if (2 * this.#taken >= this.#values.length) {
      this.#values = this.#values.slice(this.#taken)
      this.#taken = 0
    }
    return value
  }

  clear(): void {
    this.#values = []
    this.#taken = 0
  }
}
