import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openJournal, type SealKeys } from '../../src/journal/index.ts'
import { inFolder } from '../doctor/contract.ts'

const key = randomBytes(32)

/** Wraps without any regard to the thread, as a simple service may do. */
const careless: SealKeys = { wrap: wrapped => wrapped, unwrap: wrapped => wrapped }

const sealedError = { code: 'journal-sealed' }

/** What an attacker does who can write to the database and has no key. */
function change(file: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(file)
  for (const statement of statements) database.exec(statement)
  database.close()
}

const exchangeNames = ['x', 'hers', 'his'].map(
  (name, index, names) => `UPDATE antiphon_thread SET name = '${name}' WHERE name = '${names.at(index - 2)}'`,
)

test.each([
  ['a key', key],
  ['functions that do not look at the thread', careless],
])('[SE180] with %s, a sealed thread that was renamed in the database cannot be read under its new name', (_, seal) =>
  inFolder(async folder => {
    const file = join(folder, 'journal.db')
    const location = `sqlite:${file}`
    await using journal = await openJournal(location, { seal })
    for (const name of ['his', 'hers']) {
      await journal.thread(name).submit(`${name} secret`)
      await journal.thread(name).describe({ title: `${name} title` })
    }
    change(file, ...exchangeNames)
    await using other = await openJournal(location, { seal })
    // Also in a process that has used the threads before.
    for (const opened of [other, journal]) {
      const { store } = opened
      const row = await store.find('his')
      expect(row?.metadata?.title).toBe(undefined)
      await expect(store.read(row?.thread ?? 0, 0)).rejects.toMatchObject(sealedError)
    }
    await expect(other.thread('his').messages()).rejects.toMatchObject(sealedError)
    await expect(other.thread('his').submit('more')).rejects.toMatchObject(sealedError)
  }),
)

test('[SE181] a title and data that were written without the key do not count in a sealed thread', () =>
  inFolder(async folder => {
    const file = join(folder, 'journal.db')
    const location = `sqlite:${file}`
    {
      await using plain = await openJournal(location)
      await plain.thread('plain').submit('not a secret')
      await plain.thread('plain').describe({ title: 'a title' })
      await using journal = await openJournal(location, { seal: key })
      await journal.thread('t').submit('a secret')
      await journal.thread('t').describe({ title: 'hers', data: { owner: 'her' }, labels: ['kept'] })
    }
    const forged = JSON.stringify({ title: 'his', data: { owner: 'him' }, labels: ['kept'] })
    change(file, `UPDATE antiphon_entry SET data = '${forged}' WHERE seq = 0 AND data LIKE '%sealed%'`)
    await using journal = await openJournal(location, { seal: key })
    expect(await journal.thread('t').metadata()).toEqual({ labels: ['kept'] })
    const titles: (string | undefined)[] = []
    for await (const { metadata } of journal.threads()) titles.push(metadata?.title)
    expect(titles).toEqual(['a title', undefined])
  }))

test('[SE182] with a seal that returns another key, nothing is written to a sealed thread', () =>
  inFolder(async folder => {
    const location = `sqlite:${join(folder, 'journal.db')}`
    {
      await using journal = await openJournal(location, { seal: careless })
      await journal.thread('t').submit('first')
    }
    for (const wrong of [randomBytes(32), randomBytes(16), new Uint8Array()]) {
      await using journal = await openJournal(location, { seal: { ...careless, unwrap: () => wrong } })
      await expect(journal.thread('t').submit('second')).rejects.toMatchObject(sealedError)
    }
    await using journal = await openJournal(location, { seal: careless })
    expect(await journal.thread('t', { for: 'openai' }).messages()).toEqual([])
    expect(await journal.thread('t').status()).toMatchObject({ waiting: 1 })
  }))
