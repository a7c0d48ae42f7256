import { DatabaseSync } from 'node:sqlite'

export interface StoredMessage {
  readonly id: readonly string[]
  readonly kwargs: Readonly<Record<string, unknown>>
}

interface Row {
  readonly thread_id: string
  readonly checkpoint_ns: string
  readonly checkpoint_id: string
  readonly checkpoint: string
}

/** All rows of a database, their blobs as text. */
export function rowsIn(path: string): { checkpoints: Row[]; writes: Record<string, unknown>[] } {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const all = (sql: string): Record<string, unknown>[] =>
      database
        .prepare(sql)
        .all()
        .map(row => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])))
    return {
      checkpoints: all(
        'SELECT * FROM checkpoints ORDER BY thread_id, checkpoint_ns, checkpoint_id',
      ) as unknown as Row[],
      writes: all('SELECT * FROM writes ORDER BY thread_id, checkpoint_ns, checkpoint_id, task_id, idx'),
    }
  } finally {
    database.close()
  }
}

const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)

/** The newest checkpoint of every thread. */
export function newestIn(path: string): { thread: string; messages: StoredMessage[] }[] {
  const newest = new Map<string, Row>()
  for (const row of rowsIn(path).checkpoints) newest.set(`${row.thread_id} ${row.checkpoint_ns}`, row)
  return [...newest].map(([thread, { checkpoint }]) => ({ thread, messages: messagesIn(checkpoint) }))
}

export const messagesIn = (checkpoint: string): StoredMessage[] => JSON.parse(checkpoint).channel_values.messages
