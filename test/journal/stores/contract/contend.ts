import { expect } from 'vitest'
import type { Entry } from '../../../../src/journal/entry.ts'
import type { Store } from '../../../../src/journal/stores/store.ts'
import { submit } from '../../sample-entries.ts'
import { range, seqs } from './fixture.ts'

export async function writeUntilAccepted(store: Store, thread: number, writer: number): Promise<void> {
  let { head } = await store.get(thread)
  for (;;) {
    const written = await store.write({ thread, entries: [submit(writer)], head })
    if (written.ok) return
    expect(written.why).toBe('moved')
    head = written.row.head
  }
}

/** The entries of writers 1 to `count`, each there once. */
export async function expectEach(store: Store, thread: number, count: number): Promise<Entry[]> {
  const entries = await store.read(thread, 0)
  expect(seqs(entries)).toEqual(range(1, count))
  const writers = entries.map(entry => (entry as { content: unknown }).content as number)
  expect(writers.toSorted((one, other) => one - other)).toEqual(range(1, count))
  return entries
}
