import type { CallPlace } from '../../entry.ts'
import { eraseAgainMs } from '../../erasure/tombstone.ts'
import type { PostgresWrite } from './prepare-write.ts'

/**
 * All SQL of the journal except its tables (`schema.ts`). It also runs on a sharded database such as Citus: a statement has the
 * key or the name of its thread, and changes each table once; only `due`, `list` and `listNewest` span threads.
 */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Milliseconds by the clock of the server. Citus rejects volatile functions such as clock_timestamp() in an UPDATE. */
const clock = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

const columns = [
  ...['thread', 'name', 'uid', 'head', 'epoch', 'owner', 'leased_until', 'state', 'due_at', 'open_calls'],
  ...['created_at', 'updated_at', 'token'],
]
const thread = columns.join(', ')

export const version = 'SELECT max(version) AS version FROM antiphon_migration'

export const addVersion = `INSERT INTO antiphon_migration (version, at) VALUES ($1::bigint, ${clock}) ON CONFLICT DO NOTHING`

export const now = `SELECT ${clock} AS now`

/** The durability settings of the server; null for a setting that it does not have. */
export const settings = `SELECT current_setting('fsync', true) AS fsync,
  current_setting('synchronous_commit', true) AS synchronous_commit,
  current_setting('synchronous_standby_names', true) AS synchronous_standby_names,
  current_setting('server_encoding', true) AS server_encoding`

/** Whether the server accepts writes. The name of the segment that is written begins with the timeline, which a promotion increments. */
export const role = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_walfile_name(pg_current_wal_lsn()) END AS wal`

export const hasSchema = 'SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1::text'

export const findName = 'SELECT thread FROM antiphon_name WHERE name = $1::text'

export const addName = 'INSERT INTO antiphon_name (name) VALUES ($1::text) ON CONFLICT DO NOTHING RETURNING thread'

export const addThread = `INSERT INTO antiphon_thread (${thread})
  VALUES ($1::bigint, $2::text, $3::text, 0, 0, NULL, 0, 'idle', NULL, 0, ${clock}, ${clock}, 0)
  ON CONFLICT DO NOTHING RETURNING ${thread}`

/** Removes a thread that `addThread` created, if nothing was written to it. */
export const dropThread = `DELETE FROM antiphon_thread
  WHERE thread = $1::bigint AND uid = $2::text AND head = 0 AND epoch = 0`

/** The name of an erased thread leads to its tombstone, under another key. */
export const addTombstone = `INSERT INTO antiphon_name (name, thread) VALUES ($1::text, $2::bigint) ON CONFLICT DO NOTHING`

export const dropName = 'DELETE FROM antiphon_name WHERE name = $1::text AND thread = $2::bigint'

/**
 * The first step of an erasure. It is a separate statement: a write that held the row when this statement began is not in the snapshot
 * of this statement, but it is in the snapshots of all later ones.
 */
export const fenceErased = `WITH turned AS (
  UPDATE antiphon_thread SET state = 'erased', epoch = epoch + 1, owner = NULL, leased_until = 0, open_calls = 0,
    due_at = ${clock} + ${eraseAgainMs}, updated_at = ${clock}
  WHERE thread = $1::bigint AND state <> 'erased' AND updated_at <= $2::bigint RETURNING thread
), calls AS (
  DELETE FROM antiphon_open_call WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
)
SELECT thread FROM turned`

/**
 * Removes the last entries, at most $2, with what belongs to them; at the end entry 0 too, the metadata. The head shows how far the
 * erasure is. It is lowered to the last existing entry first: to count down from a damaged head would take forever.
 */
export const eraseLast = `WITH turned AS (
  UPDATE antiphon_thread SET head = greatest(least(head, (
      SELECT coalesce(max(seq), 0) FROM antiphon_entry WHERE thread = $1::bigint AND seq <= ${Number.MAX_SAFE_INTEGER}
    )) - $2::bigint, 0), due_at = ${clock} + ${eraseAgainMs}, updated_at = ${clock}
  WHERE thread = $1::bigint AND state = 'erased' AND due_at IS NOT NULL RETURNING thread, head
), entries AS (
  DELETE FROM antiphon_entry WHERE thread = $1::bigint AND seq > (SELECT CASE WHEN head = 0 THEN -1 ELSE head END FROM turned)
), inputs AS (
  DELETE FROM antiphon_input WHERE thread = $1::bigint AND seq > (SELECT head FROM turned)
), calls AS (
  DELETE FROM antiphon_open_call WHERE thread = $1::bigint AND step > (SELECT head FROM turned)
)
SELECT head FROM turned`

export const eraseName = `UPDATE antiphon_thread SET name = $2::text, due_at = NULL
  WHERE thread = $1::bigint AND state = 'erased'`

/** The metadata of a thread is its entry 0, whose epoch is the revision. */
const described = `SELECT ${columns.map(column => `thread.${column}`).join(', ')}, entry.data AS metadata, entry.epoch AS revision
  FROM antiphon_thread AS thread LEFT JOIN antiphon_entry AS entry
    ON entry.thread = thread.thread AND entry.seq = 0 AND NOT (thread.state = 'erased' AND thread.owner IS NULL)`

export const get = `${described} WHERE thread.thread = $1::bigint`

/** Derived from the updated row, which is locked, so that no erasure comes in between. Each is compare-and-swap on the revision. */
const touched = `WITH turned AS (
  UPDATE antiphon_thread SET updated_at = ${clock} WHERE thread = $1::bigint AND state <> 'erased' RETURNING thread, updated_at
)`

export const addMetadata = `${touched}
INSERT INTO antiphon_entry (thread, seq, epoch, at, token, version, kind, data)
SELECT thread, 0, 1, updated_at, 0, 1, 'thread-describe', $2::text FROM turned
ON CONFLICT DO NOTHING RETURNING thread`

export const changeMetadata = `${touched}
UPDATE antiphon_entry SET epoch = $3::bigint, at = ${clock}, data = $2::text
WHERE thread = $1::bigint AND seq = 0 AND epoch = $3::bigint - 1 AND EXISTS (SELECT 1 FROM turned) RETURNING thread`

export const renew = `UPDATE antiphon_thread SET leased_until = ${clock} + $3::bigint, updated_at = ${clock}
  WHERE thread = $1::bigint AND epoch = $2::bigint AND owner IS NOT NULL RETURNING thread`

/**
 * One row without an entry if the thread exists and has none after that position; in any order. Data larger than $4 are
 * replaced by their size, which the server knows without reading them: a `#`, with which no JSON begins, and digits. A column
 * for the size would slow down every read measurably, and a sum over the rows much more. Sequence numbers have no gaps: with an upper
 * bound the server never sorts the rest of a long thread for one page, whatever its statistics are.
 */
