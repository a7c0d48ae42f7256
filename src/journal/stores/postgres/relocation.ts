import { AntiphonError } from '../../../core/errors.ts'
import type { StoredThreadState } from '../store.ts'

type PostgresRow = Readonly<Record<string, unknown>>

/**
 * What the row of a thread says that moves to another shard. Its state is `erased`, so that every statement of every release refuses to write to
 * it, and what it is in fact is in the column of the owner, which an erased thread does not have. `leased_until` is when its mover was last seen.
 *
 * `moving`: the source; it can be read. `arriving`: the target; it is complete only once the source says `moved`, which is the moment
 * in which the thread changes its shard. `moved`: the source from then on, for ever.
 */
export type Relocation = MovingThread | MovedThread

interface MovingThread {
  readonly phase: 'moving' | 'arriving'
  /** The number of the other shard. */
  readonly shard: number
  /** Of this try to move it. */
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

/** Undefined for a thread that is where it belongs, and for an erased one. */
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

/** Where a thread is, if that is why an operation failed. */
export function relocationOf(error: unknown): (Relocation & { readonly thread: number }) | undefined {
  if (!AntiphonError.is(error) || error.code !== movedCode) return undefined
  return error.data?.relocation as (Relocation & { readonly thread: number }) | undefined
}
