import type { LiveTransport, TransportEvents } from '../transport.ts'

/** Connects several journals of one process, such as those of a test: each gets a transport of its own. */
export class LocalBus {
  readonly #transports = new Set<LocalTransport>()

  transport(): LiveTransport {
    return new LocalTransport(this.#transports)
  }
}

class LocalTransport implements LiveTransport {
  readonly name = 'this process'
  readonly #all: Set<LocalTransport>
  readonly #channels = new Set<string>()
  #events: TransportEvents | undefined

  constructor(all: Set<LocalTransport>) {
    this.#all = all
  }

  start(events: TransportEvents): void {
    this.#events = events
    this.#all.add(this)
    events.connected()
  }

  /** Received later, as from another process. */
  publish(channel: string, text: string): void {
    for (const other of this.#all)
      if (other !== this && other.#channels.has(channel))
        queueMicrotask(() => other.#channels.has(channel) && other.#events?.receive(channel, text))
  }

  async subscribe(channel: string): Promise<void> {
    this.#channels.add(channel)
  }

  unsubscribe(channel: string): void {
    this.#channels.delete(channel)
  }

  async close(): Promise<void> {
    this.#all.delete(this)
    this.#channels.clear()
    this.#events = undefined
  }
}
