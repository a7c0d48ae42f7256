import { describe, expect, test } from 'vitest'
import type { Journal } from '../../../src/journal/journal.ts'
import type { MetadataChange } from '../../../src/journal/metadata/describe-thread.ts'
import { run } from '../../../src/journal/run.ts'
import type { ThreadsOptions } from '../../../src/journal/stores/read-all.ts'
import type { ThreadRow } from '../../../src/journal/stores/store.ts'
import type { Fixture } from './fixture.ts'
import { scripted } from './model.ts'

const rowsOf = async (journal: Journal, options: ThreadsOptions): Promise<ThreadRow[]> => {
  const rows: ThreadRow[] = []
  for await (const row of journal.threads(options)) rows.push(row)
  return rows
}

const namesOf = async (journal: Journal, options: ThreadsOptions): Promise<string[]> =>
  (await rowsOf(journal, options)).map(({ name }) => name)

/** A thread has a title, labels and data of its own, and can be found by its labels. */
export function checkMetadata(fixture: Fixture): void {
  describe('metadata of threads', () => {
    test('[B510] a thread has a title, labels and data, and each is changed without the others', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      expect(await thread.metadata()).toEqual({ labels: [] })
      const data = { user: 7, tags: ['x'] }
      await thread.describe({ title: 'A trip', labels: ['new', 'support', 'new'], data })
      data.tags.push('changed later')
      const before = { title: 'A trip', labels: ['new', 'support'], data: { user: 7, tags: ['x'] } }
      expect(await other.thread().metadata()).toEqual(before)
      expect(await other.thread().describe({ labels: ['done'] })).toEqual({ ...before, labels: ['done'] })
      await thread.submit('Hello')
      await fixture.during(run(thread, { model: scripted('Hi.') }))
      await thread.describe({ title: null })
      expect(await other.thread().metadata()).toEqual({ labels: ['done'], data: before.data })
      await thread.describe({ data: null, labels: [], title: '' })
      expect(await other.thread().metadata()).toEqual({ title: '', labels: [] })
      expect(await thread.messages()).toHaveLength(2)
    })

    test('[B511] changes of several processes at once are all made', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await Promise.all([
        here.thread().describe({ title: 'A trip' }),
        other.thread().describe({ labels: ['support'] }),
        here.thread().describe({ data: 1 }),
      ])
      expect(await other.thread().metadata()).toEqual({ title: 'A trip', labels: ['support'], data: 1 })
    })

    test('[B512] metadata that is not JSON, has other types, or more than 16 KB is refused, and changes nothing', async () => {
      const thread = (await fixture.process()).thread()
      await thread.describe({ title: 'A trip', data: 'x'.repeat(16_000) })
      const wrong = [
        ...[{ title: 7 }, { labels: 'support' }, { labels: ['a', ''] }, { labels: [7] }, { data: () => {} }],
        ...[{ data: 'x'.repeat(17_000) }, { title: 'x'.repeat(500) }, { data: '€'.repeat(6_000) }],
      ]
      for (const change of wrong)
        await expect(thread.describe(change as MetadataChange), Object.keys(change)[0]).rejects.toMatchObject({
          code: 'invalid-metadata',
        })
      expect(await thread.metadata()).toEqual({ title: 'A trip', labels: [], data: 'x'.repeat(16_000) })
    })

    test('[B513] threads are listed by label and status, oldest or newest first, page by page', async () => {
      const { journal, thread } = await withMany()
      expect(await namesOf(journal, { label: 'even' })).toEqual(['t2', 't4', 't6'])
      expect(await namesOf(journal, { label: 'none' })).toEqual([])
      expect(await namesOf(journal, { label: 'even', order: 'newest' })).toEqual(['t6', 't4', 't2'])
      const page = await rowsOf(journal, { label: 'even', order: 'newest', limit: 2 })
      expect(page.map(({ name, metadata }) => [name, metadata?.title])).toEqual([
        ['t6', 'Title 6'],
        ['t4', 'Title 4'],
      ])
      const after = page[1].thread
      expect(await namesOf(journal, { label: 'even', order: 'newest', limit: 2, after })).toEqual(['t2'])
      expect(await namesOf(journal, { after })).toEqual(['t5', 't6'])
      expect(await namesOf(journal, { limit: 0 })).toEqual([])
      await thread('t4').submit('Hello')
      const fail = () => {
        throw new Error('the model is down')
      }
      await fixture.during(run(thread('t4'), { model: fail }).catch(() => {}))
      expect(await namesOf(journal, { status: 'failed' })).toEqual(['t4'])
      expect(await namesOf(journal, { status: 'idle', label: 'even' })).toEqual(['t2', 't6'])
    })

    test('[B514] `expire` keeps threads with one of the labels that are to be kept', async () => {
      const { journal, thread } = await withMany()
      await thread('t3').describe({ labels: ['legal'] })
      await fixture.pass(20)
      const idleDays = 10 / (24 * 3_600_000)
      const options = { idleDays, keepLabels: ['legal', 'even'] }
      const names = (rows: readonly ThreadRow[]) => rows.map(({ name }) => name)
      expect(names(await journal.expire({ ...options, dryRun: true }))).toEqual(['t1', 't5'])
      expect(names(await journal.expire(options))).toEqual(['t1', 't5'])
      expect(await namesOf(journal, {})).toEqual(['t2', 't3', 't4', 't6'])
      expect(names(await journal.expire({ idleDays }))).toEqual(['t2', 't3', 't4', 't6'])
    })
  })

  /** Six threads, every second one with a label. */
  async function withMany() {
    const { journal } = await fixture.process()
    const thread = (name: string) => journal.thread(name)
    for (const index of [1, 2, 3, 4, 5, 6])
      await thread(`t${index}`).describe({ title: `Title ${index}`, labels: index % 2 === 0 ? ['even'] : [] })
    return { journal, thread }
  }
}
