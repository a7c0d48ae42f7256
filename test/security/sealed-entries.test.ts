import { randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openJournal, run } from '../../src/journal/index.ts'
import { columnParts, entryColumn } from '../../src/journal/stores/entry-column.ts'
import { inFolder } from '../doctor/contract.ts'

const key = randomBytes(32)

const reply = (calls: number) => ({
  ...{ id: 'c', object: 'chat.completion', created: 0, model: 'm' },
  choices: [
    {
      index: 0,
      finish_reason: calls > 0 ? 'tool_calls' : 'stop',
      message: {
        ...{ role: 'assistant', content: 'words' },
        ...(calls > 0 && {
          tool_calls: Array.from({ length: calls }, (_, index) => ({
            ...{ id: `call-${index}`, type: 'function', function: { name: 'look', arguments: `{"at":${index}}` } },
          })),
        }),
      },
    },
  ],
})

/** Writes a sealed journal: two inputs, two calls that were approved, their results, and answers. */
async function writeJournal(file: string): Promise<string> {
  await using journal = await openJournal(`sqlite:${file}`, { seal: key })
  const thread = journal.thread('t', { for: 'openai' })
  let asked = 0
  const model = () => reply(++asked === 1 ? 2 : 0)
  const tools = { look: { approval: true, execute: ({ at }: { at: number }) => `seen ${at}` } }
  await thread.submit('first')
  await run(thread, { model, tools })
  for (const { id } of await thread.openCalls()) await thread.approve(id)
  await run(thread, { model, tools })
  await thread.submit('second')
  await run(thread, { model, tools })
  return JSON.stringify(await thread.messages())
}

interface Row {
  readonly seq: number
  readonly kind: string
  data: string | Uint8Array
}

/** What an attacker does who can write to the database and has no key. */
const changes: Readonly<Record<string, (rows: (kind: string) => Row[]) => void>> = {
  'an approval becomes a denial': rows => edit(rows('call-decide')[0], data => ({ ...data, approved: false })),
  'an approval is written without the key': rows =>
    edit(rows('call-decide')[0], ({ call }) => ({ call, approved: true })),
  'an input is written without the key': rows =>
    edit(rows('input-submit')[1], () => ({ content: 'forged', when: 'queue' })),
  'the end of a turn is another one': rows => edit(rows('turn-end')[0], data => ({ ...data, status: 'failed' })),
  'two results change places': rows => swap(rows('call-settle')),
  'the contents of two results change places': rows => swapContents(rows('call-settle')),
  'two inputs change places': rows => swap(rows('input-submit')),
  'the contents of two inputs change places': rows => swapContents(rows('input-submit')),
  'two answers change places': rows => swap(rows('response-record').slice(1)),
  'an input is repeated': rows => {
    const [first, second] = rows('input-submit')
    if (first && second) second.data = first.data
  },
  'a ciphertext is cut off': rows => edit(rows('call-settle')[0], data => ({ ...data, sealed: Buffer.from('AAAA') })),
}

type Data = Readonly<Record<string, unknown>>

function edit(row: Row | undefined, change: (data: Data) => Data): void {
  if (!row) throw new Error('there is no such entry')
  row.data = entryColumn(change(fieldsOf(row)))
}

function swap([one, other]: readonly Row[]): void {
  if (one && other) [one.data, other.data] = [other.data, one.data]
}

function swapContents([one, other]: readonly Row[]): void {
  if (!one || !other) throw new Error('there are no two such entries')
  const [{ sealed }, { sealed: theirs }] = [fieldsOf(one), fieldsOf(other)]
  edit(one, data => ({ ...data, sealed: theirs }))
  edit(other, data => ({ ...data, sealed }))
}

function fieldsOf({ data }: Row): Data {
  const { json, sealed } = columnParts(data)
  return { ...JSON.parse(json), sealed }
}

test('[SE143] after an entry whose ciphertext was cut off, nothing can be written', () =>
  inFolder(async folder => {
    const file = join(folder, 'journal.db')
    await writeJournal(file)
    const database = new DatabaseSync(file)
    const last = database
      .prepare('SELECT seq, data FROM antiphon_entry ORDER BY seq DESC LIMIT 1')
      .get() as unknown as Row
    const cut = entryColumn({ ...fieldsOf(last), sealed: Buffer.from('AAAAA') })
    database.prepare('UPDATE antiphon_entry SET data = ? WHERE seq = ?').run(cut, last.seq)
    database.close()
    await using journal = await openJournal(`sqlite:${file}`, { seal: key })
    await expect(journal.thread('t').submit('more')).rejects.toMatchObject({ code: 'journal-sealed' })
  }))

test.each(Object.entries(changes))('[SE143] in a sealed thread, %s: it cannot be read', (_, change) =>
  inFolder(async folder => {
    const [file, changed] = [join(folder, 'journal.db'), join(folder, 'changed.db')]
    const messages = await writeJournal(file)
    copyFileSync(file, changed)
    const database = new DatabaseSync(changed)
    const rows = database.prepare('SELECT seq, kind, data FROM antiphon_entry').all() as unknown as Row[]
    const before = JSON.stringify(rows)
    change(kind => rows.filter(row => row.kind === kind))
    expect(JSON.stringify(rows)).not.toBe(before)
    const update = database.prepare('UPDATE antiphon_entry SET data = ? WHERE seq = ?')
    for (const { seq, data } of rows) update.run(data, seq)
    database.close()
    await using whole = await openJournal(`sqlite:${file}`, { seal: key })
    expect(JSON.stringify(await whole.thread('t', { for: 'openai' }).messages())).toBe(messages)
    await using journal = await openJournal(`sqlite:${changed}`, { seal: key })
    await expect(journal.thread('t', { for: 'openai' }).messages()).rejects.toMatchObject({ code: 'journal-sealed' })
  }),
)
