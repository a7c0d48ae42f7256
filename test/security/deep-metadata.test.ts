import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import { folder } from '../apps/cli/program.ts'

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

const cyclic: unknown[] = []
cyclic.push(cyclic)

test.for([
  ['nested too deep', nested(501)],
  ['nested deeper than the stack', nested(8_000)],
  ['a value that contains itself', cyclic],
  ['a BigInt', 1n],
])('[SE202] data of a thread that could not be read again is refused, and its labels stay: %s', async ([, data]) => {
  for (const where of ['memory:', `sqlite:${join(folder(), 'chat.db')}`]) {
    await using journal = await openJournal(where)
    const thread = journal.thread('t')
    await thread.describe({ title: 'A trip', labels: ['legal'], data: nested(490) })
    await expect(thread.describe({ data })).rejects.toMatchObject({ code: 'invalid-metadata' })
    expect(await thread.metadata()).toEqual({ title: 'A trip', labels: ['legal'], data: nested(490) })
  }
})

test('[SE202] labels count also if the data next to them is nested too deep', async () => {
  const file = join(folder(), 'chat.db')
  await using journal = await openJournal(`sqlite:${file}`)
  const thread = journal.thread('t')
  await thread.submit('Hello')
  await thread.describe({ labels: ['legal'], data: 'here' })
  const database = new DatabaseSync(file)
  const changed = database.prepare(
    `UPDATE antiphon_entry SET data = replace(data, '"here"', ?) WHERE data LIKE '%"here"%'`,
  )
  expect(changed.run('['.repeat(5_000) + ']'.repeat(5_000)).changes).toBe(1)
  database.close()
  expect(await thread.metadata()).toEqual({ labels: ['legal'] })
  expect(await journal.expire({ idleDays: 1e-9, keepLabels: ['legal'] })).toEqual([])
})
