import { latestTimestamp } from '../times.ts'
import type { SqlDatabase, SqlStatement } from './sql-database.ts'

/** Caps a number at the latest time that JavaScript can represent. Reading a larger one, which another program may have written, would fail for the whole list of threads. */
function safe(column: string, name = column): string {
  return `min(${column}, ${latestTimestamp}) AS ${name}`
}

/** The metadata of a thread is its entry 0, whose epoch is the revision. Here the revision and the JSON object are one text, read by one look-up. */
const threads = `
  SELECT thread, CAST(name AS TEXT) AS name, uid, ${safe('head')}, ${safe('epoch')}, owner, ${safe('leased_until', 'leasedUntil')}, state,
    ${safe('due_at', 'dueAt')}, ${safe('created_at', 'createdAt')}, ${safe('updated_at', 'updatedAt')},
    (SELECT count(*) FROM antiphon_open_call AS call WHERE call.thread = t.thread) AS openCalls,
    (SELECT epoch || data FROM antiphon_entry AS e WHERE e.thread = t.thread AND e.seq = 0 AND t.state <> 'erased') AS metadata
  FROM antiphon_thread AS t`

/**
 * Moves the thread to a new head, if all guards hold. A guard that is null always holds. All guards are in this one statement,
 * because a query before it would cost as much again. Only if it changes nothing is the reason looked up (`refusal`).
 */
const move = (alsoSet: string) => `
  UPDATE antiphon_thread AS t
  SET head = ?, epoch = ?, state = coalesce(?, state), updated_at = ?,
    owner = CASE WHEN ? THEN ? ELSE owner END, leased_until = coalesce(?, leased_until)${alsoSet}
  WHERE thread = ? AND head = ? AND epoch = ? AND updated_at <= ? AND state <> 'erased'
    AND leased_until <= coalesce(?, leased_until) AND state = coalesce(?, state)
    AND NOT EXISTS (SELECT 1 FROM antiphon_input AS input WHERE input.thread = t.thread AND input.key = ?)
    AND (? IS NULL OR NOT EXISTS (
      SELECT 1 FROM antiphon_open_call AS call WHERE call.thread = t.thread AND (call.step IS NOT ? OR call.idx IS NOT ?)))
    AND (? IS NULL OR EXISTS (
      SELECT 1 FROM antiphon_open_call AS call
      WHERE call.thread = t.thread AND call.step = ? AND call.idx = ? AND call.started <= ?))`

