import type { AntiphonError } from '../../../core/errors.ts'
import type { PostgresConnection } from './connect.ts'
import { createConcurrently, sqlStateOf, undefinedTable } from './create-concurrently.ts'
import { integer } from './rows.ts'
import { hasSchema } from './statements.ts'

type Query = PostgresConnection['query']

/** Tables that come with migrations, and the statements about the migrations that were run. */
export interface PostgresTables {
  /** The statements of each version. They are idempotent: several processes may migrate at once, and any of them may stop midway. */
  readonly migrations: readonly (readonly string[])[]
  readonly createVersions: string
  readonly version: string
  readonly addVersion: string
  readonly newer: (version: number, latest: number) => AntiphonError
}

/** The version of the tables, 0 if there are none. Refuses a newer version. */
export async function tablesVersion(query: Query, { migrations, version, newer }: PostgresTables): Promise<number> {
  const found = await versionOf(query, version)
  if (found > migrations.length) throw newer(found, migrations.length)
  return found
}

/** Brings the tables up to date. Needs the right to create tables only if something is missing. */
export async function migrateTables(query: Query, tables: PostgresTables, schema: string | undefined): Promise<void> {
  const found = await tablesVersion(query, tables)
  if (found === tables.migrations.length) return
  if (schema !== undefined && (await query(hasSchema, [schema])).length === 0)
    await createConcurrently(query, newSchema(schema))
  await createConcurrently(query, tables.createVersions)
  for (const [index, statements] of tables.migrations.entries()) {
    if (index < found) continue
    for (const statement of statements) await createConcurrently(query, statement)
    await query(tables.addVersion, [index + 1])
  }
}

export const newSchema = (name: string): string => `CREATE SCHEMA IF NOT EXISTS ${quoted(name)}`

/**
 * Puts the tables of a statement into a schema; `tableNames` finds them. Indexes are in the schema of their table, and are
 * named without it.
 */
export const withSchema = (text: string, tableNames: RegExp, schema: string | undefined): string =>
  schema === undefined ? text : text.replace(tableNames, `${quoted(schema).replaceAll('$', '$$$$')}.$&`)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function versionOf(query: Query, version: string): Promise<number> {
  try {
    const [row] = await query(version, [])
    return integer(row?.version ?? 0)
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return 0
    throw error
  }
}
