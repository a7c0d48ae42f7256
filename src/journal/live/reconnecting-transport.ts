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
export interface TransportConnection {
  /** Rejects if the connection is broken. A text that the other side refuses is dropped. */
  send(batch: Batch): Promise<void>
  close(): Promise<void>
}

export interface ConnectionEvents {
  receive(channel: string, text: string): void
  /** The connection is broken. Nothing is called after that. */
  broken(error: unknown): void
}

export interface Connector {
  /** Names the transport in messages, without secrets. */
  readonly name: string
  connect(events: ConnectionEvents): Promise<TransportConnection>
  /** Whether an error says that connecting again is of no use. */
  isFinal?(error: unknown): boolean
  /** The pause between two batches with texts, so that what many threads publish is sent together. 30 by default. */
  readonly batchMs?: number
}

/** A transport over one connection, which is opened again when it breaks. The send queue is bounded: texts that do not fit are dropped. */
export class ReconnectingTransport implements LiveTransport {
  readonly name: string
  readonly #connector: Connector
  readonly #subscriptions = new Map<string, Deferred<void>>()
  /** Channels that were subscribed or unsubscribed since the last batch. */
  readonly #changes = new Set<string>()
  #texts: PublishedText[] = []
  #size = 0
  #events: TransportEvents | undefined
  #connection: TransportConnection | undefined
  #flushing: Promise<void> | undefined
  #wake = (): void => {}
  #cancelRetry = (): void => {}
  #pauseMs = pauseMin
  #openedAt = 0
  /** How many connections in a row broke right after they were opened. */
  #brief = 0
  #isLost = false
  #isClosed = false

  constructor(connector: Connector) {
    this.#connector = connector
    this.name = connector.name
  }

  start(events: TransportEvents): void {
    this.#events = events
    void this.#connect()
  }

  publish(channel: string, text: string): void {
    if (!this.#connection || this.#isClosed || this.#size + text.length > queueMax) return
    this.#texts.push({ channel, text })
    this.#size += text.length
    this.#flush()
  }

  subscribe(channel: string): Promise<void> {
    if (this.#isClosed) return Promise.reject(closedError())
    const known = this.#subscriptions.get(channel)
    if (known) return known.promise
    const ready = deferred<void>()
    // The caller may not await it: no unhandled rejection.
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

  /** Sends what is in the queue, for at most a second. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cancelRetry()
    this.#wake()
    if (this.#flushing) {
      // Sockets do not keep the process alive. It must not end before its journal is closed.
      const { done, wake } = pause(closeMs, { keepsAlive: true })
      await Promise.race([this.#flushing, done])
      wake()
    }
    const connection = this.#connection
    this.#connection = undefined
    for (const { reject } of this.#subscriptions.values()) reject(closedError())
    this.#subscriptions.clear()
    await connection?.close().catch(() => {})
  }

  async #connect(): Promise<void> {
    // A function, since TypeScript does not see that it is set while a promise is awaited.
    let broken: { readonly error: unknown } | undefined
    const failure = (): { readonly error: unknown } | undefined => broken
    let opened: TransportConnection | undefined
    const receive: ConnectionEvents['receive'] = (channel, text) => {
      if (!this.#isClosed && this.#subscriptions.has(channel)) this.#events?.receive(channel, text)
    }
    try {
      const connection = await this.#connector.connect({
        receive,
        broken: error => {
          broken ??= { error }
          if (opened !== undefined && opened === this.#connection) this.#broken(opened, error)
        },
      })
      opened = connection
      const subscribe = new Set(this.#subscriptions.keys())
      if (subscribe.size > 0) await connection.send({ subscribe: [...subscribe], unsubscribe: [], texts: [] })
      if (failure()) throw failure()?.error
      if (this.#isClosed) return void (await connection.close().catch(() => {}))
      this.#connection = connection
      for (const channel of subscribe) this.#subscriptions.get(channel)?.resolve()
      // What has changed in the meantime.
      const all = new Set([...subscribe, ...this.#subscriptions.keys()])
      for (const channel of all)
        if (subscribe.has(channel) !== this.#subscriptions.has(channel)) this.#changes.add(channel)
      this.#isLost = false
      this.#openedAt = performance.now()
      if (this.#brief === 0) this.#pauseMs = pauseMin
      this.#events?.connected()
      this.#flush()
    } catch (error) {
      opened?.close().catch(() => {})
      this.#failed(error)
    }
  }

  /**
   * Connects again at once. If that succeeds, no loss is reported; `connected` is called again, because texts sent in the meantime may be lost.
   * If connection after connection breaks right after it was opened, that is a loss.
   */
  #broken(connection: TransportConnection, error: unknown): void {
    if (this.#connection !== connection || this.#isClosed) return
    this.#connection = undefined
    this.#changes.clear()
    this.#texts = []
    this.#size = 0
    connection.close().catch(() => {})
    this.#brief = performance.now() - this.#openedAt < briefMs ? this.#brief + 1 : 0
    if (this.#brief > briefMax) this.#failed(error)
    else void this.#connect()
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return
    if (!this.#isLost) this.#events?.lost(error)
    this.#isLost = true
    if (this.#connector.isFinal?.(error)) return
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

  /** Without a connection, changes are not remembered: the next one begins with all subscriptions. */
  #change(channel: string): void {
    if (!this.#connection) return
    this.#changes.add(channel)
    this.#wake()
    this.#flush()
  }

  #flush(): void {
    const connection = this.#connection
    if (!connection || this.#flushing) return
    this.#flushing = this.#sendAll(connection)
      .catch(error => this.#broken(connection, error))
      .finally(() => {
        this.#flushing = undefined
        if (this.#hasMore) this.#flush()
      })
  }

  get #hasMore(): boolean {
    return this.#changes.size > 0 || this.#texts.length > 0
  }

  async #sendAll(connection: TransportConnection): Promise<void> {
    // What is published in the same tick is sent together.
    await undefined
    while (this.#connection === connection && this.#hasMore) {
      const batch = this.#takeBatch()
      await connection.send(batch)
      for (const channel of batch.subscribe) this.#subscriptions.get(channel)?.resolve()
      if (batch.texts.length === 0 || this.#isClosed) continue
      const { done, wake } = pause(this.#connector.batchMs ?? batchMs)
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

/** By default it does not keep the process alive. */
function pause(ms: number, { keepsAlive = false } = {}): { readonly done: Promise<void>; wake(): void } {
  const { promise, resolve } = deferred<void>()
  const timer = setTimeout(resolve, ms)
  if (!keepsAlive) timer.unref()
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
const briefMs = 1_000
const briefMax = 5
const closeMs = 1_000
