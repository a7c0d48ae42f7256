import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../src/journal/clock.ts'
import { type LiveTransport, MemoryStore, type RunOptions, run, type Store } from '../../../src/journal/index.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { LiveHub } from '../../../src/journal/live/live-hub.ts'
import { textBytesMax } from '../../../src/journal/live/transport.ts'
import { Random } from '../../laws/random.ts'
import { ChunkStream, chunk, lastChunk } from './chunks.ts'
import { Peer } from './peer.ts'
import { ShownScreen } from './shown.ts'
import { World } from './world.ts'

/** What a transport connects its processes with. */
export interface TransportScene {
  /** A transport as of one more process. */
  open(): Promise<LiveTransport>
  /** Breaks all connections. New ones can be made at once. */
  cut(): void
  /** Breaks all connections, and none can be made until `up`. Missing for what is never lost. */
  down?(): Promise<void>
  up?(): Promise<void>
  close(): Promise<void>
}

/** What holds for every transport. */
export function checkTransport(name: string, makeScene: () => Promise<TransportScene>, canBeLost = true): void {
  describe(`the live transport ${name}`, () => {
    let scene: TransportScene
    const peers: Peer[] = []
    const journals: Journal[] = []

    beforeAll(async () => {
      scene = await makeScene()
    })
    afterEach(async () => {
      for (const journal of journals.splice(0)) await journal.close()
      for (const { transport } of peers.splice(0)) await transport.close()
    })
    afterAll(() => scene.close())

    const connect = async (): Promise<Peer> => {
      const peer = await Peer.connected(await scene.open())
      peers.push(peer)
      return peer
    }

    /** Journals as of several processes, with one store. */
    const openJournal = async (store: Store, clock: Clock = systemClock, onOutage = () => {}): Promise<Journal> => {
      const hub = new LiveHub(systemClock, await scene.open(), onOutage)
      hub.start()
      await expect.poll(() => hub.isConnected).toBe(true)
      const journal = new Journal(store, clock, `owner ${journals.length}`, undefined, undefined, hub)
      journals.push(journal)
      return journal
    }

    test('[LV3] delivers texts whole and in order, to the subscribers of their channel', async () => {
      const [one, other, reader, stranger] = [await connect(), await connect(), await connect(), await connect()]
      await Promise.all([reader.transport.subscribe('a'), reader.transport.subscribe('b')])
      await stranger.transport.subscribe('c')
      const texts = Array.from({ length: 300 }, (_, index) => `${index} "ünïcode" 🎈 \\ ' $1 \n \u0001`)
      const large = '€'.repeat(textBytesMax / 3)
      for (const text of texts) {
        one.transport.publish('a', text)
        other.transport.publish('b', text)
      }
      one.transport.publish('a', large)
      await expect.poll(() => [reader.texts('a').length, reader.texts('b').length]).toEqual([301, 300])
      expect(reader.texts('a')).toEqual([...texts, large])
      expect(reader.texts('b')).toEqual(texts)
      expect(stranger.received).toEqual([])
    })

    test('[LV3] delivers what is published once a subscription is ready, until it ends', async () => {
      const [writer, reader] = [await connect(), await connect()]
      for (let index = 0; index < 20; index++) {
        await reader.transport.subscribe(`channel ${index}`)
        writer.transport.publish(`channel ${index}`, 'heard')
      }
      await expect.poll(() => reader.received.length).toBe(20)
      reader.transport.unsubscribe('channel 0')
      writer.transport.publish('channel 0', 'too late')
      writer.transport.publish('channel 1', 'last')
      await expect.poll(() => reader.texts('channel 1')).toEqual(['heard', 'last'])
      expect(reader.texts('channel 0')).toEqual(['heard'])
      await reader.transport.subscribe('channel 0')
      writer.transport.publish('channel 0', 'again')
      await expect.poll(() => reader.texts('channel 0')).toEqual(['heard', 'again'])
    })

    test('[LV3] is silent when it is closed, and sends what was published before', async () => {
      const [writer, reader, closed] = [await connect(), await connect(), await connect()]
      await Promise.all([reader.transport.subscribe('a'), closed.transport.subscribe('a')])
      await closed.transport.close()
      writer.transport.publish('a', 'last words')
      await writer.transport.close()
      await expect.poll(() => reader.texts('a')).toEqual(['last words'])
      expect(closed.received).toEqual([])
      writer.transport.publish('a', 'after the end')
      closed.transport.unsubscribe('a')
      await closed.transport.close()
      expect(writer.counts.lost + closed.counts.lost).toBe(0)
    })

    test('[LV5] a flood does not wait for anything, and what comes later arrives', async () => {
      const [writer, reader] = [await connect(), await connect()]
      await reader.transport.subscribe('flood')
      const filler = 'x'.repeat(7_000)
      for (let index = 0; index < 10_000; index++) writer.transport.publish('flood', `${index} ${filler}`)
      await expect
        .poll(() => {
          writer.transport.publish('flood', 'later')
          return reader.texts('flood').at(-1)
        })
        .toBe('later')
      const numbers = reader.texts('flood').flatMap(text => (text === 'later' ? [] : [Number.parseInt(text, 10)]))
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
      // In one process nothing waits. Everywhere else only so much does.
      if (canBeLost) expect(numbers.length).toBeLessThan(300)
    })

    test.each([1, 2, 3])(
      '[LV1] [LV2] shows what is recorded, while connections break and owners are lost (seed %d)',
      async seed => {
        const random = new Random(seed)
        const transports = await Promise.all(Array.from({ length: 40 }, () => scene.open()))
        const world = new World(random, {
          transport: () => {
            const transport = transports.pop() as LiveTransport
            return Object.assign(transport, { break: () => scene.cut() })
          },
        })
        const screens = [new ShownScreen(), new ShownScreen()]
        const over = new AbortController()
        const readers = screens.map(screen => world.readWithCuts(screen, over.signal, () => {}))
        for (let turn = 0; turn < 4; turn++) await world.answer()
        const recorded = await world.recorded()
        await expect
          .poll(() => screens.map(({ entries }) => entries.length))
          .toEqual(screens.map(() => recorded.length))
        over.abort()
        await Promise.all(readers)
        for (const screen of screens) expect([screen.entries, screen.text]).toEqual([recorded, ''])
        await world.close()
        for (const transport of transports) await transport.close()
      },
    )

    test('[LV4] a reader that does not read delays no other, and then gets what is recorded', async () => {
      const store = new MemoryStore()
      const [writer, slow, eager] = [await openJournal(store), await openJournal(store), await openJournal(store)]
      await writer.thread('t', openai).submit('Hello')
      const turn = await writer.thread('t', openai).turn()
      const stream = new ChunkStream()
      const recording = turn?.record(stream)
      const sleeping = new ShownScreen()
      const over = new AbortController()
      const items = slow.thread('t').watch({ live: true, signal: over.signal })
      const seen = new ShownScreen()
      const reading = read(eager, seen, over.signal)
      stream.say('first ')
      // Read up to the first word.
      for (let text = ''; text === ''; text = sleeping.text) sleeping.take((await items.next()).value)
      for (let index = 0; index < 3_000; index++) stream.say(`word ${index} `)
      stream.finish()
      await recording
      await turn?.[Symbol.asyncDispose]()
      const entries = await store.read((await store.open('t')).thread, 0)
      await expect.poll(() => seen.entries.length).toBe(entries.length)
      let count = 0
      while (sleeping.entries.length < entries.length) {
        sleeping.take((await items.next()).value)
        count++
      }
      expect(sleeping.entries).toEqual(entries)
      expect(count).toBeLessThan(60)
      over.abort()
      await reading
    })

    test('[LV7] wakes workers, watchers and owners, of which none has a timer', async () => {
      const store = new MemoryStore()
      const [client, server] = [await openJournal(store), await openJournal(store, withoutTimers)]
      const thread = client.thread('t', { for: 'openai' })
      const stopping = new AbortController()
      const kinds: string[] = []
      const watching = (async () => {
        for await (const entry of server.thread('t').watch({ signal: stopping.signal })) kinds.push(entry.kind)
      })()
      let asked = 0
      const model: RunOptions['model'] = async function* ({ signal }) {
        if (++asked === 2) {
          yield chunk('thinking')
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        }
        yield asked === 3 ? callChunk : chunk('words')
        yield lastChunk
      }
      const paid: unknown[] = []
      const tools = { pay: { approval: true, execute: (input: unknown) => paid.push(input) } }
      const worker = server.work({ thread: { for: 'openai' }, model, tools })
      await thread.submit('One')
      await expect.poll(() => kinds.filter(kind => kind === 'turn-end').length).toBe(1)
      await thread.submit('Two')
      await expect.poll(() => asked).toBe(2)
      await thread.interrupt('stop')
      await expect.poll(() => kinds.filter(kind => kind === 'turn-end').length).toBe(2)
      await thread.submit('Three')
      await expect.poll(async () => (await thread.openCalls()).map(call => call.parked?.why)).toEqual(['approval'])
      await thread.approve((await thread.openCalls())[0]?.id ?? '')
      await expect.poll(() => kinds.filter(kind => kind === 'turn-end').length).toBe(3)
      expect(paid).toEqual([{}])
      stopping.abort()
      await Promise.all([worker.stop(), watching])
    })

    test('[LV8] an idle worker asks every 10 seconds', async () => {
      const store = new MemoryStore()
      let asked = 0
      const due = store.due.bind(store)
      store.due = limit => {
        asked++
        return due(limit)
      }
      const pauses: number[] = []
      const after = (ms: number) => {
        pauses.push(ms)
        return () => {}
      }
      const clock: Clock = { now: () => Date.now(), after }
      const [client, server] = [await openJournal(store), await openJournal(store, clock)]
      const model = async function* () {
        yield chunk('words')
        yield lastChunk
      }
      const worker = server.work({ thread: openai, model })
      await client.thread('t', openai).submit('Hello')
      await expect.poll(async () => (await client.thread('t').read()).ended?.status).toBe('done')
      // Nothing goes off any more, so that nothing is asked.
      await expect.poll(() => pauses.at(-1)).toBe(10_000)
      const before = asked
      await new Promise(resolve => setTimeout(resolve, 300))
      expect(asked).toBe(before)
      await worker.stop()
    })

    // A process is not lost to itself.
    if (canBeLost)
      test('[LV6] a lost connection loses nothing recorded, warns and counts once, and comes back', async () => {
        const store = new MemoryStore()
        let outages = 0
        const writer = await openJournal(store)
        const reader = await openJournal(store, systemClock, () => outages++)
        const warnings: Error[] = []
        const listener = (warning: Error): void => void warnings.push(warning)
        process.on('warning', listener)
        const seen = new ShownScreen()
        const over = new AbortController()
        const reading = read(reader, seen, over.signal)
        const answer = async (words: readonly string[]): Promise<void> => {
          await writer.thread('t', openai).submit('Hello')
          const model = async function* () {
            for (const word of words) {
              yield chunk(word)
              await new Promise(resolve => setTimeout(resolve, 50))
            }
            yield lastChunk
          }
          await run(writer.thread('t', openai), { model })
        }
        await answer(['a ', 'b '])
        await scene.down?.()
        await expect.poll(() => outages).toBe(1)
        const deltas = seen.counts.deltas
        await answer(['c ', 'd '])
        const { thread } = await store.open('t')
        const recorded = () => store.read(thread, 0)
        await expect.poll(async () => seen.entries.length === (await recorded()).length).toBe(true)
        expect(outages).toBe(1)
        await scene.up?.()
        // It is back when words stream again.
        await expect
          .poll(async () => {
            await answer(['e ', 'f '])
            return seen.counts.deltas
          })
          .toBeGreaterThan(deltas + 1)
        await expect.poll(async () => seen.entries.length === (await recorded()).length).toBe(true)
        expect(seen.entries).toEqual(await recorded())
        over.abort()
        await reading
        process.off('warning', listener)
        // One of the writer, one of the reader.
        const texts = warnings.filter(warning => (warning as { code?: string }).code === 'ANTIPHON_LIVE')
        expect(texts.map(({ message }) => /is not connected, so the journal is polled/.test(message))).toEqual([
          true,
          true,
        ])
        expect(outages).toBe(1)
      })
  })
}

const openai = { for: 'openai' } as const

/** A process in which nothing happens by itself. */
const withoutTimers: Clock = { now: () => Date.now(), after: () => () => {} }

const callChunk = {
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [
    {
      index: 0,
      delta: {
        role: 'assistant',
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
}

async function read(journal: Journal, screen: ShownScreen, signal: AbortSignal): Promise<void> {
  for await (const item of journal.thread('t').watch({ live: true, signal })) screen.take(item)
}
