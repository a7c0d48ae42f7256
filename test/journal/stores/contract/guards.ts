import { describe, expect, test } from 'vitest'
import type { RefusalReason, Write } from '../../../../src/journal/stores/store.ts'
import { admit, endTurn, respond, settle, start, submit } from '../../sample-entries.ts'
import { type Fixture, isKnown, long, picture, range, seqs } from './fixture.ts'

export function checkGuards(fixture: Fixture): void {
  describe('guards', () => {
    test('[W16] a write with an outdated head is refused: moved', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit()], head: 0 })
      await fixture.refuse({ thread, entries: [submit()], head: 0 }, 'moved')
      await fixture.refuse({ thread, entries: [submit()], head: 2 }, 'moved')
      await fixture.refuse({ thread, entries: [], head: 0 }, 'moved')
      await fixture.accept({ thread, entries: [submit()], head: 1 })
    })

    test('[W17] a write with an outdated epoch is refused, whatever its head: fenced', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [], lease: long('a') })
      await fixture.accept({ thread, entries: [], release: true })
      await fixture.accept({ thread, entries: [submit()], lease: long('b') })
      await fixture.refuse({ thread, entries: [submit()], head: 1, epoch: 1 }, 'fenced')
      await fixture.refuse({ thread, entries: [submit()], epoch: 0 }, 'fenced')
      await fixture.refuse({ thread, entries: [submit()], epoch: 3 }, 'fenced')
      await fixture.accept({ thread, entries: [submit()], head: 1, epoch: 2 })
    })

    test('[W18] a write that expects another thread state is refused: busy', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.refuse({ thread, entries: [submit()], onlyIf: 'running' }, 'busy')
      await fixture.accept({ thread, entries: [submit()], onlyIf: 'idle', state: 'running' })
      await fixture.refuse({ thread, entries: [submit()], onlyIf: 'idle' }, 'busy')
      await fixture.accept({ thread, entries: [submit()], onlyIf: 'running' })
      expect((await fixture.store.get(thread)).state).toBe('running')
    })

    test.each([
      ['the user', admit(1)],
      ['the model', respond()],
      ['the end of a turn', endTurn],
    ])('[W19] while a call is open, no entry of %s can be written', async (_, speech) => {
      const { thread, step } = await fixture.threadWithCalls(2)
      await fixture.refuse({ thread, entries: [speech], head: step }, 'open')
      const { head } = await fixture.accept({ thread, entries: [submit(), settle(step)], head: step })
      await fixture.refuse({ thread, entries: [speech], head }, 'open')
      await fixture.refuse({ thread, entries: [start(step, 1), speech], head }, 'open')
      const settled = await fixture.accept({ thread, entries: [settle(step, 1)], head })
      await fixture.accept({ thread, entries: [speech], head: settled.head })
    })

    test('[W20] one write can settle calls and add the next message, if it leaves no call open', async () => {
      const { thread, step } = await fixture.threadWithCalls(2)
      await fixture.refuse({ thread, entries: [settle(step), admit()], head: step }, 'open')
      await fixture.refuse({ thread, entries: [settle(step), settle(99), admit()], head: step }, 'open')
      await fixture.refuse({ thread, entries: [settle(step), settle(step), admit()], head: step }, 'open')
      await fixture.accept({ thread, entries: [settle(step), settle(step, 1), admit()], head: step })
      expect((await fixture.store.get(thread)).openCalls).toBe(0)
    })

    test('[W21] a call can be settled once, and only if it exists and has no result yet: settled', async () => {
      const { thread, step } = await fixture.threadWithCalls(3, 1)
      expect((await fixture.store.get(thread)).openCalls).toBe(2)
      for (const entry of [settle(step, 1), settle(step, 3), settle(step + 1), settle(0)])
        await fixture.refuse({ thread, entries: [entry], head: step }, 'settled')
      await fixture.refuse({ thread, entries: [settle(step), settle(step)], head: step }, 'settled')
      await fixture.refuse({ thread, entries: [settle(step), settle(step, 1)], head: step }, 'settled')
      const { head } = await fixture.accept({ thread, entries: [settle(step)], head: step })
      expect((await fixture.store.get(thread)).openCalls).toBe(1)
      await fixture.refuse({ thread, entries: [settle(step)], head }, 'settled')
      await fixture.accept({ thread, entries: [settle(step, 2)], head })
      expect((await fixture.store.get(thread)).openCalls).toBe(0)
    })

    test('[SE204] any number of calls can be started, and settled, by one write', async () => {
      const { thread, step } = await fixture.threadWithCalls(12_000)
      const indexes = range(0, 11_999)
      const settles = indexes.map(index => settle(step, index))
      for (const wrong of [settle(step, 12_000), settle(step, 7)])
        await fixture.refuse({ thread, entries: [...settles, wrong], head: step }, 'settled')
      const starts = indexes.map(index => start(step, index))
      const started = await fixture.accept({ thread, entries: starts, head: step })
      await fixture.refuse({ thread, entries: starts, head: started.head }, 'started')
      const { head } = await fixture.accept({ thread, entries: [...settles, endTurn], head: started.head })
      expect(await fixture.store.get(thread)).toMatchObject({ head: step + 24_001, openCalls: 0 })
      const [last, end] = await fixture.store.read(thread, head - 2)
      expect([last, end]).toMatchObject([settle(step, 11_999), endTurn])
    })

    test('[W22] a call can be started once, and only while it is open: started, settled', async () => {
      const { thread, step } = await fixture.threadWithCalls(4, 1)
      for (const entry of [start(step, 1), start(step, 4), start(step + 1)])
        await fixture.refuse({ thread, entries: [entry], head: step }, 'settled')
      await fixture.refuse({ thread, entries: [start(step), start(step)], head: step }, 'started')
      let { head } = await fixture.accept({ thread, entries: [start(step), start(step, 2)], head: step })
      await fixture.refuse({ thread, entries: [start(step)], head }, 'started')
      await fixture.refuse({ thread, entries: [start(step, 3), start(step, 2)], head }, 'started')
      await fixture.refuse({ thread, entries: [start(step, 1), start(step, 2)], head }, 'settled')
      head = (await fixture.accept({ thread, entries: [settle(step)], head })).head
      await fixture.refuse({ thread, entries: [start(step)], head }, 'settled')
      head = (await fixture.accept({ thread, entries: [start(step, 3)], head })).head
      await fixture.accept({ thread, entries: [settle(step, 2), settle(step, 3)], head })
      expect((await fixture.store.get(thread)).openCalls).toBe(0)
    })

    test('[W23] a call is identified by its thread and its response', async () => {
      const one = await fixture.threadWithCalls(1)
      const other = await fixture.threadWithCalls(1)
      await fixture.accept({ thread: one.thread, entries: [settle(one.step)], head: one.step })
      expect((await fixture.store.get(other.thread)).openCalls).toBe(1)
      await fixture.accept({ thread: other.thread, entries: [settle(other.step)], head: other.step })
      const { head } = await fixture.accept({ thread: one.thread, entries: [submit(), respond(1), submit()] })
      await fixture.refuse({ thread: one.thread, entries: [settle(one.step)], head }, 'settled')
      await fixture.accept({ thread: one.thread, entries: [settle(head - 1)], head })
    })

    test('[W24] when a write is refused for several reasons, the first one in a fixed order is reported', async () => {
      const { thread, write, repairs } = await writeWithEveryFault(fixture)
      const heard: RefusalReason[] = []
      let next = write
      for (const repair of repairs) {
        const written = await fixture.store.write(next)
        if (!written.ok) heard.push(written.why)
        next = repair(next)
      }
      expect(heard).toEqual(['known', 'fenced', 'moved', 'leased', 'busy', 'open', 'settled', 'started'])
      expect((await fixture.store.write(next)).ok).toBe(true)
      expect((await fixture.store.get(thread)).openCalls).toBe(2)
    })

    test('[W25] a refused write changes nothing, and the refusal contains the current thread', async () => {
      const { thread, write, repairs } = await writeWithEveryFault(fixture)
      const before = await picture(fixture.store, thread)
      let next: Write = { ...write, state: 'parked', dueAt: 'now', release: true }
      for (const repair of repairs) {
        const written = await fixture.store.write(next)
        expect(written.ok).toBe(false)
        expect(!written.ok && written.row).toEqual(before.row)
        expect(await picture(fixture.store, thread)).toEqual(before)
        next = repair(next)
      }
      expect(await isKnown(fixture.store, thread, 'fresh')).toBe(false)
      await fixture.accept(next)
      expect(await isKnown(fixture.store, thread, 'fresh')).toBe(true)
      expect(await fixture.store.get(thread)).toMatchObject({ state: 'parked', leasedUntil: 0 })
    })

    test('[W26] a refused write does not affect other writes made at the same time', async () => {
      const { thread, step } = await fixture.threadWithCalls(1)
      const written = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          index % 3 === 1
            ? fixture.store.write({ thread, entries: [submit(`bad ${index}`), admit()] })
            : fixture.store.write({ thread, entries: [submit(`good ${index}`)] }),
        ),
      )
      expect(written.map(({ ok }) => ok)).toEqual(written.map((_, index) => index % 3 !== 1))
      const entries = await fixture.store.read(thread, step)
      expect(seqs(entries)).toEqual(range(step + 1, step + 20))
      for (const [index, answer] of written.entries())
        if (answer.ok) expect(entries[answer.head - step - 1]).toMatchObject({ content: `good ${index}` })
    })
  })
}

