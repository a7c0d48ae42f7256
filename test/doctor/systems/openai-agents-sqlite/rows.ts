import { DatabaseSync } from 'node:sqlite'

/** Every row of every table of a database. */
export function tablesIn(path: string): Record<string, Record<string, unknown>[]> {
  return read(path, database => {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
    return Object.fromEntries(
      names.map(({ name }) => [
        name,
        database
          .prepare(`SELECT * FROM ${name} ORDER BY 1`)
          .all()
          .map(row => ({ ...row })),
      ]),
    )
  })
}

/** The items of a session in the order of their ids, as text. */
export const itemsIn = (path: string, session: string): string[] =>
  read(path, database =>
    database
      .prepare('SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id')
      .all(session)
      .map(({ message_data }) => String(message_data)),
  )

function read<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return work(database)
  } finally {
    database.close()
  }
}
