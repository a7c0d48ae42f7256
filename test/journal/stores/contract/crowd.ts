import { describe, expect, test } from 'vitest'
import { settle, submit } from '../../sample-entries.ts'
import { checkLockStep } from '../lock-step.ts'
import { entriesPerTurn, turnOf } from '../turn.ts'
import { expectEach, writeUntilAccepted } from './contend.ts'
import { type Fixture, range, seqs, whys } from './fixture.ts'

export function checkCrowd(fixture: Fixture, crowd: number, runs: number): void {
  describe('many at once', () => {
    test('[W43] concurrent writers that retry when the head has moved leave no gaps and lose nothing', async () => {
      const { thread } = await fixture.store.open('t')
      await Promise.all(range(1, crowd).map(writer => writeUntilAccepted(fixture.store, thread, writer)))
      await expectEach(fixture.store, thread, crowd)
    })

    test('[W44] concurrent writers that do not check the head leave no gaps and lose nothing', async () => {
      const { thread } = await fixture.store.open('t')
      const written = await Promise.all(
        range(1, 200).map(writer => fixture.accept({ thread, entries: [submit(writer)] })),
      )
      expect(written.map(({ head }) => head).toSorted((one, other) => one - other)).toEqual(range(1, 200))
      const entries = await expectEach(fixture.store, thread, 200)
      for (const [index, { head }] of written.entries()) expect(entries[head - 1]).toMatchObject({ content: index + 1 })
    })

    test('[W45] sixty-four threads can run their turns at once, independently of each other', async () => {
      const rows = await Promise.all(range(1, 64).map(index => fixture.store.open(`t${index}`)))
      await Promise.all(rows.map(({ thread }) => runTurns(fixture, thread, 3)))
      const head = 3 * entriesPerTurn
      for (const { thread, name } of rows) {
        expect(await fixture.store.get(thread)).toMatchObject({ name, head, epoch: 3, openCalls: 0, state: 'idle' })
        expect(seqs(await fixture.store.read(thread, 0))).toEqual(range(1, head))
      }
    })

    test('[W46] of many simultaneous attempts to settle one call, exactly one succeeds', async () => {
      const { thread, step } = await fixture.threadWithCalls(1)
      const written = await Promise.all(
        range(1, 20).map(() => fixture.store.write({ thread, entries: [settle(step)], head: step })),
      )
      expect(whys(written)).toEqual(Array.from({ length: 19 }, () => 'moved'))
      expect((await fixture.store.read(thread, step)).map(({ kind }) => kind)).toEqual(['call-settle'])
    })

    test('[W47] for any operations in any order, every store answers as the in-memory store does', () =>
      checkLockStep(fixture.store, runs))
  })
}

async function runTurns(fixture: Fixture, thread: number, turns: number): Promise<void> {
  for (const turn of range(1, turns)) for (const write of turnOf(thread, turn, 'well')) await fixture.accept(write)
}