/** The SQL of a running store, in any SQLite database. */
const storeSql = {
  threadByKey: `${threads} WHERE thread = ?`,
  threadByName: `${threads} WHERE name = ?`,
  threadsAfter: `${threads} WHERE thread > ? AND NOT (state = 'erased' AND due_at IS NULL) ORDER BY thread LIMIT ?`,
  threadsBefore: `${threads} WHERE thread < ? AND NOT (state = 'erased' AND due_at IS NULL) ORDER BY thread DESC LIMIT ?`,
  threadsDue: `${threads} WHERE due_at <= ? AND leased_until <= ? ORDER BY due_at, thread LIMIT ?`,
  addThread: `
    INSERT INTO antiphon_thread (name, uid, head, epoch, leased_until, state, created_at, updated_at)
    VALUES (?, ?, 0, 0, 0, 'idle', ?, ?)
    ON CONFLICT (name) DO NOTHING`,
  threadPosition: 'SELECT head, epoch, state FROM antiphon_thread WHERE thread = ?',
  moveThread: move(''),
  // A statement of its own, because setting due_at updates its index even if the value stays the same.
  moveThreadAndDue: move(', due_at = CASE WHEN ? AND due_at < ? THEN due_at ELSE ? END'),
  renewLease: `
    UPDATE antiphon_thread SET leased_until = ?, updated_at = ?
    WHERE thread = ? AND epoch = ? AND owner IS NOT NULL`,

  // Uses the index on due_at, which does not contain idle threads.
  threadsAhead: `${threads} WHERE due_at >= 0 AND updated_at > ?`,
  setTimes: 'UPDATE antiphon_thread SET leased_until = ?, due_at = ?, updated_at = ? WHERE thread = ?',

  entriesAfter: `
    SELECT seq, ${safe('at')}, ${safe('epoch')}, version, kind, data FROM antiphon_entry
    WHERE thread = ? AND seq > ? AND EXISTS (SELECT 1 FROM antiphon_thread WHERE thread = ? AND state <> 'erased')
    ORDER BY seq LIMIT ?`,
  agentCalls: `SELECT data FROM antiphon_entry WHERE thread = ? AND kind = 'call-park' ORDER BY seq`,
  addEntry: `
    INSERT INTO antiphon_entry (thread, seq, epoch, at, version, kind, data)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,

  setMetadata: `
    INSERT INTO antiphon_entry (thread, seq, epoch, at, version, kind, data)
    VALUES (?, 0, ?, ?, 1, 'thread-describe', ?)
    ON CONFLICT (thread, seq) DO UPDATE SET epoch = excluded.epoch, at = excluded.at, data = excluded.data`,
  setUpdatedAt: 'UPDATE antiphon_thread SET updated_at = ? WHERE thread = ?',

  inputByKey: 'SELECT digest, seq FROM antiphon_input WHERE thread = ? AND key = ?',
  addInput: 'INSERT INTO antiphon_input (thread, key, digest, seq) VALUES (?, ?, ?, ?)',

  countOpenCalls: 'SELECT count(*) AS count FROM antiphon_open_call WHERE thread = ?',
  openCall: 'SELECT started FROM antiphon_open_call WHERE thread = ? AND step = ? AND idx = ?',
  addOpenCall: 'INSERT INTO antiphon_open_call (thread, step, idx, started) VALUES (?, ?, ?, 0)',
  startCall: 'UPDATE antiphon_open_call SET started = 1 WHERE thread = ? AND step = ? AND idx = ?',
  settleCall: 'DELETE FROM antiphon_open_call WHERE thread = ? AND step = ? AND idx = ?',

  fenceErased: `
    UPDATE antiphon_thread
    SET state = 'erased', epoch = epoch + 1, owner = NULL, leased_until = 0, due_at = ?, updated_at = ? WHERE thread = ?`,
  lastEntries: `
    SELECT min(seq, ${Number.MAX_SAFE_INTEGER}) AS seq, octet_length(data) AS bytes
    FROM antiphon_entry WHERE thread = ? ORDER BY antiphon_entry.seq DESC LIMIT ?`,
  eraseEntries: 'DELETE FROM antiphon_entry WHERE thread = ? AND seq > ?',
  eraseInputs: 'DELETE FROM antiphon_input WHERE thread = ? AND seq > ?',
  eraseCalls: 'DELETE FROM antiphon_open_call WHERE thread = ?',
  eraseTo: 'UPDATE antiphon_thread SET head = ?, due_at = ?, updated_at = ? WHERE thread = ?',
  // A release that does not know tombstones may have used the name again, and that thread may be erased too.
  eraseName: `
    UPDATE antiphon_thread
    SET due_at = NULL, name = CASE
      WHEN EXISTS (SELECT 1 FROM antiphon_thread WHERE name = ?) THEN ? || ':' || thread ELSE ? END
    WHERE thread = ?`,
} as const

/** Used only for an SQLite file, not in a Durable Object. */
const fileSql = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  freePages: 'PRAGMA incremental_vacuum(4096)',
} as const

export const sql = { ...storeSql, ...fileSql }

export type StoreStatements = { readonly [Name in keyof typeof storeSql]: SqlStatement }
export type Statements = { readonly [Name in keyof typeof sql]: SqlStatement }

/** Each statement is compiled once for the life of the connection. */
export const prepareStatements = (database: SqlDatabase): Statements => prepareAll(database, sql)

export const prepareStoreStatements = (database: SqlDatabase): StoreStatements => prepareAll(database, storeSql)

const prepareAll = <Name extends string>(
  database: SqlDatabase,
  texts: Readonly<Record<Name, string>>,
): Record<Name, SqlStatement> => {
  const prepared = Object.entries<string>(texts).map(([name, text]) => [name, database.prepare(text)])
  return Object.fromEntries(prepared) as Record<Name, SqlStatement>
}
