import type { DatabaseSync } from 'node:sqlite'
import type { CheckpointThread } from './checkpoint.ts'
import { resultId, writtenIn } from './discarded-results.ts'

/**
 * A row of `writes` that a repaired checkpoint must not have: a resumed step would add it to the history a second time.
 */
export interface StaleWrite {
  readonly task_id: string
  readonly idx: number
  readonly rule: string
  readonly text: string
}

/** The writes of the newest checkpoint: those of tasks that ended with an error, and the others by channel. */
export interface OwnWrites {
  readonly stopped: readonly OwnRow[]
  readonly byChannel: ReadonlyMap<string, readonly OwnRow[]>
}

export function ownWritesOf(
  database: DatabaseSync,
  { thread_id, checkpoint_ns, checkpoint_id }: CheckpointThread,
): OwnWrites {
  const found = database.prepare(own).all(thread_id, checkpoint_ns, checkpoint_id) as unknown as Omit<OwnRow, 'at'>[]
  const rows = found.map((row, at): OwnRow => ({ ...row, at }))
  const tasks = new Set(rows.filter(row => row.channel === '__error__').map(({ task_id }) => task_id))
  const stopped: OwnRow[] = []
  const byChannel = new Map<string, OwnRow[]>()
  for (const row of rows) {
    const known = tasks.has(row.task_id) ? stopped : byChannel.get(row.channel)
    if (known) known.push(row)
    else byChannel.set(row.channel, [row])
  }
  return { stopped, byChannel }
}

/**
 * The writes of the newest checkpoint that contain only results of calls that have one now, and all writes of a task
 * that ended with an error: its calls are answered.
 */
export function staleWrites(
  { stopped, byChannel }: OwnWrites,
  channel: string,
  healed: readonly unknown[],
): StaleWrite[] {
  const answered = new Set<unknown>(healed.map(resultId).filter(id => id !== undefined))
  const given = (byChannel.get(channel) ?? []).filter(row => {
    const written = row.type === 'json' ? writtenIn(textOf(row)) : []
    return written.length > 0 && written.every(message => answered.has(resultId(message)))
  })
  const found = [
    ...stopped.map(row => ({ row, rule: 'unanswered-call' })),
    ...given.map(row => ({ row, rule: 'duplicate-result' })),
  ]
  return found
    .sort((one, other) => one.row.at - other.row.at)
    .map(({ row, rule }) => ({ task_id: row.task_id, idx: row.idx, rule, text: textOf(row) }))
}

const textOf = ({ value }: OwnRow): string => (typeof value === 'string' ? value : Buffer.from(value ?? []).toString())

interface OwnRow {
  /** Its number among the writes. */
  readonly at: number
  readonly task_id: string
  readonly idx: number
  readonly channel: string
  readonly type: string | null
  readonly value: Uint8Array | string | null
}

const own = `SELECT task_id, idx, channel, type, value FROM writes
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`
