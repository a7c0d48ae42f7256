import type { LiveTransport, TransportEvents } from './transport.ts'

export interface PublishedText {
  readonly channel: string
  readonly text: string
}

/** What is sent over a connection at once: first the changes of subscriptions, then the texts in order. */
export interface Batch {
  readonly subscribe: readonly string[]
  readonly unsubscribe: readonly string[]
  readonly texts: readonly PublishedText[]
}

/** One connection of a transport, until it breaks. */
export interface Link {
  /** Rejects if the connection is broken. A text that the other side refuses is dropped. */
  send(batch: Batch): Promise<void>
  close(): Promise<void>
}

export interface LinkEvents {
  receive(channel: string, text: string): void
  /** The connection is broken. Nothing is called after that. */
  broken(error: unknown): void
}

export interface Linking {
  /** Names the transport in messages, without secrets. */
  readonly name: string
  connect(events: LinkEvents): Promise<Link>
  /** Whether an error says that connecting again is of no use. */
  isFinal?(error: unknown): boolean
  /** The pause between two batches with texts, so that what many threads publish is sent together. 30 by default. */
  readonly batchMs?: number
}

/** A transport over one connection at a time, which is opened again when it breaks. What waits to be sent is bounded: texts beyond that are dropped. */
export class LinkedTransport implements LiveTransport {
  readonly name: string
  readonly #linking: Linking
  readonly #subscriptions = new Map<string, Deferred<void>>()
  /** Channels whose subscription the other side does not know yet, or not to have ended. */
  readonly #changes = new Set<string>()
  #texts: PublishedText[] = []
  #size = 0
  #events: TransportEvents | undefined
  #link: Link | undefined
  #flushing: Promise<void> | undefined
  #wake = (): void => {}
  #cancelRetry = (): void => {}
  #pauseMs = pauseMin
  #isLost = false
  #isClosed = false

  constructor(linking: Linking) {
    this.#linking = linking
    this.name = linking.name
  }

  start(events: TransportEvents): void {
    this.#events = events
    void this.#connect()
  }

  publish(channel: string, text: string): void {
    if (!this.#link || this.#isClosed || this.#size + text.length > queueMax) return
    this.#texts.push({ channel, text })
    this.#size += text.length
    this.#flush()
  }

  subscribe(channel: string): Promise<void> {
    if (this.#isClosed) return Promise.reject(closedError())
    const known = this.#subscriptions.get(channel)
    if (known) return known.promise
    const ready = deferred<void>()
    // Whoever subscribes may not wait for it.
    ready.promise.catch(() => {})
    this.#subscriptions.set(channel, ready)
    this.#change(channel)
    return ready.promise
  }

  unsubscribe(channel: string): void {
    const known = this.#subscriptions.get(channel)
    if (!known || this.#isClosed) return
    this.#subscriptions.delete(channel)
    known.reject(new Error('the subscription has ended'))
    this.#change(channel)
  }

  /** Sends what waits, if that does not take long. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cancelRetry()
    this.#wake()
    if (this.#flushing) await Promise.race([this.#flushing, pause(closeMs).done])
    const link = this.#link
    this.#link = undefined
    for (const { reject } of this.#subscriptions.values()) reject(closedError())
    this.#subscriptions.clear()
    await link?.close().catch(() => {})
  }

  async #connect(): Promise<void> {
    // A function, since TypeScript does not see that it is set while a promise is awaited.
    let broken: { readonly error: unknown } | undefined
    const failure = (): { readonly error: unknown } | undefined => broken
    let opened: Link | undefined
    const receive: LinkEvents['receive'] = (channel, text) => {
      if (!this.#isClosed && this.#subscriptions.has(channel)) this.#events?.receive(channel, text)
    }
    try {
      const link = await this.#linking.connect({
        receive,
        broken: error => {
          broken ??= { error }
          if (opened !== undefined && opened === this.#link) this.#broken(opened)
        },
      })
      opened = link
      const subscribe = new Set(this.#subscriptions.keys())
      if (subscribe.size > 0) await link.send({ subscribe: [...subscribe], unsubscribe: [], texts: [] })
      if (failure()) throw failure()?.error
      if (this.#isClosed) return void (await link.close().catch(() => {}))
      this.#link = link
      for (const channel of subscribe) this.#subscriptions.get(channel)?.resolve()
      // What has changed in the meantime.
      const all = new Set([...subscribe, ...this.#subscriptions.keys()])
      for (const channel of all)
        if (subscribe.has(channel) !== this.#subscriptions.has(channel)) this.#changes.add(channel)
      this.#isLost = false
      this.#pauseMs = pauseMin
      this.#events?.connected()
      this.#flush()
    } catch (error) {
      opened?.close().catch(() => {})
      this.#failed(error)
    }
  }

  /** A connection that is back at once is no outage, but what was sent in the meantime may be lost: that is said with `connected`. */
  #broken(link: Link): void {
    if (this.#link !== link || this.#isClosed) return
    this.#link = undefined
    this.#changes.clear()
    this.#texts = []
    this.#size = 0
    link.close().catch(() => {})
    void this.#connect()
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return
    if (!this.#isLost) this.#events?.lost(error)
    this.#isLost = true
    if (this.#linking.isFinal?.(error)) return
    const { done, wake } = pause(this.#pauseMs)
    let isCancelled = false
    this.#cancelRetry = () => {
      isCancelled = true
      wake()
    }
    void done.then(() => {
      if (!isCancelled) void this.#connect()
    })
    this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMax)
  }

  /** Without a connection nothing is kept: the next one begins with all subscriptions. */
  #change(channel: string): void {
    if (!this.#link) return
    this.#changes.add(channel)
    this.#wake()
    this.#flush()
  }

  #flush(): void {
    const link = this.#link
    if (!link || this.#flushing) return
    this.#flushing = this.#sendAll(link)
      .catch(() => this.#broken(link))
      .finally(() => {
        this.#flushing = undefined
        if (this.#hasMore) this.#flush()
      })
  }

  get #hasMore(): boolean {
    return this.#changes.size > 0 || this.#texts.length > 0
  }

  async #sendAll(link: Link): Promise<void> {
    // What is published in one go is sent together.
    await undefined
    while (this.#link === link && this.#hasMore) {
      const batch = this.#takeBatch()
      await link.send(batch)
      for (const channel of batch.subscribe) this.#subscriptions.get(channel)?.resolve()
      if (batch.texts.length === 0 || this.#isClosed) continue
      const { done, wake } = pause(this.#linking.batchMs ?? batchMs)
      this.#wake = wake
      await done
    }
  }

  #takeBatch(): Batch {
    const changes = [...this.#changes]
    this.#changes.clear()
    const texts = this.#texts.splice(0, textsMax)
    for (const { text } of texts) this.#size -= text.length
    return {
      subscribe: changes.filter(channel => this.#subscriptions.has(channel)),
      unsubscribe: changes.filter(channel => !this.#subscriptions.has(channel)),
      texts,
    }
  }
}

export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

/** Does not keep the process alive. */
function pause(ms: number): { readonly done: Promise<void>; wake(): void } {
  const { promise, resolve } = deferred<void>()
  const timer = setTimeout(resolve, ms)
  timer.unref()
  return {
    done: promise,
    wake() {
      clearTimeout(timer)
      resolve()
    },
  }
}

const closedError = (): Error => new Error('the transport is closed')

const batchMs = 30
const textsMax = 500

/** How many characters may wait to be sent. */
export const queueMax = 1_000_000

/** The pauses between attempts to connect. */
const pauseMin = 250
const pauseMax = 10_000
const closeMs = 1_000
