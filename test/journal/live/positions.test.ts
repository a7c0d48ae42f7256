import { expect, test } from 'vitest'
import { systemClock } from '../../../src/journal/clock.ts'
import { MemoryStore, openJournal, run, type Store, type Thread } from '../../../src/journal/index.ts'
import { Journal } from '../../../src/journal/journal.ts'
import type { LiveItem } from '../../../src/journal/live/live-reader.ts'
import { says } from '../contract/model.ts'
import { ChunkStream } from './chunks.ts'
import { ShownScreen } from './shown.ts'

/** Reads on from where the screen is, until something is shown. */
async function readUntil(thread: Thread, screen: ShownScreen, isThere: (item: LiveItem) => boolean): Promise<void> {
  for await (const item of thread.watch({ live: true, after: screen.after, signal: AbortSignal.timeout(60_000) })) {
    screen.take(item)
    if (isThere(item)) return
  }
  throw new Error('it was not shown')
}

const ways: readonly [string, (thread: Thread) => Promise<unknown>][] = [
  ['input', thread => thread.submit('And then?')],
  ['a fork', thread => thread.fork()],
]

test.each(ways)(
  '[LV14] a reader that continues after %s in the middle of a response is shown its text once',
  async (_, write) => {
    await using journal = await openJournal('memory:')
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('Tell me a story')
    const turn = await thread.turn()
    const stream = new ChunkStream()
    const recording = turn?.record(stream)
    stream.say('Once ', 'upon ')
    const screen = new ShownScreen()
    await readUntil(thread, screen, () => screen.text === 'Once upon ')
    await write(thread)
    await readUntil(thread, screen, ({ kind }) => kind === 'input-submit' || kind === 'branch-fork')
    expect(screen.after).toBe(4)
    stream.say('a time')
    stream.finish()
    await readUntil(thread, screen, ({ kind }) => kind === 'response-record')
    expect(screen.counts).toMatchObject({ completed: 1 })
    await recording
  },
)

test('[LV14] text before an entry is retracted if its owner is lost while the reader is away', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai', leaseMs: 0 })
  await thread.submit('Tell me a story')
  const turn = await thread.turn()
  const stream = new ChunkStream()
  const lost = turn?.record(stream)
  lost?.catch(() => {})
  stream.say('Once ')
  const screen = new ShownScreen()
  await readUntil(thread, screen, () => screen.text === 'Once ')
  await thread.submit('And then?', { whenBusy: 'steer' })
  await readUntil(thread, screen, ({ kind }) => kind === 'input-submit')
  await run(thread, { model: () => says('No.'), waitMs: 60_000 })
  await readUntil(thread, screen, ({ kind }) => kind === 'turn-end')
  expect(screen.counts).toMatchObject({ retracted: 1 })
  await lost?.catch(() => {})
})

test('[LV14] a reader that begins after an entry that ended a response is told nothing of earlier ones', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  await run(thread, { model: () => says('Hello.') })
  const { head } = await thread.read()
  await thread.submit('And?')
  const kinds: string[] = []
  for await (const { kind } of thread.watch({ live: true, after: head })) {
    kinds.push(kind)
    if (kind === 'input-submit') break
  }
  expect(kinds).toEqual(['input-submit'])
})

test('[LV15] a live reader of a branch gets no entries of another one, also if they are written while it reads', async () => {
  const store = new MemoryStore()
  let meanwhile = async (): Promise<void> => {}
  const reading: Store = new Proxy(store, {
    get(target, name) {
      if (name !== 'read') return bound(target, name)
      return async (thread: number, after: number, limit?: number) => {
        const write = meanwhile
        // Only the read of the watcher: the state is read in larger pages.
        if (limit === 200) meanwhile = async () => {}
        if (limit === 200) await write()
        return target.read(thread, after, limit)
      }
    },
  })
  const [here, there] = [new Journal(reading, systemClock, 'here'), new Journal(store, systemClock, 'there')]
  const other = there.thread('t', { for: 'openai' })
  await other.submit('One')
  await run(other, { model: () => says('1') })
  await other.fork()
  const { head } = await other.read()
  const stop = new AbortController()
  const seen: LiveItem[] = []
  const watching = (async () => {
    const { signal } = stop
    for await (const item of here.thread('t').watch({ live: true, branch: 1, after: head, signal })) seen.push(item)
  })()
  // The watcher has read that there is one more entry, and reads it. There are more by then, of another branch.
  meanwhile = async () => {
    await other.switch(2)
    await run(other, { model: () => says('2') })
    await other.switch(1)
    await other.submit('Three', { key: 'last' })
  }
  await other.submit('Two')
  await expect
    .poll(() => seen.some(item => item.kind === 'input-submit' && item.key === 'last'), { timeout: 60_000 })
    .toBe(true)
  stop.abort()
  await watching
  const wanted: LiveItem[] = []
  for await (const entry of other.watch({ branch: 1, after: head })) {
    wanted.push(entry)
    if (entry.kind === 'input-submit' && entry.key === 'last') break
  }
  expect(seen).toEqual(wanted)
})

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}
