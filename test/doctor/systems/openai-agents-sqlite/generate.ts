import { DatabaseSync } from 'node:sqlite'
import { Random } from '../../../laws/random.ts'
import { conversationOf } from './speaker.ts'

/** A database of sessions in memory: its rows in the order of their ids. */
export interface SessionStore {
  /** Whether it has the tables of `AdvancedSQLiteSession`. */
  readonly advanced: boolean
  readonly rows: readonly ItemRow[]
}

export interface ItemRow {
  readonly session: string
  /** The item as text, as Python or a program writes it. */
  readonly data: string
  readonly createdAt: string
}

/** A random healthy database: sessions with several turns, their rows interleaved. */
export function generate(seed: number): SessionStore {
  const random = new Random(seed)
  const sessions = Array.from({ length: random.range(1, 3) }, (_, index) => ({
    session: `user_${index}`,
    items: conversationOf(random),
  }))
  const rows: ItemRow[] = []
  for (let second = 0; sessions.some(({ items }) => items.length > 0); second++) {
    const { session, items } = random.pick(sessions.filter(({ items }) => items.length > 0))
    const createdAt = `2026-07-01 10:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`
    for (const data of items.splice(0, random.range(1, 4))) rows.push({ session, data, createdAt })
  }
  return { advanced: random.chance(0.35), rows }
}

/** Writes it as the SDK does. An advanced one has a second branch of its first session, up to its second turn. */
export function writeDatabase(file: string, { advanced, rows }: SessionStore): void {
  const database = new DatabaseSync(file)
  try {
    database.exec(`PRAGMA synchronous = OFF; BEGIN; ${schema}`)
    if (advanced) database.exec(advancedSchema)
    const sessions = new Set(rows.map(({ session }) => session))
    for (const session of sessions)
      database.prepare('INSERT INTO agent_sessions VALUES (?, ?, ?)').run(session, moment, moment)
    const put = database.prepare('INSERT INTO agent_messages (session_id, message_data, created_at) VALUES (?, ?, ?)')
    const ids = rows.map(({ session, data, createdAt }) => Number(put.run(session, data, createdAt).lastInsertRowid))
    if (advanced) for (const session of sessions) structure(database, session, rows, ids)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

const moment = '2026-07-01 10:00:00'

function structure(database: DatabaseSync, session: string, rows: readonly ItemRow[], ids: readonly number[]): void {
  const put = database.prepare(`INSERT INTO message_structure
    (session_id, message_id, branch_id, message_type, sequence_number, user_turn_number, branch_turn_number, tool_name)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const own = rows.map((row, index) => ({ ...row, id: ids[index] })).filter(row => row.session === session)
  let sequence = 0
  for (const branch of ['main', 'other']) {
    let turn = 0
    for (const { id, data } of own) {
      const { type, role, name } = described(data)
      if (role === 'user') turn++
      if (branch === 'other' && turn > 1) break
      put.run(session, id, branch, role === undefined ? (type ?? 'other') : role, ++sequence, turn, turn, name ?? null)
    }
  }
}

/** The properties of an item; nothing if it is not JSON. */
function described(data: string): { type?: string; role?: string; name?: string } {
  try {
    return JSON.parse(data)
  } catch {
    return {}
  }
}

const schema = `
CREATE TABLE IF NOT EXISTS agent_sessions (
    session_id TEXT PRIMARY KEY,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS agent_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    message_data TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id)
        ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS idx_agent_messages_session_id ON agent_messages (session_id, id);`

const advancedSchema = `
CREATE TABLE IF NOT EXISTS message_structure (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    branch_id TEXT NOT NULL DEFAULT 'main',
    message_type TEXT NOT NULL,
    sequence_number INTEGER NOT NULL,
    user_turn_number INTEGER,
    branch_turn_number INTEGER,
    tool_name TEXT,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (session_id) REFERENCES agent_sessions(session_id) ON DELETE CASCADE,
    FOREIGN KEY (message_id) REFERENCES agent_messages(id) ON DELETE CASCADE
);
CREATE TABLE IF NOT EXISTS turn_usage (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    branch_id TEXT NOT NULL DEFAULT 'main',
    user_turn_number INTEGER NOT NULL,
    requests INTEGER DEFAULT 0,
    UNIQUE(session_id, branch_id, user_turn_number)
);`
