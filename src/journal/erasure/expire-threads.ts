import { AntiphonError } from '../../core/errors.ts'
import { agentTree } from '../agents/agent-rows.ts'
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

/**
 * Erases idle threads with those of their agents, the oldest first, and yields the row of each as it was before. A thread that is written in the meantime is not erased.
 * Interrupted erasures are continued.
 */
export async function* expireThreads(
  store: Store,
  { idleDays, keepLabels = [], dryRun = false }: ExpireOptions,
): AsyncGenerator<ThreadRow> {
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
    if (!(await isIdle(store, row, idleSince))) continue
    if (dryRun || (await eraseThread(store, row.thread, { idleSince }))) yield row
  }
}

/** Whether neither the thread nor a thread of its agents was changed since. */
async function isIdle(store: Store, row: ThreadRow, since: number): Promise<boolean> {
  if (row.updatedAt > since) return false
  for await (const { updatedAt } of agentTree(store, row)) if (updatedAt > since) return false
  return true
}

const dayMs = 24 * 3_600_000
