import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import type { Store, Write } from '../../src/journal/stores/store.ts'
import { antiphon } from '../apps/cli/program.ts'
import { Folder } from '../journal/stores/sqlite-folder.ts'

const seal = randomBytes(32)

/** A store of a user, which copies entries in its own way before it stores them. */
const copying = (store: Store, copy: (write: Write) => Write): Store =>
  new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name === 'write') return (write: Write) => target.write(copy(write))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

test.each([
  ['JSON', (write: Write): Write => JSON.parse(JSON.stringify(write))],
  ['structuredClone', (write: Write): Write => structuredClone(write)],
  ['structuredClone and then JSON', (write: Write): Write => JSON.parse(JSON.stringify(structuredClone(write)))],
])('[SE425] a store of your own can copy sealed entries with %s', async (_, copy) => {
  const store = copying(new MemoryStore(), copy)
  const write = await openJournal(store, { seal })
  await write.thread('t').submit('the secret')
  const read = await openJournal(store, { seal })
  expect(JSON.stringify([...(await read.thread('t').read()).inputs.values()])).toContain('the secret')
})

test('[SE425] an exported ciphertext is base64, as it always was', async () => {
  const folder = new Folder()
  const journal = await openJournal(`sqlite:${folder.file('chat.db')}`, { seal })
  await journal.thread('t').submit('the secret')
  await journal.close()
  const { stdout } = await antiphon(['export', folder.file('chat.db')])
  const entries = stdout
    .trim()
    .split('\n')
    .slice(2)
    .map(line => JSON.parse(line))
  expect(entries.map(({ sealed }) => sealed)).toEqual([expect.stringMatching(/^[\w+/]+=*$/)])
  await folder.clear()
})
