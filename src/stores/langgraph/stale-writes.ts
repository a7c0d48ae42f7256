import type { DatabaseSync } from 'node:sqlite'
import type { Thread } from './checkpoint.ts'
import { resultId, writtenIn } from './discarded-results.ts'

/** A row of `writes` that a resumed step would add to the history a second time. */
export interface StaleWrite {
  readonly task_id: string
  readonly idx: number
  readonly text: string
}

/** The writes of the newest checkpoint that hold nothing but results of calls that have one now. */
export function staleWrites(
  database: DatabaseSync,
  { thread_id, checkpoint_ns, checkpoint_id }: Thread,
  channel: string,
  healed: readonly unknown[],
): StaleWrite[] {
  const answered = new Set<unknown>(healed.map(resultId).filter(id => id !== undefined))
  const rows = database.prepare(own).all(thread_id, checkpoint_ns, checkpoint_id, channel) as unknown as OwnRow[]
  return rows.flatMap(({ value, ...place }) => {
    const written = writtenIn(value)
    const isStale = written.length > 0 && written.every(message => answered.has(resultId(message)))
    return isStale ? [{ ...place, text: typeof value === 'string' ? value : Buffer.from(value).toString() }] : []
  })
}

interface OwnRow {
  readonly task_id: string
  readonly idx: number
  readonly value: Uint8Array | string
}

const own = `SELECT task_id, idx, value FROM writes
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND channel = ? AND type = 'json'`
