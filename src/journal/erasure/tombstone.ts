import { AntiphonError } from '../../core/errors.ts'
import { hexOf, sha256 } from '../digest/sha256.ts'
import type { StoredThreadState } from '../stores/store.ts'

/** The internal name of an erased thread: a hash of its old name, so that a process that uses the old name learns that it was erased. */
export const tombstoneName = (name: string): string => `erased:${hexOf(sha256(name))}`

/** The row, unless the thread is erased. */
export function assertNotErased<Row extends { readonly state: StoredThreadState }>(row: Row): Row {
  if (row.state !== 'erased') return row
  throw new AntiphonError('thread-erased', 'the thread was erased', {
    hint: 'nothing can be read from it or written to it; use another name for a new conversation',
  })
}

/** Whether the erasure is complete. An interrupted one has a time at which it is continued. */
export const isFullyErased = ({ state, dueAt }: { state: StoredThreadState; dueAt?: number | undefined }): boolean =>
  state === 'erased' && dueAt === undefined

/** The maximum number of entries that one step of an erasure removes. */
export const erasedAtOnce = 500

/** After this time a worker continues an interrupted erasure. */
export const eraseAgainMs = 60_000
