import type { DatabaseSync } from 'node:sqlite'
import type { Thread } from './checkpoint.ts'
import { resultId, writtenIn } from './discarded-results.ts'

/** A row of `writes` that a healed checkpoint must not have: a resumed step would add it to the history a second time. */
export interface StaleWrite {
  readonly task_id: string
  readonly idx: number
  readonly rule: string
  readonly text: string
}

/**
 * The writes of the newest checkpoint that hold nothing but results of calls that have one now, and all that a task left
 * which was stopped by an error: its calls are answered.
 */
export function staleWrites(
  database: DatabaseSync,
  { thread_id, checkpoint_ns, checkpoint_id }: Thread,
  channel: string,
  healed: readonly unknown[],
): StaleWrite[] {
  const answered = new Set<unknown>(healed.map(resultId).filter(id => id !== undefined))
  const rows = database.prepare(own).all(thread_id, checkpoint_ns, checkpoint_id) as unknown as OwnRow[]
  const stopped = new Set(rows.filter(row => row.channel === '__error__').map(({ task_id }) => task_id))
  return rows.flatMap(({ task_id, idx, value, ...row }): StaleWrite[] => {
    const text = typeof value === 'string' ? value : Buffer.from(value ?? []).toString()
    if (stopped.has(task_id)) return [{ task_id, idx, rule: 'unanswered-call', text }]
    const written = row.channel === channel && row.type === 'json' ? writtenIn(text) : []
    const isStale = written.length > 0 && written.every(message => answered.has(resultId(message)))
    return isStale ? [{ task_id, idx, rule: 'duplicate-result', text }] : []
  })
}

interface OwnRow {
  readonly task_id: string
  readonly idx: number
  readonly channel: string
  readonly type: string | null
  readonly value: Uint8Array | string | null
}

const own = `SELECT task_id, idx, channel, type, value FROM writes
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`
