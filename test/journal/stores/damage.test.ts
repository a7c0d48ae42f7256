import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Journal } from '../../../src/journal/journal.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import { antiphon, lines } from '../../apps/cli/program.ts'
import { SettableClock } from '../contract/settable-clock.ts'
import { submit } from '../sample-entries.ts'
import { openJournal } from './postgres-fixture.ts'
import { type Server, startServer } from './postgres-server.ts'
import { Folder } from './sqlite-folder.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const folder = new Folder()

interface Place {
  readonly store: Store
  /** What somebody does to the tables by hand. */
  sql(text: string): Promise<unknown>
  close(): Promise<void>
}

const places: Record<string, () => Promise<Place>> = {
  sqlite: async () => {
    const store = await folder.open()
    const sql = async (text: string): Promise<void> => {
      const database = new DatabaseSync(folder.file())
      database.exec(text)
      database.close()
    }
    return { store, sql, close: async () => {} }
  },
  postgres: () => openJournal(server),
}

const damages: readonly (readonly [what: string, sql: string, before: number, message: string])[] = [
  ['data that are not JSON', `UPDATE antiphon_entry SET data = 'torn {' WHERE seq = 3`, 2, 'its data is not JSON'],
  [
    'data that are not an object',
    `UPDATE antiphon_entry SET data = '17' WHERE seq = 3`,
    2,
    'its data is not a JSON object',
  ],
  ['a gap', `DELETE FROM antiphon_entry WHERE seq = 3`, 2, 'it is missing; the next entry is 4'],
  ['a gap at the beginning', `DELETE FROM antiphon_entry WHERE seq = 1`, 0, 'it is missing; the next entry is 2'],
  ['a missing end', `DELETE FROM antiphon_entry WHERE seq >= 4`, 3, 'it is missing, and so are all entries up to 5'],
]

describe.each(Object.entries(places))('a damaged journal in %s', (_, prepare) => {
  test.each(damages)('[W55] %s is an error that names thread and entry', async (_, sql, before, message) => {
    const place = await prepare()
    const { store } = place
    const other = (await store.open('other')).thread
    const { thread } = await store.open('hurt')
    for (const key of [other, thread])
      await store.write({ thread: key, entries: Array.from({ length: 5 }, () => submit()) })
    await place.sql(`${sql} AND thread = ${thread}`)
    const whole = await store.read(thread, 0).catch(() => [])
    expect(whole.map(({ seq }) => seq)).toEqual(Array.from({ length: before }, (_, index) => index + 1))
    const error = {
      code: 'journal-damaged',
      message: `thread hurt, entry ${before + 1}: ${message}`,
      hint: 'restore the journal from a backup; its other threads can be read',
    }
    await expect(store.read(thread, before)).rejects.toMatchObject(error)
    const journal = new Journal(store, new SettableClock(), 'here')
    await expect(journal.thread('hurt').messages()).rejects.toMatchObject(error)
    expect(await journal.thread('other').status()).toMatchObject({ waiting: 5 })
    await place.close()
  })
})

test('[W55] a call that no response has made is damage as well', async () => {
  const store = await folder.open()
  const { thread } = await store.open('hurt')
  await store.write({ thread, entries: [submit(), { kind: 'call-park', call: { step: 1, index: 0 }, why: 'outside' }] })
  const journal = new Journal(store, new SettableClock(), 'here')
  await expect(journal.thread('hurt').status()).rejects.toMatchObject({
    code: 'journal-damaged',
    message: 'entry 2 names call 1.0, which the thread does not have',
  })
})

test('[W55] on the command line the other threads are exported, and the damage is one line', async () => {
  const store = await folder.open()
  for (const name of ['first', 'hurt', 'last']) {
    const { thread } = await store.open(name)
    await store.write({ thread, entries: [submit(name), submit(name)] })
  }
  await store.close()
  const database = new DatabaseSync(folder.file())
  database.exec(`UPDATE antiphon_entry SET data = 'torn {' WHERE seq = 2 AND thread = 2`)
  database.close()
  const line = 'antiphon: thread hurt, entry 2: its data is not JSON (restore the journal from a backup;'
  const { code, stdout, stderr } = await antiphon(['export', folder.file()])
  expect(code).toBe(2)
  expect(stderr).toContain(line)
  expect(lines(stderr)).toHaveLength(1)
  expect(lines(stdout).filter(text => text.includes('"content":"last"'))).toHaveLength(2)
  expect(await antiphon(['show', folder.file(), 'last'])).toMatchObject({ code: 0 })
  const shown = await antiphon(['show', folder.file(), 'hurt', '--entries'])
  expect(shown).toMatchObject({ code: 2, stderr: expect.stringContaining(line) })
  expect(lines(shown.stdout)).toHaveLength(1)
})
