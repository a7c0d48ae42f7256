/** Events for those who read them, from the moment on that they ask. Nothing is kept for nobody. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #readers = new Set<Reader<Event>>()
  #end: End | undefined

  /** Whether somebody reads who would hear of an error. */
  get isRead(): boolean {
    return this.#readers.size > 0
  }

  push(event: Event): void {
    for (const reader of this.#readers) reader.push(event)
  }

  /** Nothing comes any more. An error comes out behind the last event. */
  end(error?: unknown): void {
    this.#end = { error }
    for (const reader of this.#readers) reader.end(this.#end)
    this.#readers.clear()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event, undefined> {
    const reader: Reader<Event> = new Reader(() => this.#readers.delete(reader))
    if (this.#end) reader.end(this.#end)
    else this.#readers.add(reader)
    return reader
  }
}

/** How it ended: with an error, or without. */
interface End {
  readonly error: unknown
}

type Result<Event> = IteratorResult<Event, undefined>

/** One who reads. Events wait for it, or it waits for them; it may leave at any time, also before it has read anything. */
class Reader<Event> implements AsyncIterableIterator<Event, undefined> {
  readonly #leave: () => void
  readonly #events: Event[] = []
  readonly #waiting: { resolve(result: Result<Event>): void; reject(error: unknown): void }[] = []
  #end: End | undefined

  constructor(leave: () => void) {
    this.#leave = leave
  }

  push(value: Event): void {
    const next = this.#waiting.shift()
    if (next) next.resolve({ done: false, value })
    else this.#events.push(value)
  }

  end(end: End): void {
    this.#end = end
    for (const next of this.#waiting.splice(0)) this.next().then(next.resolve, next.reject)
  }

  async next(): Promise<Result<Event>> {
    if (this.#events.length > 0) return { done: false, value: this.#events.shift() as Event }
    if (!this.#end) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
    const { error } = this.#end
    this.#end = { error: undefined }
    if (error !== undefined) throw error
    return { done: true, value: undefined }
  }

  async return(): Promise<Result<Event>> {
    this.#leave()
    this.#events.splice(0)
    this.end({ error: undefined })
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
