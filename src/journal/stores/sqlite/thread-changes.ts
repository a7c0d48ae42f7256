import { assertNotErased } from '../../erasure/tombstone.ts'
import { metadataText, type StoredMetadata } from '../../metadata/stored-metadata.ts'
import type { ThreadRow } from '../store.ts'
import { correctTimes } from './apply-write.ts'
import { readThreadRow, threadNamed } from './read-thread.ts'
import type { StoreStatements } from './statements.ts'

/** Creates a thread, unless it exists. It must run inside a transaction, like all functions here. */
export function createThread(statements: StoreStatements, name: string, uid: () => string, now: number): ThreadRow {
  // Looked up again under the lock, since the thread may have been created and erased meanwhile.
  if (!threadNamed(statements, name)) statements.addThread.run(name, uid(), now, now)
  return assertNotErased(threadNamed(statements, name) as ThreadRow)
}

export function renewLease(
  statements: StoreStatements,
  thread: number,
  epoch: number,
  leaseMs: number,
  now: number,
): boolean {
  assertNotErased(readThreadRow(statements, thread))
  correctTimes(statements, thread, now)
  return Number(statements.renewLease.run(now + leaseMs, now, thread, epoch).changes) > 0
}

export function describeThread(
  statements: StoreStatements,
  thread: number,
  metadata: StoredMetadata,
  now: number,
): boolean {
  const { revision } = metadata
  const known = assertNotErased(readThreadRow(statements, thread)).metadata
  if (revision !== (known?.revision ?? 0) + 1) return false
  correctTimes(statements, thread, now)
  statements.setMetadata.run(thread, revision, now, metadataText(metadata))
  statements.setUpdatedAt.run(now, thread)
  return true
}
