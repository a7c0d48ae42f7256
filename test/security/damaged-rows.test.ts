import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { journalSession } from '../../src/integrations/openai-agents/index.ts'
import { openJournal, run } from '../../src/journal/index.ts'
import { inFolder } from '../doctor/contract.ts'
import { newSchema } from '../journal/stores/postgres-fixture.ts'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const words = {
  ...{ id: 'c', object: 'chat.completion', created: 0, model: 'm' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'words' } }],
}

/** What another program, or a faulty disk, does to the tables. */
type Damage = (sql: string) => Promise<unknown>

const places: Record<
  string,
  (work: (open: () => ReturnType<typeof openJournal>, damage: Damage) => Promise<void>) => Promise<void>
> = {
  sqlite: work =>
    inFolder(async folder => {
      const file = join(folder, 'journal.db')
      await work(
        () => openJournal(`sqlite:${file}`),
        async sql => {
          const database = new DatabaseSync(file)
          database.exec(sql)
          database.close()
        },
      )
    }),
  postgres: async work => {
    const schema = newSchema()
    const quoted = `"${schema.replaceAll('"', '""')}"`
    const damage: Damage = sql => server.sql(sql.replace('antiphon_', () => `${quoted}.antiphon_`))
    await work(() => openJournal(server.url(), { schema, busyMs: 500 }), damage)
  },
}

const numbers = ['head', 'epoch', 'leased_until', 'created_at', 'updated_at']

describe.each(Object.entries(places))('a damaged journal in %s', (kind, within) => {
  test.each(numbers)('[SE187] a thread with a number too large for JavaScript as %s does not hide the others', column =>
    within(async (open, damage) => {
      await using journal = await open()
      for (const name of ['hurt', 'other']) await journal.thread(name, { for: 'openai' }).submit('hi')
      await damage(`UPDATE antiphon_thread SET ${column} = 9223372036854775807 WHERE name = 'hurt'`)
      await using reader = await open()
      const names: string[] = []
      for await (const { name, createdAt, updatedAt } of reader.threads()) {
        names.push(name)
        for (const time of [createdAt, updatedAt]) expect(new Date(time).toISOString()).toBeTypeOf('string')
      }
      expect(names).toEqual(['hurt', 'other'])
      expect((await reader.store.due(10)).map(({ name }) => name)).toContain('other')
      const { status } = await run(reader.thread('other', { for: 'openai' }), { model: () => words })
      expect(status).toBe('done')
    }),
  )

  test('[SE187] an entry with a time or an epoch that is too large can be read', () =>
    within(async (open, damage) => {
      await using journal = await open()
      await journal.thread('hurt', { for: 'openai' }).submit('hi')
      await damage('UPDATE antiphon_entry SET at = 9223372036854775807, epoch = 9223372036854775807')
      await using reader = await open()
      const [entry] = await reader.store.read((await reader.store.find('hurt'))?.thread ?? 0, 0)
      expect(new Date(entry?.at ?? Number.NaN).toISOString()).toBeTypeOf('string')
    }))

  test.each(['thread SET head', 'entry SET seq'])(
    '[SE265] a thread with a number too large for JavaScript (%s) can be erased, and the threads after it expire',
    column =>
      within(async (open, damage) => {
        await using journal = await open()
        await journal.thread('hurt', { for: 'openai' }).submit('hi')
        await damage(`UPDATE antiphon_${column} = 9223372036854775807`)
        await journal.thread('other', { for: 'openai' }).submit('hi')
        await using reader = await open()
        const later = (await reader.store.now()) + 1
        await vi.waitFor(async () => expect(await reader.store.now()).toBeGreaterThan(later))
        const erased = await reader.expire({ idleDays: 1e-9 })
        expect(erased.map(({ name }) => name)).toEqual(['hurt', 'other'])
        expect(await reader.store.list(0, 10)).toEqual([])
      }),
  )

  const damages: readonly (readonly [kind: string, data: string])[] = [
    ['input-admit', '{"inputs":null}'],
    ['input-admit', '{}'],
    ['response-record', '{"format":"openai-chat","messages":null,"calls":[]}'],
    ['response-record', '{"format":"__proto__","messages":[],"calls":[]}'],
    ['response-record', '{"format":"openai-chat","messages":[],"calls":[null]}'],
    ['input-submit', '{"content":"hi","when":"queue","branch":7}'],
    ...(kind === 'postgres' ? ([['input-submit', '#5']] as const) : []),
  ]

  test.each(damages)(
    '[SE186] a %s entry that is %s is an error every time, and nothing is decided without it',
    (entry, data) =>
      within(async (open, damage) => {
        await using journal = await open()
        const thread = journal.thread('hurt', { for: 'openai' })
        await thread.submit('hi')
        await run(thread, { model: () => words })
        await damage(`UPDATE antiphon_entry SET data = '${data}' WHERE kind = '${entry}'`)
        await using reader = await open()
        const hurt = reader.thread('hurt', { for: 'openai' })
        await hurt.submit('again')
        for (const read of [() => hurt.messages(), () => hurt.status(), () => run(hurt, { model: () => words })])
          for (const _ of [1, 2]) await expect(read()).rejects.toMatchObject({ code: 'journal-damaged' })
      }),
  )
})

test('[SE188] a session cannot take the name of the thread of an agent', async () => {
  await using journal = await openJournal('memory:')
  const wrong = expect.objectContaining({ code: 'invalid-name' })
  expect(() => journalSession(journal, 'chat/agent:abc-3-0')).toThrow(wrong)
  await journalSession(journal, 'chat/agent').addItems([{ role: 'user', content: 'hi' }])
})
