import { describeWithHint } from '../../core/describe-error.ts'
import { emitWarning } from '../../heal/warn.ts'
import { utf8Length } from '../bytes.ts'
import type { Clock } from '../clock.ts'
import { randomUid } from '../stores/uid.ts'
import { type LiveNews, readMessage } from './live-message.ts'
import type { LivePublisher, LiveThread } from './live-thread.ts'
import { type LiveTransport, textBytesMax } from './transport.ts'

/** How often the connection of a transport was lost. */
export type CountOutage = (transport: string) => void

/** The live part of a journal in one process: its transport, and who listens to what. */
export class LiveHub implements LivePublisher {
  readonly #id = randomUid()
  readonly #clock: Clock
  readonly #transport: LiveTransport | undefined
  readonly #countOutage: CountOutage
  readonly #threads = new Map<string, LiveThread>()
  readonly #dueListeners = new Set<(at?: number) => void>()
  #isStarted = false
  #isConnected = false
  #isLost = false
  #isClosed = false

  constructor(clock: Clock, transport?: LiveTransport, countOutage: CountOutage = () => {}) {
    this.#clock = clock
    this.#transport = transport
    this.#countOutage = countOutage
  }

  /** Connects, the first time. */
  start(): void {
    if (this.#isStarted || this.#isClosed) return
    this.#isStarted = true
    this.#transport?.start({
      receive: (channel, text) => this.#receive(channel, text),
      connected: () => this.#connected(),
      lost: error => this.#lost(error),
    })
  }

  get hasTransport(): boolean {
    return this.#transport !== undefined
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  now(): number {
    return this.#clock.now()
  }

  after(ms: number, callback: () => void): () => void {
    return this.#clock.after(ms, callback)
  }

  publish(channel: string, news: LiveNews): void {
    if (!this.#transport || !this.#isConnected || this.#isClosed) return
    const text = JSON.stringify({ from: this.#id, ...news })
    if (utf8Length(text) > textBytesMax) return
    try {
      this.#transport.publish(channel, text)
    } catch {
      // A transport of the caller. What it does not send counts as lost: the write that is announced here is stored.
    }
  }

  async subscribe(channel: string, thread: LiveThread): Promise<void> {
    this.#threads.set(channel, thread)
    if (!this.#isClosed) await this.#transport?.subscribe(channel)
  }

  unsubscribe(channel: string, thread: LiveThread): void {
    if (this.#threads.get(channel) !== thread) return
    this.#threads.delete(channel)
    if (!this.#isClosed) this.#transport?.unsubscribe(channel)
  }

  /** Says that a thread has something to do, now or at a time by the clock of the store. */
  announceDue(at?: number): void {
    for (const listener of this.#dueListeners) listener(at)
    this.publish(dueChannel, { kind: 'due', ...(at !== undefined && { at: Math.round(at) }) })
  }

  /** Tells other processes when a lease of this one ends: then they continue its turn, if it was killed. */
  announceLease(endsAt: number): void {
    this.publish(dueChannel, { kind: 'due', at: Math.round(endsAt) })
  }

  /** Calls the listener when a thread has something to do, and after an outage, when such a message may have been missed. */
  onDue(listener: (at?: number) => void): () => void {
    if (this.#dueListeners.size === 0 && !this.#isClosed)
      this.#transport?.subscribe(dueChannel).then(
        () => listener(),
        () => {},
      )
    this.#dueListeners.add(listener)
    return () => {
      this.#dueListeners.delete(listener)
      if (this.#dueListeners.size === 0 && !this.#isClosed) this.#transport?.unsubscribe(dueChannel)
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isConnected = false
    await this.#transport?.close()
  }

  #receive(channel: string, text: string): void {
    if (this.#isClosed) return
    const message = readMessage(text)
    if (!message || message.from === this.#id) return
    if (channel === dueChannel && message.kind === 'due')
      for (const listener of this.#dueListeners) listener(message.at)
    // The error comes from the store: the methods of the thread report it as well.
    else
      this.#threads
        .get(channel)
        ?.receive(message)
        .catch(() => {})
  }

  #connected(): void {
    if (this.#isClosed) return
    this.#isConnected = true
    this.#isLost = false
    for (const thread of this.#threads.values()) thread.refresh()
    for (const listener of this.#dueListeners) listener()
  }

  /** Warns once for each outage. Wakes all threads and workers, so that they go back to polling. */
  #lost(error: unknown): void {
    if (this.#isClosed || this.#isLost) return
    this.#isConnected = false
    this.#isLost = true
    const name = this.#transport?.name ?? ''
    this.#countOutage(name)
    const warning = `the live transport (${name}) is not connected, so the journal is polled until it is: ${describeWithHint(error)}`
    emitWarning(warning, { code: 'ANTIPHON_LIVE' })
    for (const thread of this.#threads.values()) thread.refresh()
    for (const listener of this.#dueListeners) listener()
  }
}

/** Never equal to the id of a thread, which is the channel of its messages. */
const dueChannel = 'due'
