import type { DatabaseSync } from 'node:sqlite'

/** A condition of a statement, and the value for its parameter. */
export interface Condition {
  readonly sql: string
  readonly value: string
}

/**
 * The condition for the rows of a table that have a value in a column. Without a useful index the database would read
 * the whole table each time, so the table is read once for all values and rows are selected by rowid: otherwise every
 * conversation would cost as much as all of them.
 */
export function rowsWith(database: DatabaseSync, table: string, column: string, value: string): Condition {
  const known = conditions.get(database) ?? new Map<string, (value: string) => Condition>()
  conditions.set(database, known)
  const name = `${table}.${column}`
  const make = known.get(name) ?? conditionFor(database, table, column)
  known.set(name, make)
  return make(value)
}

const conditions = new WeakMap<DatabaseSync, Map<string, (value: string) => Condition>>()

function conditionFor(database: DatabaseSync, table: string, column: string): (value: string) => Condition {
  if (isSearched(database, table, column)) return value => ({ sql: `${column} = ?`, value })
  const numbers = new Map<string, string[]>()
  const rows = database.prepare(
    `select cast(rowid as text) as number, ${column} as value from ${table} where typeof(${column}) not in ('null', 'blob')`,
  )
  for (const { number, value } of rows.iterate()) {
    const list = numbers.get(String(value))
    if (list) list.push(String(number))
    else numbers.set(String(value), [String(number)])
  }
  return value => ({
    sql: 'rowid in (select cast(n.value as integer) from json_each(?) n)',
    value: JSON.stringify(numbers.get(value) ?? []),
  })
}

/** Whether the database finds the rows with an index that begins with the column. */
function isSearched(database: DatabaseSync, table: string, column: string): boolean {
  const plan = database.prepare(`explain query plan select * from ${table} where ${column} = ?`).all('')
  return plan.some(({ detail }) => /^SEARCH\b(?!.*\bANY\()/.test(String(detail)))
}
