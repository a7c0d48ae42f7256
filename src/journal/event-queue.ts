import { Queue } from '../core/queue.ts'

/** Delivers events to all current subscribers. Events from before a subscription are not delivered. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #subscribers = new Set<Subscriber<Event>>()
  #end: End | undefined

  /** Whether an error of `end` would be delivered. */
  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0
  }

  push(event: Event): void {
    for (const subscriber of this.#subscribers) subscriber.push(event)
  }

  /** Ends all subscriptions, with an error after the last event if one is given. */
  end(error?: unknown): void {
    this.#end = { error }
    for (const subscriber of this.#subscribers) subscriber.end(this.#end)
    this.#subscribers.clear()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event, undefined> {
    const subscriber: Subscriber<Event> = new Subscriber(() => this.#subscribers.delete(subscriber))
    if (this.#end) subscriber.end(this.#end)
    else this.#subscribers.add(subscriber)
    return subscriber
  }
}

/** How it ended: with an error, or without. */
interface End {
  readonly error: unknown
}

type Result<Event> = IteratorResult<Event, undefined>

/** One iteration over the events. It buffers events until they are read, and may be ended at any time. */
class Subscriber<Event> implements AsyncIterableIterator<Event, undefined> {
  readonly #leave: () => void
  readonly #events = new Queue<Event>()
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
    if (this.#events.length > 0) return { done: false, value: this.#events.take() as Event }
    if (!this.#end) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
    const { error } = this.#end
    this.#end = { error: undefined }
    if (error !== undefined) throw error
    return { done: true, value: undefined }
  }

  async return(): Promise<Result<Event>> {
    this.#leave()
    this.#events.clear()
    this.end({ error: undefined })
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
