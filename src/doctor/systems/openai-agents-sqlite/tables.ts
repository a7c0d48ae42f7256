import type { DatabaseSync } from 'node:sqlite'

/** The tables of sessions, for any class of the SDK. */
export interface SessionTables {
  /** Quoted, as in a statement. */
  readonly messages: string
  /** The order in which the SDK reads the rows of a session. */
  readonly order: string
  /** `AdvancedSQLiteSession` has its own order, by branch. */
  readonly structure: boolean
}

/** A session in these tables, or a branch of one. */
export interface StoredSession {
  readonly layout: SessionTables
  readonly session_id: string
  readonly branch?: string
}

/** The tables that may be read: those of messages under any name, and that of branches. */
export const tablesIn = (database: DatabaseSync): string[] => [
  ...database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(sql, 'message_data') > 0")
    .all()
    .map(({ name }) => String(name)),
  'message_structure',
]

export function sessionTablesIn(database: DatabaseSync): SessionTables[] {
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

/** Every class of the SDK links its messages to a table of sessions: logs with the same columns have no such link. */
function isOfSessions(database: DatabaseSync, table: string): boolean {
  const keys = database.prepare(`PRAGMA foreign_key_list(${quoted(table)})`).all()
  return keys.some(({ from, to }) => from === 'session_id' && to === 'session_id')
}

/** The table that the rows of `message_structure` refer to. */
function structuredTable(database: DatabaseSync): unknown {
  const keys = database.prepare("PRAGMA foreign_key_list('message_structure')").all()
  return keys.find(({ from }) => from === 'message_id')?.table
}

/** `SQLAlchemySession` has its own index, and another order. */
function isSqlAlchemy(database: DatabaseSync, table: string): boolean {
  const indexes = database.prepare(`PRAGMA index_list(${quoted(table)})`).all()
  return indexes.some(({ name }) => name === `idx_${table}_session_time`)
}

export function sessionsIn(database: DatabaseSync, layout: SessionTables): StoredSession[] {
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
