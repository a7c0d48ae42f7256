import { eraseAgainMs, erasedAtOnce, tombstoneName } from '../../erasure/tombstone.ts'
import type { EraseOptions, Erasure } from '../store.ts'
import { correctTimes } from './apply-write.ts'
import { readThreadRow } from './read-thread.ts'
import type { StoreStatements } from './statements.ts'

/** One step of erasing a thread, see `Store.erase`. It must run inside a transaction. */
export function eraseStep(
  statements: StoreStatements,
  thread: number,
  { idleSince = Infinity, limit = erasedAtOnce }: EraseOptions,
  now: number,
): Erasure {
  correctTimes(statements, thread, now)
  const { name, state, head, dueAt, updatedAt } = readThreadRow(statements, thread)
  const againAt = now + eraseAgainMs
  if (state !== 'erased') {
    if (updatedAt > idleSince) return 'active'
    statements.fenceErased.run(againAt, now, thread)
    statements.eraseCalls.run(thread)
    return 'partly'
  }
  if (dueAt === undefined) return 'erased'
  if (limit === 0 && head > 0) return 'partly'
  const left = headAfter(statements, thread, Math.min(limit, head))
  // The last step also removes entry 0, the metadata.
  statements.eraseEntries.run(thread, left === 0 ? -1 : left)
  statements.eraseInputs.run(thread, left)
  statements.eraseTo.run(left, againAt, now, thread)
  if (left === 0) {
    const tombstone = tombstoneName(name)
    statements.eraseName.run(tombstone, tombstone, tombstone, thread)
  }
  return left === 0 ? 'erased' : 'partly'
}

/** The head after the last entries are removed: at most `limit`, and fewer if they are large. */
function headAfter(statements: StoreStatements, thread: number, limit: number): number {
  let left = 0
  let bytes = 0
  for (const entry of statements.lastEntries.iterate(thread, limit)) {
    bytes += Number(entry.bytes)
    if (left > 0 && bytes > bytesMax) break
    left = Number(entry.seq)
  }
  return Math.max(0, left - 1)
}

const bytesMax = 8 * 1024 * 1024
