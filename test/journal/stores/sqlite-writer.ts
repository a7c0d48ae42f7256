import { once } from 'node:events'
import { openSqlite, type SqliteStore } from '../../../src/journal/stores/sqlite/store.ts'
import type { Write } from '../../../src/journal/stores/store.ts'
import { submit } from '../sample-entries.ts'
import { turnOf } from './turn.ts'

// A process of its own at the journal in a file. It opens it when it is told to, so that several do it at once.
const [file, task, writer] = process.argv.slice(2)

process.send?.('ready')
await once(process, 'message')
const store = await openSqlite(file)
if (task === 'share') await share(store)
if (task === 'forever') await runForever(store)
await store.close()
process.disconnect()

/** Writes to the thread that all share, half of it for a known head, and has turns on a thread of its own. */
async function share(store: SqliteStore): Promise<void> {
  const { thread } = await store.open('shared')
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const writing = numbers.map(number =>
    number % 2 === 0
      ? writeUntilAccepted(store, { thread, entries: [submit([writer, number])] })
      : write(store, { thread, entries: [submit([writer, number])] }),
  )
  const own = await store.open(`own ${writer}`)
  for (let turn = 1; turn <= 10; turn++) for (const next of turnOf(own.thread, turn, 'well')) await write(store, next)
  await Promise.all(writing)
}

/** Has turns on a thread of its own until it is killed, and says after each write how far it was acknowledged. */
async function runForever(store: SqliteStore): Promise<void> {
  const { thread } = await store.open(`own ${writer}`)
  for (let turn = 1; ; turn++)
    for (const next of turnOf(thread, turn, 'x'.repeat(500))) process.send?.(await write(store, next))
}

async function writeUntilAccepted(store: SqliteStore, write: Write): Promise<void> {
  let { head } = await store.get(write.thread)
  for (;;) {
    const written = await store.write({ ...write, head })
    if (written.ok) return
    head = written.row.head
  }
}

async function write(store: SqliteStore, write: Write): Promise<number> {
  const written = await store.write(write)
  if (!written.ok) throw new Error(`refused: ${written.why}`)
  return written.head
}
