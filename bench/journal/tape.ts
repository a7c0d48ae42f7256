import type { Store, Write } from '../../src/journal/index.ts'
import { loadJournal } from './antiphon.ts'
import { play } from './play.ts'

/** What the journal writes in the turns of one thread, turn by turn. It is the same for every thread. */
export type Tape = Write[][]

/** Plays so many turns on a journal in memory, and keeps what it wrote. */
export async function recordTape(turns: number): Promise<Tape> {
  const { MemoryStore, openJournal } = await loadJournal()
  const store = new MemoryStore()
  const tape: Tape = []
  const write = store.write.bind(store)
  store.write = entry => {
    tape.at(-1)?.push(entry)
    return write(entry)
  }
  const journal = await openJournal(store, { owner: 'bench' })
  const thread = journal.thread('tape')
  for (let turn = 1; turn <= turns; turn++) {
    tape.push([])
    await play(thread, turn, { reads: false })
  }
  await journal.close()
  return tape
}

/** Writes turns of the tape onto a thread, one write after the other. */
export async function replay(store: Store, thread: number, turns: readonly Write[][]): Promise<void> {
  for (const writes of turns) for (const write of writes) await mustWrite(store, { ...write, thread })
}

export async function mustWrite(store: Store, write: Write): Promise<void> {
  const written = await store.write(write)
  if (!written.ok) throw new Error(`a write was refused: ${written.why}`)
}
