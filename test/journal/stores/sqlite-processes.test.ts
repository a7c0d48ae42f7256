import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { effectsOf } from '../../../src/journal/effects.ts'
import { sqliteMigrations } from '../../../src/journal/stores/sqlite/schema.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import { submit } from '../sample-entries.ts'
import { Folder } from './sqlite-folder.ts'
import { entriesPerTurn } from './turn.ts'

const folder = new Folder()
const children: ChildProcess[] = []
const script = fileURLToPath(new URL('sqlite-writer.ts', import.meta.url))

// Also after a failed test no process may stay.
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

test('[WS6] processes that open a new journal at once make its tables once', async () => {
  const processes = await Promise.all(numbers(6).map(number => begin('open', number)))
  for (const process of processes) process.send('go')
  await Promise.all(processes.map(ended))
  const database = new DatabaseSync(folder.file())
  const noted = database.prepare('SELECT version FROM antiphon_migration').all()
  database.close()
  expect(noted.map(({ version }) => version)).toEqual(sqliteMigrations.map(({ version }) => version))
  const store = await folder.open()
  const { thread } = await store.open('t')
  expect(await store.write({ thread, entries: [submit()] })).toMatchObject({ ok: true, head: 1 })
})

test('[WS14] processes that write at the same time leave no gaps and lose nothing', async () => {
  const writers = numbers(4)
  const processes = await Promise.all(writers.map(writer => begin('share', writer)))
  for (const process of processes) process.send('go')
  await Promise.all(processes.map(ended))
  const store = await folder.open()
  const { thread } = await store.open('shared')
  const entries = (await store.read(thread, 0)) as unknown as { seq: number; content: [string, number] }[]
  expect(entries.map(({ seq }) => seq)).toEqual(numbers(4 * 50).map(number => number + 1))
  const wanted = writers.flatMap(writer => numbers(50).map(number => `${writer} ${number}`))
  expect(entries.map(({ content }) => content.join(' ')).toSorted()).toEqual(wanted.toSorted())
  for (const writer of writers) {
    const { head } = await expectWhole(store, `own ${writer}`)
    expect(head).toBe(10 * entriesPerTurn)
  }
})

test('[WS15] what was acknowledged outlives a process that is killed, and the journal is whole', async () => {
  for (const run of numbers(4)) {
    const process = await begin('forever', run)
    process.send('go')
    let acknowledged = 0
    process.on('message', head => {
      acknowledged = head as number
    })
    while (acknowledged < 30 + run * 7) await once(process, 'message')
    process.kill('SIGKILL')
    await once(process, 'close')
    const store = await folder.open()
    const { head } = await expectWhole(store, `own ${run}`)
    expect(head).toBeGreaterThanOrEqual(acknowledged)
    await store.close()
  }
})

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** A process that is ready, and waits to be told to go. */
async function begin(task: string, writer: number): Promise<ChildProcess> {
  const child = fork(script, [folder.file(), task, `${writer}`], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  const closed = once(child, 'close').then(([code]) => Promise.reject(new Error(`ended with ${code} before it began`)))
  await Promise.race([once(child, 'message'), closed])
  closed.catch(() => {})
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
}

/** The thread's row must say what its entries say. */
async function expectWhole(store: Store, name: string): Promise<{ head: number }> {
  const row = await store.open(name)
  const entries = await store.read(row.thread, 0, 100_000)
  expect(entries.map(({ seq }) => seq)).toEqual(numbers(row.head).map(number => number + 1))
  const effects = entries.map(entry => effectsOf([entry], entry.seq - 1))
  const opened = effects.flatMap(({ opens }) => opens).length
  const settled = effects.flatMap(({ settles }) => settles).length
  expect(row.openCalls).toBe(opened - settled)
  return row
}
