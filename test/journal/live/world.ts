import { expect } from 'vitest'
import { systemClock } from '../../../src/journal/clock.ts'
import { type LiveTransport, MemoryStore, type Store } from '../../../src/journal/index.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { LiveHub } from '../../../src/journal/live/live-hub.ts'
import type { Turn } from '../../../src/journal/turn.ts'
import type { Random } from '../../laws/random.ts'
import { PausingClock } from '../contract/pausing-clock.ts'
import { ChunkStream } from './chunks.ts'
import type { ShownScreen } from './shown.ts'

export type BreakableTransport = LiveTransport & { break(): void }

/** Connects servers. */
export interface Bus {
  transport(): BreakableTransport
}

/** Long enough for an owner on a busy machine, short enough to wait for its end. */
const leaseMs = 250
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Servers that share a journal, of which some crash, and readers on two of them. */
export class World {
  readonly #random: Random
  readonly #bus: Bus
  readonly #store: Store = new MemoryStore()
  readonly #readers: Journal[]
  readonly #journals: Journal[] = []
  readonly #transports: BreakableTransport[] = []
  readonly #zombies: Promise<unknown>[] = []

  constructor(random: Random, bus: Bus) {
    this.#random = random
    this.#bus = bus
    this.#readers = [this.#server(), this.#server()]
  }

  #server(clock = new PausingClock(systemClock, 0)): Journal {
    const transport = this.#bus.transport()
    this.#transports.push(transport)
    const hub = new LiveHub(systemClock, transport)
    hub.start()
    const journal = new Journal(this.#store, clock, this.#random.word(), undefined, undefined, hub)
    this.#journals.push(journal)
    return journal
  }

  /** Reads, is cut off anywhere, and goes on elsewhere from where it was. */
  async readWithCuts(screen: ShownScreen, over: AbortSignal, onCut: () => void): Promise<void> {
    while (!over.aborted) {
      const thread = this.#random.pick(this.#readers).thread('t')
      const cut = new AbortController()
      const cutAfter = this.#random.int(12)
      let seen = 0
      for await (const item of thread.watch({
        live: true,
        after: screen.after,
        signal: AbortSignal.any([over, cut.signal]),
      })) {
        screen.take(item)
        if (this.#random.chance(0.2)) await pause(this.#random.int(20))
        if (++seen > cutAfter) break
      }
      if (!over.aborted) onCut()
    }
  }

  /** One turn, of which owners are lost in the middle. Returns how many. */
  async answer(): Promise<number> {
    const options = { leaseMs }
    await this.#random.pick(this.#readers).thread('t', options).submit(this.#random.sentence())
    for (let takeovers = 0; ; takeovers++) {
      const clock = new PausingClock(systemClock, 0)
      const turn = await this.#server(clock).thread('t', options).turn({ waitMs: 60_000 })
      if (!turn) return takeovers
      const stream = new ChunkStream()
      const recording = turn.record(stream, { onCut: 'retry' }).then(
        () => true,
        () => false,
      )
      await this.#say(stream)
      if (this.#random.chance(0.2)) this.#random.pick(this.#transports).break()
      const fate = this.#random.int(4)
      if (fate === 0 && takeovers < 3) {
        // It sleeps while another owner takes over, and streams on.
        clock.pause()
        this.#zombies.push(this.#streamOn(turn, stream, recording))
        continue
      }
      if (fate === 1) {
        stream.fail(new Error('the connection broke'))
        await recording
        const second = new ChunkStream()
        const again = turn.record(second)
        await this.#say(second)
        second.finish()
        await again.catch(() => {})
      } else {
        stream.finish()
        await recording
      }
      await turn.finish().catch(() => {})
      await turn[Symbol.asyncDispose]().catch(() => {})
      if (turn.status !== undefined) return takeovers
    }
  }

  async #say(stream: ChunkStream): Promise<void> {
    for (let words = this.#random.range(1, 12); words > 0; words--) {
      stream.say(`${this.#random.sentence()} `)
      await pause(this.#random.int(12))
    }
  }

  async #streamOn(turn: Turn, stream: ChunkStream, recording: Promise<unknown>): Promise<void> {
    for (let words = 0; words < 40; words++) {
      stream.say(`zombie${words} `)
      await pause(20)
    }
    stream.finish()
    await recording
    await turn[Symbol.asyncDispose]().catch(() => {})
  }

  recorded() {
    return this.#readers[0]
      .thread('t')
      .read()
      .then(async state => {
        const { thread } = await this.#store.open('t')
        expect(state.turn).toBeUndefined()
        return this.#store.read(thread, 0)
      })
  }

  async close(): Promise<void> {
    await Promise.all(this.#zombies)
    for (const journal of this.#journals) await journal.close().catch(() => {})
  }
}
