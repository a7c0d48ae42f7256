import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { AntiphonError, type ErrorCode, MemoryStore, openJournal } from '../../src/journal/index.ts'
import { inFolder } from '../doctor/contract.ts'

const seal = randomBytes(32)
const described = { title: 'A trip to Lisbon', data: { plan: 'pro' } }

/** A store whose reads of entries fail as long as `failsWith` is set. */
class FailingStore extends MemoryStore {
  failsWith: ErrorCode | undefined

  override async read(...range: Parameters<MemoryStore['read']>) {
    if (this.failsWith) throw new AntiphonError(this.failsWith, 'no connection is free')
    return super.read(...range)
  }
}

test.each(['journal-busy', 'journal-failed', 'journal-unreachable'] as const)(
  '[SE541] a thread without a seal keeps its title if its first entry cannot be read now (%s)',
  async code => {
    const store = new FailingStore()
    const plain = await openJournal(store)
    await plain.thread('chat').submit('Hello')
    await plain.thread('chat').describe(described)
    const journal = await openJournal(store, { seal })
    store.failsWith = code
    await expect(journal.thread('chat').describe({ labels: ['solved'] })).rejects.toMatchObject({ code })
    store.failsWith = undefined
    await journal.thread('chat').describe({ labels: ['support'] })
    expect(await journal.thread('chat').metadata()).toEqual({ ...described, labels: ['support'] })
  },
)

test('[SE541] a thread without a seal keeps its title if its first entry is damaged, and can be erased', () =>
  inFolder(async folder => {
    const file = join(folder, 'journal.db')
    const location = `sqlite:${file}`
    await using plain = await openJournal(location)
    await plain.thread('chat').submit('Hello')
    await plain.thread('chat').describe(described)
    const database = new DatabaseSync(file)
    database.exec("UPDATE antiphon_entry SET data = 'damaged' WHERE seq = 1")
    database.close()
    await using journal = await openJournal(location, { seal })
    const thread = journal.thread('chat')
    for (const change of [{ labels: ['solved'] }, { title: 'Another' }])
      await expect(thread.describe(change)).rejects.toMatchObject({ code: 'journal-damaged' })
    expect(await plain.thread('chat').metadata()).toEqual({ ...described, labels: [] })
    expect(await thread.erase()).toEqual({ isErased: true })
  }))
