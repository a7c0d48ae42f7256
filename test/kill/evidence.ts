import { expect } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import { callId } from '../../src/journal/fold.ts'
import type { Store, ThreadRow } from '../../src/journal/stores/store.ts'
import { Acknowledged, lostWrites } from '../journal/invariants/acknowledged.ts'
import { Effects } from '../journal/invariants/effects.ts'
import { violations } from '../journal/invariants.ts'
import { readers } from '../strict/readers.ts'
import type { End, Harness } from './harness.ts'
import { type Line, linesOf } from './ledger.ts'

/** The process has done all that it had to, and was not killed. */
export function expectDone(end: End): void {
  expect(end).toMatchObject({ signal: null, report: { kind: 'done' } })
}

/**
 * Every thread of the journal keeps every promise, as far as the outside world can tell; and if all is over, nothing is left
 * to do in any. Gives back what is in them.
 */
export async function expectSound(harness: Harness, isOver: boolean): Promise<Map<string, Entry[]>> {
  const store = await harness.open()
  try {
    // Before the journal: what is written to the ledger later may not be in the entries that are read here.
    const lines = harness.lines()
    const threads = new Map<string, Entry[]>()
    const problems: string[] = []
    for (const row of await store.list(0, 1_000)) {
      // Its owners are fenced and nothing of it can be read, but an erasure was cut off.
      if (row.state === 'erased') {
        if (isOver) problems.push(`${row.name} is not erased to the end`)
        continue
      }
      const entries = await readAll(store, row.thread)
      threads.set(row.name, entries)
      problems.push(...problemsOf(row, entries, lines, isOver))
    }
    expect(problems.join('\n')).toBe('')
    return threads
  } finally {
    await store.close()
  }
}

/** What is wrong with one thread. */
export function problemsOf(
  row: ThreadRow,
  entries: readonly Entry[],
  lines: readonly Line[],
  isOver: boolean,
): string[] {
  const { name, uid, thread } = row
  const acknowledged = new Acknowledged()
  acknowledged.receipts.push(...linesOf(lines, 'receipt'))
  acknowledged.writes.push(...linesOf(lines, 'written'))
  const effects = new Effects()
  for (const { key, tool, process, input } of linesOf(lines, 'effect'))
    effects.enter(key, tool, { isOnce: tool !== 'look', needsApproval: tool === 'pay' }, String(process), input)
  // Which process wrote what died with it; that an owner's entries have the owner's epoch is what is left to see.
  const writers = entries.map(({ epoch }) => String(epoch))
  // And any of them may have been slow.
  const reliable = new Set<string>()
  return [
    ...violations({ name, uid, entries, writers, acknowledged, effects, reliable, isOver }, judges, accepted),
    ...lostWrites(thread, entries, acknowledged),
    ...missedEffects(uid, entries, effects),
    ...(isOver ? unrest(row, entries) : []),
  ]
}

const judges = readers.filter(({ dialect, format }) =>
  [
    'openai openai-chat',
    'openai-responses openai-responses',
    'anthropic anthropic',
    'gemini gemini',
    'mistral openai-chat',
  ].includes(`${dialect} ${format}`),
)

/** A journal is examined after every kill, and each time it begins as it did before. */
const accepted = new Set<string>()

/** Results of tools that have not run, and tools that should have. */
function missedEffects(uid: string, entries: readonly Entry[], effects: Effects): string[] {
  const names = new Map(
    entries.flatMap(entry =>
      entry.kind === 'response-record'
        ? entry.calls.map(({ name }, index) => [callId(uid, { step: entry.seq, index }), name] as const)
        : [],
    ),
  )
  return entries.flatMap(entry => {
    if (entry.kind !== 'call-settle') return []
    const id = callId(uid, entry.call)
    const name = names.get(id)
    const times = effects.timesEntered(id)
    if (entry.outcome.status === 'done' && name !== 'ask' && name !== 'helper' && times === 0)
      return [`${name} has a result and never ran`]
    if (entry.outcome.state === 'not-started' && times > 0) return [`${name} ran, and is said not to have started`]
    return name === 'look' && entry.outcome.state === 'unknown' ? ['look could have been run again'] : []
  })
}

/** What is left of a thread that has nothing to do any more. */
function unrest({ name, state, openCalls, dueAt, owner, head }: ThreadRow, entries: readonly Entry[]): string[] {
  const rest = { state: 'idle', openCalls: 0, dueAt: undefined, owner: undefined, head: entries.length }
  const found = { state, openCalls, dueAt, owner, head }
  return JSON.stringify(found) === JSON.stringify(rest) ? [] : [`${name} does not rest: ${JSON.stringify(found)}`]
}

export async function readAll(store: Store, thread: number): Promise<Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await store.read(thread, entries.length, 500)
    entries.push(...page)
    if (page.length < 500) return entries
  }
}
