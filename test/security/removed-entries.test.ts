import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openJournal, run } from '../../src/journal/index.ts'
import { encrypt, prepareKey, sealedIdOf } from '../../src/journal/seal/seal-keys.ts'
import { columnParts } from '../../src/journal/stores/entry-column.ts'
import { inFolder } from '../doctor/contract.ts'
import { scripted } from '../journal/contract/model.ts'

type Row = Record<string, string | number | null>

/** What an attacker does who can write to the database and has no key. */
const withTables = <T>(file: string, change: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(file)
  try {
    return change(database)
  } finally {
    database.close()
  }
}

test('[SE203] in a sealed thread, entries that were removed cannot be put back after others took their place', () =>
  inFolder(async folder => {
    const [file, seal] = [join(folder, 'journal.db'), randomBytes(32)]
    const paid: unknown[] = []
    const tools = {
      pay: { approval: true, execute: (input: never) => void paid.push(input) },
    }
    const ask = async (eur: number): Promise<string> => {
      await using journal = await openJournal(`sqlite:${file}`, { seal })
      const thread = journal.thread('t')
      await thread.submit('Pay', { key: 'k' })
      expect(await run(thread, { model: scripted([['pay', { eur }]]), tools })).toMatchObject({ status: 'parked' })
      return (await thread.openCalls())[0]?.id ?? ''
    }
    const call = await ask(5)
    {
      await using journal = await openJournal(`sqlite:${file}`, { seal })
      await journal.thread('t').approve(call)
    }
    const removed = withTables(file, database => {
      const rows = database.prepare('SELECT * FROM antiphon_entry WHERE seq > 1').all() as Row[]
      database.exec(`DELETE FROM antiphon_entry WHERE seq > 1; DELETE FROM antiphon_open_call;
        UPDATE antiphon_thread SET head = 1, state = 'idle', due_at = 1`)
      return rows
    })
    expect(await ask(5_000)).toBe(call)
    withTables(file, database => {
      const [approval] = removed.filter(({ kind }) => kind === 'call-decide')
      if (!approval) throw new Error('there is no approval')
      const fields = Object.keys(approval)
      database
        .prepare(`INSERT INTO antiphon_entry (${fields}) VALUES (${fields.map(() => '?')})`)
        .run(...Object.values(approval))
      database.exec(`UPDATE antiphon_thread SET head = ${approval.seq}, due_at = 1`)
    })
    await using journal = await openJournal(`sqlite:${file}`, { seal })
    const thread = journal.thread('t')
    await expect(run(thread, { model: scripted('Paid.'), tools })).rejects.toMatchObject({ code: 'journal-sealed' })
    await expect(thread.messages()).rejects.toMatchObject({ code: 'journal-sealed' })
    expect(paid).toEqual([])
  }))

test('[SE203] a sealed thread of an earlier version, whose entries are not linked, goes on', () =>
  inFolder(async folder => {
    const file = join(folder, 'journal.db')
    let key = new Uint8Array()
    const keep = (made: Uint8Array): Uint8Array => {
      key = Uint8Array.from(made)
      return made
    }
    const seal = { wrap: keep, unwrap: (wrapped: Uint8Array) => wrapped }
    const submit = async (...texts: string[]): Promise<string> => {
      await using journal = await openJournal(`sqlite:${file}`, { seal })
      for (const text of texts) await journal.thread('t').submit(text)
      return JSON.stringify((await journal.thread('t').read()).waiting.map(({ content }) => content))
    }
    await submit('one', 'two')
    const links = (): unknown[] => rowsOf().map(({ data }) => data.sealedAfter)
    const rowsOf = () =>
      withTables(file, database =>
        (database.prepare('SELECT seq, kind, data FROM antiphon_entry ORDER BY seq').all() as Row[]).map(
          ({ seq, kind, data }) => ({ seq, kind, data: JSON.parse(columnParts(data).json) }),
        ),
      )
    expect(links()).toEqual(['', expect.stringMatching(/^.{24}$/)])
    withTables(file, database => {
      const { uid } = database.prepare('SELECT uid FROM antiphon_thread').get() as { uid: string }
      const update = database.prepare('UPDATE antiphon_entry SET data = ? WHERE seq = ?')
      for (const { seq, kind, data } of rowsOf()) {
        const { sealedAfter: _, ...entry } = data
        const context = JSON.stringify([sealedIdOf({ thread: 't', uid }), { kind, sealedSeq: seq, when: entry.when }])
        const secret = JSON.stringify({ content: `old ${seq}` })
        const sealed = encrypt(prepareKey(key), secret, context).toString('base64')
        update.run(JSON.stringify({ ...entry, sealed }), Number(seq))
      }
    })
    expect(await submit('three')).toBe('["old 1","old 2","three"]')
    expect(await submit('four')).toBe('["old 1","old 2","three","four"]')
    const linked = expect.stringMatching(/^.{24}$/)
    expect(links()).toEqual([undefined, undefined, linked, linked])
  }))
