import type { SqlDatabase, SqlRow, SqlStatement } from '../sqlite/sql-database.ts'
import type { ObjectSql } from './object-storage.ts'

/** The database of a Durable Object, as the SQL that is shared with files needs it. The runtime caches the compiled statements. */
export const objectDatabase = (sql: ObjectSql): SqlDatabase => ({
  exec: text => sql.exec(text),
  prepare: text => prepare(sql, text),
})

function prepare(sql: ObjectSql, text: string): SqlStatement {
  const all = (...values: unknown[]): SqlRow[] => sql.exec(text, ...values).toArray()
  return {
    all,
    get: (...values) => all(...values)[0],
    iterate: (...values) => sql.exec(text, ...values),
    run(...values) {
      all(...values)
      return {
        // Asked only if it is used, right after the statement.
        get changes() {
          return Number(sql.exec('SELECT changes() AS changes').toArray()[0]?.changes)
        },
      }
    },
  }
}
