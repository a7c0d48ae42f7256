import type { PostgresConnection } from './connect.ts'

/** Runs a CREATE statement. In PostgreSQL two processes that create the same object at once conflict, also with IF NOT EXISTS. */
export async function createConcurrently(query: PostgresConnection['query'], statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await query(statement, [])
      return
    } catch (error) {
      if (tries === triesMax || !concurrentCreate.has(sqlStateOf(error))) throw error
    }
  }
}

/** The SQLSTATE of a missing table. */
export const undefinedTable = '42P01'

export const sqlStateOf = (error: unknown): string => String((Object(error) as { code?: unknown }).code)

const triesMax = 20

/** A duplicate key in the catalogue; an existing table, schema or type; a catalogue row changed by another process. */
const concurrentCreate = new Set(['23505', '42P07', '42P06', '42710', 'XX000', '40001', '40P01'])
