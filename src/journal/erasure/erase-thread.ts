import { childName } from '../agents/child-name.ts'
import { callId } from '../fold.ts'
import type { EraseOptions, Store } from '../stores/store.ts'
import { isFullyErased } from './tombstone.ts'

/**
 * Erases a thread step by step, and the threads of its agents before its entries. If the process crashes in between, the thread stays fenced,
 * and the next call continues the erasure: by the application, by `expire`, or by a worker. Returns false if the thread was written after `idleSince`.
 */
export async function eraseThread(store: Store, thread: number, options: EraseOptions = {}): Promise<boolean> {
  if ((await store.erase(thread, { ...options, limit: 0 })) === 'active') return false
  await eraseChildren(store, thread)
  for (;;) if ((await store.erase(thread, options)) !== 'partly') return true
}

/**
 * Erases the threads of all agents of a thread that is fenced, so that no further agent can be added. A thread that is missing is created first:
 * a process that is about to start its agent then finds the tombstone.
 */
async function eraseChildren(store: Store, thread: number): Promise<void> {
  const { name, uid } = await store.get(thread)
  for (const call of await store.agentCalls(thread)) {
    const child = childName(name, callId(uid, call))
    const row = (await store.find(child)) ?? (await store.open(child))
    if (!isFullyErased(row)) await eraseThread(store, row.thread)
  }
}
