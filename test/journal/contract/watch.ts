import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/journal/entry.ts'
import { run } from '../../../src/journal/run.ts'
import { entriesOf, type Fixture } from './fixture.ts'
import { scripted } from './model.ts'

/** What happens in a thread can be read from anywhere, from any position on, while it happens. */
export function checkWatch(fixture: Fixture): void {
  describe('watch', () => {
    test('[B150] it yields every entry once and in order, and continues while other processes write', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const seen = watching(other.thread().watch())
      await here.thread().submit('one')
      await fixture.until(() => seen.length === 1)
      await fixture.during(run(here.thread(), { model: scripted([['look']], 'Done.') }))
      await fixture.until(async () => seen.length === (await entriesOf(here)).length)
      await here.thread().submit('two')
      await fixture.until(async () => seen.length === (await entriesOf(here)).length)
      expect(seen).toEqual(await entriesOf(here))
    })

    test('[B151] it can start after any position', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('one')
      await fixture.during(run(thread, { model: scripted('1') }))
      const all = await entriesOf(here)
      const views = all.map(({ seq }) => watching(thread.watch({ after: seq })))
      await thread.submit('two')
      const after = await entriesOf(here)
      await fixture.until(() => views.every((seen, index) => seen.length === after.length - index - 1))
      expect(views).toEqual(all.map(({ seq }) => after.slice(seq)))
    })

    test('[B152] `watch` handles many entries as it handles few', async () => {
      const here = await fixture.process()
      const { thread } = await here.store.open('t')
      const input = { kind: 'input-submit', content: 'again', when: 'queue' } as const
      for (let round = 0; round < 3; round++)
        await here.store.write({ thread, entries: Array.from({ length: 150 }, () => input) })
      const seen = watching(here.thread().watch())
      await fixture.until(() => seen.length === 450)
      expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1))
    })

    test('[B153] it ends with its signal: before it began, between two entries, and while nothing happens', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      for (const text of ['one', 'two', 'three']) await thread.submit(text)
      expect(await collected(thread.watch({ signal: AbortSignal.abort() }))).toEqual([])
      const between = new AbortController()
      const some: number[] = []
      for await (const { seq } of thread.watch({ signal: between.signal })) {
        some.push(seq)
        if (seq === 2) between.abort()
      }
      expect(some).toEqual([1, 2])
      const idle = new AbortController()
      const all = collected(thread.watch({ signal: idle.signal }))
      await fixture.pass(fixture.soonMs)
      idle.abort()
      expect((await all).map(({ seq }) => seq)).toEqual([1, 2, 3])
    })

    test('[B154] `watch` waits for a thread that does not exist yet', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const seen = watching(other.thread().watch())
      await fixture.pass(fixture.soonMs)
      await here.thread().submit('Hello')
      await fixture.until(() => seen.length === 1)
      expect(seen).toMatchObject([{ kind: 'input-submit', content: 'Hello' }])
    })
  })
}

/** What is seen as time goes by. */
function watching(entries: AsyncIterable<Entry>): Entry[] {
  const seen: Entry[] = []
  void (async () => {
    for await (const entry of entries) seen.push(entry)
  })().catch(() => {})
  return seen
}

async function collected(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entry of entries) all.push(entry)
  return all
}
