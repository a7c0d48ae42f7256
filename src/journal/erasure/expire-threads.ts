import { AntiphonError } from '../../core/errors.ts'
import { agentsBelow } from '../agents/agent-rows.ts'
import { parentOf } from '../agents/child-name.ts'
import { listThreads } from '../stores/read-all.ts'
import type { Store, ThreadRow } from '../stores/store.ts'
import { eraseThread } from './erase-thread.ts'

export interface ExpireOptions {
  /** Threads without a change for this many days are erased, even if they wait for an approval or a result. */
  readonly idleDays: number
  /** Threads with one of these labels are not erased. */
  readonly keepLabels?: readonly string[]
  /** Erase nothing, and only return the threads that would be erased. */
  readonly dryRun?: boolean
}

/** The row of an idle thread and those of the agents below it, as they were before. */
export interface ExpiredThread {
  readonly row: ThreadRow
  readonly agents: readonly ThreadRow[]
}

/**
 * Erases idle threads with those of their agents, the oldest first. A thread that is written in the meantime is not erased.
 * Interrupted erasures are continued.
 */
export async function* expireThreads(
  store: Store,
  { idleDays, keepLabels = [], dryRun = false }: ExpireOptions,
): AsyncGenerator<ExpiredThread> {
  if (!(idleDays > 0))
    throw new AntiphonError('wrong-number', `idleDays must be a positive number, got ${idleDays}`, {
      hint: 'use a number above 0',
    })
  const idleSince = (await store.now()) - idleDays * dayMs
  for await (const row of listThreads(store)) {
    if (row.state === 'erased') {
      if (!dryRun) await eraseThread(store, row.thread)
      continue
    }
    if (parentOf(row.name)) continue
    if (row.metadata?.labels.some(label => keepLabels.includes(label))) continue
    // A thread that gets a label meanwhile is not idle any more.
    if (row.updatedAt > idleSince) continue
    const agents = await agentsBelow(store, row)
    if (agents.some(({ updatedAt }) => updatedAt > idleSince)) continue
    if (dryRun || (await eraseThread(store, row.thread, { idleSince }))) yield { row, agents }
  }
}

const dayMs = 24 * 3_600_000
