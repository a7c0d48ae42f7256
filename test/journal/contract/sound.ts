import { expect } from 'vitest'
import type { Entry } from '../../../src/journal/entry.ts'
import type { Store, ThreadRow } from '../../../src/journal/stores/store.ts'
import { readers } from '../../strict/readers.ts'
import { LogLaws } from '../invariants/log-laws.ts'
import { refusedPrefixes } from '../invariants/prefixes.ts'

/** What is true of every thread at any time: its log breaks no law, and providers take every beginning of it. */
export async function expectSound(store: Store, { thread, uid }: ThreadRow): Promise<void> {
  const entries = await readAll(store, thread)
  const laws = new LogLaws()
  for (const entry of entries) laws.take(entry)
  expect(laws.problems).toEqual([])
  expect(refusedPrefixes(uid, entries, judges)).toEqual([])
}

const judging = ['openai', 'openai-responses', 'anthropic', 'gemini', 'mistral']
const judges = readers.filter(({ dialect }) => judging.includes(dialect))

async function readAll(store: Store, thread: number): Promise<Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await store.read(thread, entries.length, 500)
    entries.push(...page)
    if (page.length < 500) return entries
  }
}
