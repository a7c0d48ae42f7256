import type { Store } from '../../src/journal/index.ts'
import { loadJournal } from './antiphon.ts'
import { replay, type Tape } from './tape.ts'

/**
 * Makes threads with the turns of the tape in a file, fast: many at a time, and without waiting for the disk. Gives their
 * names, in order.
 */
export async function fillSqlite(file: string, count: number, tape: Tape, prefix = 'thread'): Promise<string[]> {
  const { openJournal } = await loadJournal()
  const journal = await openJournal(`sqlite:${file}`, { durability: 'process' })
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  await inParallel(names, 128, name => fillThread(journal.store, name, tape))
  await journal.close()
  return names
}

async function fillThread(store: Store, name: string, tape: Tape): Promise<void> {
  const { thread } = await store.open(name)
  await replay(store, thread, tape)
}

/** So many at a time, each begun in order. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
