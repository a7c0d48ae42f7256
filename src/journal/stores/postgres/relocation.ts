import { AntiphonError } from '../../../core/errors.ts'
import type { StoredThreadState } from '../store.ts'

type PostgresRow = Readonly<Record<string, unknown>>

/**
 * How the row of a thread shows that it moves to another shard. The column `state` says `erased`, so that every statement of every release refuses
 * to write to the thread. The real state is in the column `owner`, which is empty for a thread that was really erased. `leased_until` is when
 * the process that moves it was last alive.
 *
 * `moving` is the row in the old shard while it is copied; it can be read. `arriving` is the copy in the new shard. When the old row becomes `moved`,
 * the thread has changed its shard: the copy is complete, and the old row stays as a forwarding address.
 */
export type Relocation = MovingThread | MovedThread

interface MovingThread {
  readonly phase: 'moving' | 'arriving'
  /** The number of the other shard. */
  readonly shard: number
  /** Random, one for each attempt to move the thread. */
  readonly token: string
  readonly state: StoredThreadState
  readonly dueAt: number | null
}

interface MovedThread {
  readonly phase: 'moved'
  readonly shard: number
}

/** With a fixed order, so that it can be compared. */
export function relocationText(relocation: Relocation): string {
  const { phase, shard } = relocation
  if (phase === 'moved') return `moved ${shard}`
  const { token, state, dueAt } = relocation
  return `${phase} ${shard} ${token} ${state} ${dueAt ?? '-'}`
}

/** Undefined for a thread that does not move, and for one that was really erased. */
export function relocationIn({ state, owner }: PostgresRow): Relocation | undefined {
  if (state !== 'erased' || typeof owner !== 'string') return undefined
  const [phase, shard, token = '', before, dueAt] = owner.split(' ')
  if (phase === 'moved') return { phase, shard: Number(shard) }
  if (phase !== 'moving' && phase !== 'arriving') return undefined
  return {
    ...{ phase, shard: Number(shard), token, state: before as StoredThreadState },
    dueAt: dueAt === '-' ? null : Number(dueAt),
  }
}

/** The row as it was before the thread began to move. */
export function inPlace(row: PostgresRow, relocation: Relocation): PostgresRow {
  if (relocation.phase === 'moved') throw movedError(Number(row.thread), relocation)
  return { ...row, state: relocation.state, due_at: relocation.dueAt, owner: null, leased_until: 0 }
}

/** Throws if nothing can be written to the thread now. */
export function assertInPlace(row: PostgresRow): void {
  const relocation = relocationIn(row)
  if (relocation) throw movedError(Number(row.thread), relocation)
}

const movedError = (thread: number, relocation: Relocation): AntiphonError =>
  new AntiphonError(movedCode, `the thread ${phases[relocation.phase]} shard ${relocation.shard}`, {
    hint: 'open the journal with the complete list of its shards',
    relocation: { ...relocation, thread },
  })

const phases = { moving: 'is being moved to', arriving: 'has not arrived yet from', moved: 'was moved to' }

const movedCode = 'thread-moved'

/** The relocation in an error that says that the thread moves or has moved. */
export function relocationOf(error: unknown): (Relocation & { readonly thread: number }) | undefined {
  if (!AntiphonError.is(error) || error.code !== movedCode) return undefined
  return error.data?.relocation as (Relocation & { readonly thread: number }) | undefined
}
