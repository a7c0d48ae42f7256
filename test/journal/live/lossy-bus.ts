import type { LiveTransport, TransportEvents } from '../../../src/journal/live/transport.ts'
import { LocalBus } from '../../../src/journal/live/transports/local.ts'

/** A bus that loses and delays texts, and whose connections break. Each sender's texts stay in order. */
export class LossyBus {
  readonly #bus = new LocalBus()
  readonly #random: () => number
  readonly #loss: number
  /** Every text that was sent. */
  readonly texts: string[] = []

  constructor(random: () => number, loss: number) {
    this.#random = random
    this.#loss = loss
  }

  transport(): LiveTransport & { break(): void } {
    const inner = this.#bus.transport()
    let events: TransportEvents | undefined
    let sending: Promise<void> = Promise.resolve()
    let isDown = false
    return {
      name: 'lossy',
      start: given => {
        events = given
        inner.start({ ...given, receive: (channel, text) => isDown || given.receive(channel, text) })
      },
      publish: (channel, text) => {
        this.texts.push(text)
        if (isDown || this.#random() < this.#loss) return
        const waitMs = this.#random() < 0.3 ? this.#random() * 40 : 0
        sending = sending.then(async () => {
          if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs))
          inner.publish(channel, text)
        })
      },
      subscribe: channel => inner.subscribe(channel),
      unsubscribe: channel => inner.unsubscribe(channel),
      close: () => inner.close(),
      break() {
        isDown = true
        events?.lost(new Error('broken by the test'))
        setTimeout(() => {
          isDown = false
          events?.connected()
        }, 5)
      },
    }
  }
}