type Repair = (write: Write) => Write

/** A write that could be refused for every reason, and what repairs it, reason by reason. */
async function writeWithEveryFault(fixture: Fixture): Promise<{ thread: number; write: Write; repairs: Repair[] }> {
  const { thread, step } = await fixture.threadWithCalls(2)
  await fixture.accept({ thread, entries: [submit('it', 'old')], input: { key: 'old', digest: 'd' } })
  await fixture.accept({ thread, entries: [start(step)], head: step + 1 })
  await fixture.accept({ thread, entries: [], lease: long('a'), state: 'running' })
  const [started, absent, fresh, last] = [start(step), start(99), start(step, 1), submit('last', 'fresh')]
  const write: Write = {
    ...{ thread, entries: [started, absent, fresh, admit(1), last], epoch: 0, head: 0, lease: long('b') },
    ...{ onlyIf: 'idle', input: { key: 'old', digest: 'e' } },
  }
  const repairs: Repair[] = [
    write => ({ ...write, input: { key: 'fresh', digest: 'e' } }),
    write => ({ ...write, epoch: 1 }),
    write => ({ ...write, head: step + 2 }),
    ({ lease: _, ...write }) => write,
    write => ({ ...write, onlyIf: 'running' }),
    write => ({ ...write, entries: [started, absent, fresh, last] }),
    write => ({ ...write, entries: [started, fresh, last] }),
    write => ({ ...write, entries: [fresh, last] }),
  ]
  return { thread, write, repairs }
}
