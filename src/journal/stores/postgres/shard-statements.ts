/**
 * The SQL that moves threads between shards, and what a shard knows about the list that it is in. As in `statements.ts`, a statement has the key or the
 * name of its thread first, and changes each table once.
 */

/** The number of the shard and the size of the list, under a name that no thread has. */
export const growMark =
  'UPDATE antiphon_name SET thread = $2::bigint WHERE name = $1::text AND thread = $3::bigint RETURNING thread'

const clock = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

/** All threads, also those that are erased or were moved. */
export const scan = `SELECT thread, name, uid, head, epoch, owner, leased_until, state, due_at, open_calls, created_at, updated_at, ${clock} AS now
  FROM antiphon_thread WHERE thread > $1::bigint ORDER BY thread LIMIT $2::bigint`

export const scanOne = `SELECT thread, name, uid, head, epoch, owner, leased_until, state, due_at, open_calls, created_at, updated_at, ${clock} AS now
  FROM antiphon_thread WHERE thread = $1::bigint`

/** Threads whose move has begun and is not complete in the shard that they leave. */
export const unfinished = `SELECT thread, name, uid, head, epoch, owner, leased_until, state, due_at, open_calls, created_at, updated_at, ${clock} AS now
  FROM antiphon_thread WHERE state = 'erased' AND (owner LIKE 'moving %' OR (owner LIKE 'moved %' AND head >= 0)) LIMIT $1::bigint`

/** Fences a thread that no owner has. Compare-and-swap on everything that the row says. */
export const beginMove = `UPDATE antiphon_thread SET state = 'erased', epoch = epoch + 1, owner = $6::text, due_at = NULL, leased_until = ${clock}
  WHERE thread = $1::bigint AND state = $2::text AND head = $3::bigint AND epoch = $4::bigint AND coalesce(due_at, -1) = coalesce($5::bigint, -1)
    AND state <> 'erased' AND leased_until <= ${clock} RETURNING epoch`

/** The process that moves the thread is alive. */
export const renewMove = `UPDATE antiphon_thread SET leased_until = ${clock}
  WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' AND leased_until > 0`

/** Ends a move: the row is an ordinary thread again. The marker, which contains the token, says which attempt this is about. */
export const endMove = `UPDATE antiphon_thread SET state = $3::text, due_at = $4::bigint, owner = NULL, leased_until = 0
  WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' RETURNING thread`

/** The moment in which the thread changes its shard. */
export const commitMove = `UPDATE antiphon_thread SET owner = $3::text, leased_until = 0
  WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' RETURNING thread`

export const addArriving = `INSERT INTO antiphon_thread
  (thread, name, uid, head, epoch, owner, leased_until, state, due_at, open_calls, created_at, updated_at, token)
  VALUES ($1::bigint, $2::text, $3::text, $4::bigint, $5::bigint, $6::text, 1, 'erased', NULL, $7::bigint, $8::bigint, $9::bigint, 0)
  ON CONFLICT DO NOTHING RETURNING thread`

/** Takes over the row that an earlier attempt has left. */
export const resetArriving = `WITH turned AS (
  UPDATE antiphon_thread SET head = $2::bigint, epoch = $3::bigint, owner = $4::text, open_calls = $5::bigint, updated_at = $6::bigint
  WHERE thread = $1::bigint AND state = 'erased' AND leased_until = 1 RETURNING thread
), entries AS (
  DELETE FROM antiphon_entry WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), inputs AS (
  DELETE FROM antiphon_input WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), calls AS (
  DELETE FROM antiphon_open_call WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
)
SELECT thread FROM turned`

/** Removes the content from the old shard after the switch. */
export const removeMoved = `WITH turned AS (
  UPDATE antiphon_thread SET head = -1 WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' RETURNING thread
), entries AS (
  DELETE FROM antiphon_entry WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), inputs AS (
  DELETE FROM antiphon_input WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), calls AS (
  DELETE FROM antiphon_open_call WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
)
SELECT thread FROM turned`

/**
 * Removes the copy of an abandoned attempt. One statement removes the row and the name: a separate one could remove the name that a later attempt
 * has written, and the thread would not be found any more.
 */
