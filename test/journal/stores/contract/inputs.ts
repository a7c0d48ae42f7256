import { describe, expect, test } from 'vitest'
import { respond, submit } from '../../sample-entries.ts'
import { type Fixture, long } from './fixture.ts'

export function checkInputs(fixture: Fixture): void {
  describe('inputs', () => {
    test('[W27] an input is stored once per key; a later submission of the key gets the first one: known', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit()] })
      const input = { key: 'key', digest: 'one' }
      await fixture.accept({ thread, entries: [submit(), submit('it', 'key')], input })
      for (const digest of ['one', 'two']) {
        const again = await fixture.store.write({
          thread,
          entries: [submit('it', 'key')],
          input: { key: 'key', digest },
        })
        expect(again).toMatchObject({ ok: false, why: 'known', known: { digest: 'one', seq: 3 } })
      }
      expect((await fixture.store.get(thread)).head).toBe(3)
    })

    test('[W28] a key belongs to its thread, and two keys are the same only if every character is the same', async () => {
      const threads = await Promise.all([fixture.store.open('one'), fixture.store.open('other')])
      for (const { thread } of threads)
        for (const key of ['k', 'K', 'k ', '', 'é', 'e\u0301', '🙂'])
          await fixture.accept({ thread, entries: [submit('it', key)], input: { key, digest: 'd' } })
    })

    test('[W29] of fifty simultaneous submissions of one key, exactly one is stored', async () => {
      const { thread } = await fixture.store.open('t')
      const written = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fixture.store.write({ thread, entries: [submit(index, 'key')], input: { key: 'key', digest: `${index}` } }),
        ),
      )
      const [entry, ...others] = (await fixture.store.read(thread, 0)) as unknown as { content: number }[]
      expect(others).toEqual([])
      expect(written.flatMap(({ ok }, index) => (ok ? [index] : []))).toEqual([entry.content])
      for (const answer of written)
        if (!answer.ok) expect(answer).toMatchObject({ why: 'known', known: { digest: `${entry.content}`, seq: 1 } })
    })

    test('[W30] submitting input needs no lease, and moves the head that the lease owner sees', async () => {
      const { thread } = await fixture.store.open('t')
      const { head, epoch } = await fixture.accept({ thread, entries: [submit()], lease: long('a') })
      const input = await fixture.accept({ thread, entries: [submit('it', 'k')], input: { key: 'k', digest: 'd' } })
      expect(input).toMatchObject({ head: head + 1, epoch })
      await fixture.refuse({ thread, entries: [respond()], head, epoch }, 'moved')
      await fixture.accept({ thread, entries: [respond()], head: head + 1, epoch })
    })
  })
}
