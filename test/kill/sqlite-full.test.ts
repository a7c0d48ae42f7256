import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import { connectSqlite } from '../../src/journal/stores/sqlite/connect.ts'
import { SqliteStore } from '../../src/journal/stores/sqlite/store.ts'
import { expectDone, expectSound } from './evidence.ts'
import type { Harness } from './harness.ts'
import { Ledger, linesOf } from './ledger.ts'
import type { Task } from './plan.ts'
import { Points } from './points.ts'
import { Renewals } from './renewals.ts'
import { newSqliteSite } from './sqlite-site.ts'
import { perform } from './tasks.ts'
import { watchedStore } from './watched-store.ts'

const site = newSqliteSite()
beforeAll(() => site.warmUp())
afterAll(() => site.remove())

/** More than there is room for, and of any length, so that the disk is full now in this write and now in that. */
const task: Task = {
  do: 'converse',
  thread: 'thread',
  inputs: Array.from({ length: 14 }, (_, index) => `plain <in-${index}> ${'words '.repeat((index * 37) % 100)}`),
}

describe('a full disk', () => {
  test.each([0, 2, 3])(
    '[B407] with room for %i more pages: a typed error, nothing acknowledged is lost, and it goes on when there is room',
    async pages => {
      await using harness = site.harness()
      await using bounded = await openBounded(harness, pages)
      await expect(bounded.talk()).rejects.toMatchObject({ code: 'journal-full', hint: expect.any(String) })
      await expectSound(harness, false)
      bounded.makeRoom()
      await bounded.talk()
      await expectSound(harness, true)
    },
  )

  test.each([260, 300, 340])(
    '[B408] with files of at most %i blocks: a typed error, nothing acknowledged is lost, and it goes on when there is room',
    async fileSizeMax => {
      await using harness = site.harness()
      const end = await harness.run(task, { fileSizeMax })
      expect(end).toMatchObject({ signal: null, report: { kind: 'failed', code: 'journal-full' } })
      expect(linesOf(harness.lines(), 'written').length).toBeGreaterThan(0)
      await expectSound(harness, false)
      expectDone(await harness.run(task))
      await expectSound(harness, true)
    },
  )
})

/** A journal in this process that can grow by so many pages, and no more. */
async function openBounded(harness: Harness, pages: number) {
  const plan = harness.plan(task)
  const { file } = plan.where as { file: string }
  const database = await connectSqlite(file, { durability: 'full', readOnly: false, busyMs: 5_000, now: Date.now })
  const [ledger, renewals] = [new Ledger(plan.ledger), new Renewals()]
  const points = new Points(undefined, ledger)
  const journal = await openJournal(watchedStore(new SqliteStore(database), points, ledger, renewals))
  const told = new AbortController().signal
  const size = Number(database.prepare('PRAGMA page_count').get()?.page_count)
  database.exec(`PRAGMA max_page_count = ${size + pages}`)
  return {
    talk: () => perform(task, { journal, ledger, points, renewals, leaseMs: 300, told }),
    makeRoom: () => database.exec('PRAGMA max_page_count = 1000000'),
    async [Symbol.asyncDispose]() {
      await journal.close()
      ledger.close()
    },
  }
}