export const dropArrived = `WITH turned AS (
  DELETE FROM antiphon_thread WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' RETURNING thread
), named AS (
  DELETE FROM antiphon_name WHERE name = $3::text AND thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), entries AS (
  DELETE FROM antiphon_entry WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), inputs AS (
  DELETE FROM antiphon_input WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
), calls AS (
  DELETE FROM antiphon_open_call WHERE thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
)
SELECT thread FROM turned`

/** Removes a thread to which nothing was ever written, while it is fenced. */
export const dropEmpty = `WITH turned AS (
  DELETE FROM antiphon_thread
  WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' AND head = 0 RETURNING thread
), named AS (
  DELETE FROM antiphon_name WHERE name = $3::text AND thread = $1::bigint AND EXISTS (SELECT 1 FROM turned)
)
SELECT thread FROM turned`

/** The tombstone of an erased thread, in the shard where its name is now looked for. */
export const addErased = `INSERT INTO antiphon_thread
  (thread, name, uid, head, epoch, owner, leased_until, state, due_at, open_calls, created_at, updated_at, token)
  VALUES ($1::bigint, $2::text, $3::text, 0, $4::bigint, NULL, 0, 'erased', NULL, 0, $5::bigint, $6::bigint, 0)
  ON CONFLICT DO NOTHING RETURNING thread`

export const forwardErased = `UPDATE antiphon_thread SET owner = $2::text, head = -1
  WHERE thread = $1::bigint AND state = 'erased' AND due_at IS NULL AND owner IS NULL RETURNING thread`

/** The forwarding address of a thread that is erased keeps no name. */
export const forgetName = `UPDATE antiphon_thread SET name = $3::text WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased'`

/**
 * Only while this attempt is the one that copies: the row is locked, so that no other attempt can take over meanwhile. Rows that are there
 * already are those of the same statement, whose answer was lost.
 */
const copying = (insert: string): string => `WITH turned AS (
  UPDATE antiphon_thread SET leased_until = 1 WHERE thread = $1::bigint AND owner = $2::text AND state = 'erased' RETURNING thread
), copied AS (
  ${insert}
  ON CONFLICT DO NOTHING
)
SELECT thread FROM turned`

export const readEntries = `SELECT seq, epoch, at, token, version, kind, data FROM antiphon_entry
  WHERE thread = $1::bigint AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq`

/** How large the next entries are, so that a page of them can be bounded. */
export const entrySizes = `SELECT seq, octet_length(data) AS bytes FROM antiphon_entry
  WHERE thread = $1::bigint AND seq > $2::bigint ORDER BY seq LIMIT $3::bigint`

export const copyEntries = copying(`INSERT INTO antiphon_entry (thread, seq, epoch, at, token, version, kind, data)
  SELECT thread, seq, epoch, at, token, version, kind, data FROM turned,
    json_to_recordset($3::json) AS line (seq bigint, epoch bigint, at bigint, token bigint, version integer, kind text, data text)`)

export const readInputs = 'SELECT seq, key, digest FROM antiphon_input WHERE thread = $1::bigint'

export const copyInputs = copying(`INSERT INTO antiphon_input (thread, seq, key, digest)
  SELECT thread, seq, key, digest FROM turned, json_to_recordset($3::json) AS line (seq bigint, key text, digest text)`)

export const readCalls = 'SELECT step, idx, started FROM antiphon_open_call WHERE thread = $1::bigint'

export const copyCalls = copying(`INSERT INTO antiphon_open_call (thread, step, idx, started)
  SELECT thread, step, idx, started FROM turned, json_to_recordset($3::json) AS line (step bigint, idx bigint, started boolean)`)

/** The count and a digest of all entries of a thread, in any order. */
export const entriesDigest = `SELECT count(*) AS rows, coalesce(sum(('x' || substr(md5(
    concat_ws('|', seq, epoch, at, token, version, kind, data)), 1, 15))::bit(60)::bigint), 0)::text AS digest
  FROM antiphon_entry WHERE thread = $1::bigint`

export const inputsDigest = `SELECT count(*) AS rows, coalesce(sum(('x' || substr(md5(concat_ws('|', seq, key, digest)), 1, 15))::bit(60)::bigint), 0)::text
    AS digest FROM antiphon_input WHERE thread = $1::bigint`

export const callsDigest = `SELECT count(*) AS rows, coalesce(sum(('x' || substr(md5(concat_ws('|', step, idx, started)), 1, 15))::bit(60)::bigint), 0)::text
    AS digest FROM antiphon_open_call WHERE thread = $1::bigint`