export const read = `SELECT thread.head, thread.state, entry.seq, entry.epoch, entry.at, entry.version, entry.kind, entry.data
  FROM antiphon_thread AS thread LEFT JOIN (
    SELECT seq, epoch, at, version, kind,
      CASE WHEN octet_length(data) <= $4::bigint THEN data ELSE '#' || octet_length(data)::text END AS data
    FROM antiphon_entry WHERE thread = $1::bigint AND seq > $2::bigint AND seq <= $2::bigint + $3::bigint
    ORDER BY seq LIMIT $3::bigint
  ) AS entry ON true
  WHERE thread.thread = $1::bigint`

export const readLarge = `SELECT seq, data FROM antiphon_entry
  WHERE thread = $1::bigint AND seq > $2::bigint AND seq <= $3::bigint AND octet_length(data) > $4::bigint`

export const agentCalls = `SELECT data FROM antiphon_entry WHERE thread = $1::bigint AND kind = 'call-park' ORDER BY seq`

/** The subquery reads the clock once for all leases, since reading it for each of many threads is measurably slower. */
export const due = `SELECT ${thread} FROM antiphon_thread
  WHERE due_at <= ${clock} AND leased_until <= (SELECT ${clock}) ORDER BY due_at, thread LIMIT $1::bigint`

export const list = `${described}
  WHERE thread.thread > $1::bigint AND NOT (thread.state = 'erased' AND thread.due_at IS NULL AND thread.leased_until = 0)
  ORDER BY thread.thread LIMIT $2::bigint`

export const listNewest = `${described}
  WHERE thread.thread < $1::bigint AND NOT (thread.state = 'erased' AND thread.due_at IS NULL AND thread.leased_until = 0)
  ORDER BY thread.thread DESC LIMIT $2::bigint`

