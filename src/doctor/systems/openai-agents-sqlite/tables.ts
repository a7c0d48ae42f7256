import type { DatabaseSync } from 'node:sqlite'

/** The tables that sessions are kept in, by whichever class of the SDK. */
export interface Layout {
  /** Quoted, as it stands in a statement. */
  readonly messages: string
  /** The order in which the SDK reads the rows of a session. */
  readonly order: string
  /** `AdvancedSQLiteSession` has an order of its own, by branch. */
  readonly structure: boolean
}

/** A session of a layout, or a branch of one. */
export interface Session {
  readonly layout: Layout
  readonly session_id: string
  readonly branch?: string
}

/** The tables that may be read: those of messages by whatever name, and that of branches. */
export const tablesIn = (database: DatabaseSync): string[] => [
  ...database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(sql, 'message_data') > 0")
    .all()
    .map(({ name }) => String(name)),
  'message_structure',
]

export function layoutsIn(database: DatabaseSync): Layout[] {
  const structured = structuredTable(database)
  return tablesIn(database).flatMap(table => {
    const columns = new Set(
      database
        .prepare(`PRAGMA table_info(${quoted(table)})`)
        .all()
        .map(column => column.name),
    )
    if (!['id', 'session_id', 'message_data', 'created_at'].every(column => columns.has(column))) return []
    if (!isOfSessions(database, table)) return []
    const order = isSqlAlchemy(database, table) ? 'created_at, id' : 'id'
    return [{ messages: quoted(table), order, structure: table === structured }]
  })
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Every class of the SDK ties its messages to a table of sessions: logs with the same columns are not tied to any. */
function isOfSessions(database: DatabaseSync, table: string): boolean {
  const keys = database.prepare(`PRAGMA foreign_key_list(${quoted(table)})`).all()
  return keys.some(({ from, to }) => from === 'session_id' && to === 'session_id')
}

/** The table that the rows of `message_structure` stand for. */
function structuredTable(database: DatabaseSync): unknown {
  const keys = database.prepare("PRAGMA foreign_key_list('message_structure')").all()
  return keys.find(({ from }) => from === 'message_id')?.table
}

/** `SQLAlchemySession` has an index of its own, and another order. */
function isSqlAlchemy(database: DatabaseSync, table: string): boolean {
  const indexes = database.prepare(`PRAGMA index_list(${quoted(table)})`).all()
  return indexes.some(({ name }) => name === `idx_${table}_session_time`)
}

export function sessionsIn(database: DatabaseSync, layout: Layout): Session[] {
  const { messages, structure } = layout
  const branches = structure ? database.prepare(branchList).all() : []
  const branched = new Set(branches.map(({ session_id }) => session_id))
  const plain = database.prepare(`SELECT DISTINCT session_id FROM ${messages} ORDER BY session_id`).all()
  return [
    ...branches.map(row => ({ layout, session_id: String(row.session_id), branch: String(row.branch_id) })),
    ...plain
      .filter(({ session_id }) => !branched.has(session_id))
      .map(({ session_id }) => ({ layout, session_id: String(session_id) })),
  ]
}

const branchList = 'SELECT DISTINCT session_id, branch_id FROM message_structure ORDER BY session_id, branch_id'
