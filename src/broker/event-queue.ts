/** Events for those who read them, from the moment on that they ask. Nothing is kept for nobody. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #readers = new Set<Reader<Event>>()
  #isOver = false
  #error: unknown

  push(event: Event): void {
    for (const reader of this.#readers) {
      reader.events.push(event)
      reader.wake()
    }
  }

  /** Nothing comes any more. An error comes out behind the last event. */
  end(error?: unknown): void {
    this.#isOver = true
    this.#error = error
    for (const { wake } of this.#readers) wake()
  }

  [Symbol.asyncIterator](): AsyncGenerator<Event> {
    const reader: Reader<Event> = { events: [], wake: () => {} }
    this.#readers.add(reader)
    return this.#read(reader)
  }

  async *#read(reader: Reader<Event>): AsyncGenerator<Event> {
    try {
      for (;;) {
        const events = reader.events.splice(0)
        yield* events
        if (reader.events.length > 0) continue
        if (this.#isOver) break
        await new Promise<void>(resolve => {
          reader.wake = resolve
        })
      }
    } finally {
      this.#readers.delete(reader)
    }
    if (this.#error !== undefined) throw this.#error
  }
}

interface Reader<Event> {
  readonly events: Event[]
  wake: () => void
}