/**
 * Changes nothing, and is committed. With a synchronous standby a write is visible on the primary before the standby has it, if its
 * connection broke meanwhile. Once a later commit is acknowledged, everything before it is on the standby too.
 */
export const confirm = 'UPDATE antiphon_thread SET token = token WHERE thread = $1::bigint RETURNING thread'

/** The entry at that position, if this write made it. */
export const landed = `SELECT epoch, at FROM antiphon_entry
  WHERE thread = $1::bigint AND seq = $2::bigint AND token = $3::bigint`

/**
 * One write in one statement: the row of the thread is updated if every guard holds, and everything else is derived from it.
 *
 * Why this is correct at READ COMMITTED: the UPDATE locks the row, and if it had to wait it checks the guards again on the
 * current row. So guards on columns of the row hold at the commit. The two that read other tables see the snapshot from before
 * the wait, and that is enough:
 * - Which calls are open. Such a write has `head`, and every write that changes calls moves the head. If the head matches both
 *   in the snapshot and under the lock, no call has changed in between.
 * - Whether an input is known. Two writes may both see that it is not, but the second then violates the primary key
 *   (thread, key), is rolled back as a whole, and is retried, when it sees the first.
 * At REPEATABLE READ and above, a write that had to wait for another fails with 40001 and is retried.
 */
export function write(plan: PostgresWrite, head: number | undefined): Statement {
  const values: unknown[] = [plan.thread]
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  const token = bind(plan.token, 'bigint')
  const parts = [updatedThread(plan, head, token, bind), ...added(plan, token, bind), ...called(plan, bind)]
  return { text: `WITH ${parts.join(',\n')}\nSELECT head, epoch, updated_at AS at FROM turned`, values }
}

/** The thread, and what it already has of a write: its input, and how many of its calls are open and started. */
export function refusalFacts({ thread, key, calls }: PostgresWrite): Statement {
  const values: unknown[] = [thread]
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  const input = bind(key ?? null, 'text')
  const found = calls.length > 0 ? countOf(calls, bind) : '0'
  const begun = calls.length > 0 ? countOf(calls, bind, 'AND started') : '0'
  const text = `SELECT ${columns.map(column => `thread.${column}`).join(', ')},
  ${clock} AS now, input.digest, input.seq AS input_seq, ${found} AS calls_open, ${begun} AS calls_started
  FROM antiphon_thread AS thread LEFT JOIN antiphon_input AS input ON input.thread = thread.thread AND input.key = ${input}
  WHERE thread.thread = $1::bigint`
  return { text, values }
}

type Bind = (value: unknown, type: 'bigint' | 'text' | 'json') => string

/** A longer list is one parameter, as JSON: a statement has at most 65,535 parameters, and a turn that ends settles any number of calls. */
const listMax = 1_000

function updatedThread(plan: PostgresWrite, head: number | undefined, token: string, bind: Bind): string {
  return `turned AS (
  UPDATE antiphon_thread SET ${changes(plan, token, bind).join(', ')}
  WHERE thread = $1::bigint AND ${guards(plan, head, bind).join(' AND ')}
  RETURNING thread, head, epoch, updated_at
)`
}

function changes(
  { entries, effects, lease, release, state, dueAt }: PostgresWrite,
  token: string,
  bind: Bind,
): string[] {
  const opened = effects.opens.length - effects.settles.length
  const changes = [`updated_at = ${clock}`, `token = ${token}`]
  if (entries.length > 0) changes.push(`head = head + ${entries.length}`)
  if (opened !== 0) changes.push(`open_calls = open_calls + ${opened}`)
  if (lease) changes.push('epoch = epoch + 1')
  if (release) changes.push('owner = NULL', 'leased_until = 0')
  else if (lease) changes.push(`owner = ${bind(lease.owner, 'text')}`)
  if (lease && !release) changes.push(`leased_until = ${clock} + ${bind(lease.ms, 'bigint')}`)
  if (state) changes.push(`state = ${bind(state, 'text')}`)
  if (dueAt === 'now') changes.push(`due_at = ${release ? clock : `least(due_at, ${clock})`}`)
  else if (dueAt !== undefined) changes.push(`due_at = ${bind(dueAt, 'bigint')}`)
  return changes
}

