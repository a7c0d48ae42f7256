import { AntiphonError } from '../../../core/errors.ts'
import { assertNotErased, tombstoneName } from '../../erasure/tombstone.ts'
import type { StoredThreadState, ThreadRow } from '../store.ts'
import { toThreadRow } from './rows.ts'
import type { SqlRow } from './sql-database.ts'
import type { StoreStatements } from './statements.ts'

export const readThreadRow = (statements: StoreStatements, thread: number): ThreadRow =>
  toThreadRow(existing(statements.threadByKey.get(thread), thread))

/** The thread with this name, or the tombstone of one that had it. */
export function threadNamed({ threadByName }: StoreStatements, name: string): ThreadRow | undefined {
  const known = threadByName.get(name)
  if (known) return toThreadRow(known)
  const found = threadByName.get(tombstoneName(name))
  const tombstone = found && toThreadRow(found)
  // Any other thread with that name was made by an earlier release, for a client that chose it.
  return tombstone?.state === 'erased' ? tombstone : undefined
}

export interface ThreadPosition {
  readonly head: number
  readonly epoch: number
  readonly state: StoredThreadState
}

export const readPosition = ({ threadPosition }: StoreStatements, thread: number): ThreadPosition =>
  existing(threadPosition.get(thread), thread) as unknown as ThreadPosition

/** The head of a thread that is not erased. */
export const readHead = (statements: StoreStatements, thread: number): number =>
  assertNotErased(readPosition(statements, thread)).head

function existing(columns: SqlRow | undefined, thread: number): SqlRow {
  if (columns) return columns
  throw new AntiphonError('unknown-thread', `unknown thread key ${thread}`, {
    hint: 'open the thread by its name first',
  })
}
