import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/journal/clock.ts'
import { MemoryStore, type Store } from '../../../src/journal/index.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { LiveHub } from '../../../src/journal/live/live-hub.ts'
import type { Turn } from '../../../src/journal/turn.ts'
import { Random } from '../../laws/random.ts'
import { PausingClock } from '../contract/pausing-clock.ts'
import { ChunkStream } from './chunks.ts'
import { LossyBus } from './lossy-bus.ts'
import { ShownScreen } from './shown.ts'

/** Long enough for an owner on a busy machine, short enough to wait for its end. */
const leaseMs = 250
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

describe('a live reader', () => {
  const totals = { deltas: 0, completed: 0, retracted: 0, cuts: 0, takeovers: 0 }

  const seeds = (from: number, count: number, loss: number) =>
    Array.from({ length: count }, (_, index): [number, number] => [from + index, loss])

  test.each([...seeds(0, 12, 0.2), ...seeds(100, 2, 0), ...seeds(200, 2, 0.6), ...seeds(300, 1, 1)])(
    '[LV1] [LV2] was shown what is recorded, in order: random cut points, takeovers and losses (seed %d, loss %d)',
    async (seed, loss) => {
      const random = new Random(seed)
      const world = new World(random, loss)
      const screens = [new ShownScreen(), new ShownScreen()]
      const over = new AbortController()
      const readers = screens.map(screen => world.readWithCuts(screen, over.signal, () => totals.cuts++))
      for (let turn = 0; turn < 5; turn++) totals.takeovers += await world.answer()
      const recorded = await world.recorded()
      // They read on until they have the last entry.
      await expect.poll(() => screens.map(({ entries }) => entries.length)).toEqual(screens.map(() => recorded.length))
      over.abort()
      await Promise.all(readers)
      for (const screen of screens) {
        expect(screen.entries).toEqual(recorded)
        expect(screen.text).toBe('')
        for (const name of ['deltas', 'completed', 'retracted'] as const) totals[name] += screen.counts[name]
      }
      await world.close()
    },
  )

  test('saw enough of everything', () => {
    expect(totals.completed).toBeGreaterThan(20)
    expect(totals.retracted).toBeGreaterThan(5)
    expect(totals.cuts).toBeGreaterThan(50)
    expect(totals.takeovers).toBeGreaterThan(5)
  })
})

/** Servers that share a journal, of which some crash, and readers on two of them. */
class World {
  readonly #random: Random
  readonly #bus: LossyBus
  readonly #store: Store = new MemoryStore()
  readonly #readers: Journal[]
  readonly #journals: Journal[] = []
  readonly #transports: { break(): void }[] = []
  readonly #zombies: Promise<unknown>[] = []

  constructor(random: Random, loss: number) {
    this.#random = random
    this.#bus = new LossyBus(() => random.next(), loss)
    this.#readers = [this.#server(), this.#server()]
  }

  #server(clock = new PausingClock(systemClock, 0)): Journal {
    const transport = this.#bus.transport()
    this.#transports.push(transport)
    const journal = new Journal(
      this.#store,
      clock,
      this.#random.word(),
      undefined,
      undefined,
      new LiveHub(systemClock, transport),
    )
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