function guards(
  { epoch, lease, onlyIf, effects, calls, key }: PostgresWrite,
  head: number | undefined,
  bind: Bind,
): string[] {
  const guards = [`state <> 'erased'`]
  if (epoch !== undefined) guards.push(`epoch = ${bind(epoch, 'bigint')}`)
  if (head !== undefined) guards.push(`head = ${bind(head, 'bigint')}`)
  if (lease) guards.push(`leased_until <= ${clock}`)
  if (onlyIf) guards.push(`state = ${bind(onlyIf, 'text')}`)
  if (effects.requiresAllSettled) guards.push(`open_calls = ${effects.settles.length}`)
  const fresh = effects.starts.length > 0 ? 'AND NOT started' : ''
  if (calls.length > 0) guards.push(`${countOf(calls, bind, fresh)} = ${calls.length}`)
  if (key !== undefined)
    guards.push(`NOT EXISTS (SELECT 1 FROM antiphon_input WHERE thread = $1::bigint AND key = ${bind(key, 'text')})`)
  return guards
}

/** Derived from the updated row, and therefore nothing if there is none. */
function added({ entries, key, digest }: PostgresWrite, token: string, bind: Bind): string[] {
  const parts: string[] = []
  if (entries.length > 0)
    parts.push(`entries AS (
  INSERT INTO antiphon_entry (thread, seq, epoch, at, token, version, kind, data)
  SELECT thread, head - ${entries.length} + nth, epoch, updated_at, ${token}, version, kind, data
  FROM turned, ${linesOf(entries, bind)}
)`)
  if (key !== undefined)
    parts.push(`inputs AS (
  INSERT INTO antiphon_input (thread, key, digest, seq)
  SELECT thread, ${bind(key, 'text')}, ${bind(digest, 'text')}, head FROM turned
)`)
  return parts
}

function linesOf(entries: PostgresWrite['entries'], bind: Bind): string {
  if (entries.length > listMax) {
    const lines = JSON.stringify(entries.map((entry, index) => ({ ...entry, nth: index + 1 })))
    return `json_to_recordset(${bind(lines, 'json')}) AS line (nth bigint, version bigint, kind text, data text)`
  }
  const lines = entries.map(
    ({ kind, version, data }, index) => `(${index + 1}, ${version}, ${bind(kind, 'text')}, ${bind(data, 'text')})`,
  )
  return `(VALUES ${lines.join(', ')}) AS line (nth, version, kind, data)`
}

/** A write opens, starts or settles calls, and never two of these. */
function called({ entries, effects: { opens, starts, settles } }: PostgresWrite, bind: Bind): string[] {
  const after = 'AND EXISTS (SELECT 1 FROM turned)'
  if (starts.length > 0)
    return [`calls AS (UPDATE antiphon_open_call SET started = true WHERE ${among(starts, bind)} ${after})`]
  if (settles.length > 0) return [`calls AS (DELETE FROM antiphon_open_call WHERE ${among(settles, bind)} ${after})`]
  if (opens.length === 0) return []
  const places = opens.map(({ step, index }) => `(${step}, ${index})`)
  return [
    `calls AS (
  INSERT INTO antiphon_open_call (thread, step, idx, started)
  SELECT thread, head - ${entries.length} + nth, idx, false FROM turned, (VALUES ${places.join(', ')}) AS place (nth, idx)
)`,
  ]
}

const countOf = (calls: readonly CallPlace[], bind: Bind, only = ''): string =>
  `(SELECT count(*) FROM antiphon_open_call WHERE ${among(calls, bind)} ${only})`

function among(calls: readonly CallPlace[], bind: Bind): string {
  if (calls.length > listMax) {
    const list = bind(JSON.stringify(calls.map(({ step, index }) => ({ step, idx: index }))), 'json')
    return `thread = $1::bigint AND (step, idx) IN (SELECT step, idx FROM json_to_recordset(${list}) AS place (step bigint, idx bigint))`
  }
  const places = calls.map(({ step, index }) => `(${bind(step, 'bigint')}, ${bind(index, 'bigint')})`)
  return `thread = $1::bigint AND (step, idx) IN (${places.join(', ')})`
}
