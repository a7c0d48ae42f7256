import type { PostgresConnection } from './connect.ts'

/** Two processes that make the same thing at once get in each other's way in PostgreSQL, IF NOT EXISTS or not. */
export async function createConcurrently(query: PostgresConnection['query'], statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await query(statement, [])
      return
    } catch (error) {
      if (tries === triesMax || !madeAtOnce.has(sqlStateOf(error))) throw error
    }
  }
}

/** What PostgreSQL calls a table that is not there. */
export const undefinedTable = '42P01'

export const sqlStateOf = (error: unknown): string => String((Object(error) as { code?: unknown }).code)

const triesMax = 20

/** A duplicate key in the catalogue, a table, a schema, a type that is there, a row of the catalogue changed by another. */
const madeAtOnce = new Set(['23505', '42P07', '42P06', '42710', 'XX000', '40001', '40P01'])
