import type { CheckpointQuery } from './graph-store.ts'

/** Milliseconds, by the clock of the server. */
const clock = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** $1 thread, $2 its name. */
export const open = `
  INSERT INTO antiphon_graph (thread, epoch, leased_until, name) VALUES ($1::text, 0, 0, $2::text)
  ON CONFLICT (thread) DO NOTHING`

/** $1 thread, $2 owner, $3 lease, $4 epoch or null. The current owner keeps its epoch. */
export const claim = `
  UPDATE antiphon_graph SET
    epoch = CASE WHEN owner IS NOT DISTINCT FROM $2::text THEN epoch ELSE epoch + 1 END,
    owner = $2::text, leased_until = ${clock} + $3::bigint
  WHERE thread = $1::text AND (owner IS NOT DISTINCT FROM $2::text OR (
    leased_until <= ${clock} AND ($4::bigint IS NULL OR epoch = $4::bigint)))
  RETURNING epoch`

/** $1 thread, $2 epoch or null for no owner, $3 lease, 0 to release it. */
const admitted = `
  UPDATE antiphon_graph SET
    epoch = CASE WHEN $2::bigint IS NULL THEN epoch + 1 ELSE epoch END,
    owner = CASE WHEN $2::bigint IS NULL THEN NULL ELSE owner END,
    leased_until = CASE WHEN $3::bigint = 0 THEN 0 ELSE ${clock} + $3::bigint END
  WHERE thread = $1::text AND CASE WHEN $2::bigint IS NULL THEN leased_until <= ${clock} ELSE epoch = $2::bigint END
  RETURNING thread`

export const admit = admitted

/** $1 thread, $2 epoch or null. */
export const release = `
  UPDATE antiphon_graph SET leased_until = 0
  WHERE thread = $1::text AND ($2::bigint IS NULL OR epoch = $2::bigint)`

/** A whole change in one statement: nothing of it is stored unless the guard admits it. */
export const write = `
  WITH admitted AS (${admitted}),
  parts AS (
    INSERT INTO antiphon_graph_part (thread, hash, data)
    SELECT thread, hash, data FROM admitted, unnest($4::bytea[], $5::bytea[]) AS part (hash, data)
    ON CONFLICT (thread, hash) DO NOTHING
  ),
  checkpoints AS (
    INSERT INTO antiphon_graph_checkpoint (thread, namespace, id, parent, body, metadata)
    SELECT thread, $6::text, $7::text, $8::text, $9::text, $10::text FROM admitted WHERE $7::text IS NOT NULL
    ON CONFLICT (thread, namespace, id) DO UPDATE
    SET parent = excluded.parent, body = excluded.body, metadata = excluded.metadata
  ),
  writes AS (
    INSERT INTO antiphon_graph_write (thread, namespace, checkpoint, task, idx, channel, value)
    SELECT thread, namespace, checkpoint, task, idx, channel, value FROM admitted,
      unnest($11::text[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[]) WITH ORDINALITY
        AS line (namespace, checkpoint, task, idx, channel, value, nth)
    ORDER BY nth
    ON CONFLICT (thread, checkpoint, task, idx, namespace) DO UPDATE
    SET channel = excluded.channel, value = excluded.value WHERE antiphon_graph_write.idx < 0
  )
  SELECT count(*) AS count FROM admitted`

/** $1 thread, $2 hashes. */
export const parts = `
  SELECT hash, data FROM antiphon_graph_part WHERE thread = $1::text AND hash = ANY ($2::bytea[])`

/** $1 thread, $2 namespace, $3 checkpoint. */
export const writes = `
  SELECT task, channel, value FROM antiphon_graph_write
  WHERE thread = $1::text AND namespace = $2::text AND checkpoint = $3::text ORDER BY seq`

/** $1 thread, $2 key. */
export const effect =
  'SELECT state, owner, outcome FROM antiphon_graph_effect WHERE thread = $1::text AND key = $2::text'

/** $1 thread, $2 epoch or null, $3 lease, $4 key, $5 owner, $6 and $7 the state and the owner that were read before, or null. */
export const startEffect = `
  WITH admitted AS (
    UPDATE antiphon_graph SET leased_until = CASE WHEN $2::bigint IS NULL THEN leased_until ELSE ${clock} + $3::bigint END
    WHERE thread = $1::text AND ($2::bigint IS NULL OR epoch = $2::bigint) RETURNING thread
  ),
  started AS (
    INSERT INTO antiphon_graph_effect (thread, key, state, owner)
    SELECT thread, $4::text, 'started', $5::text FROM admitted
    ON CONFLICT (thread, key) DO UPDATE SET state = 'started', owner = excluded.owner, outcome = NULL
    WHERE antiphon_graph_effect.state = $6::text AND antiphon_graph_effect.owner = $7::text
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM admitted) AS admitted, (SELECT count(*) FROM started) AS started`

/** $1 thread, $2 key, $3 state, $4 outcome. */
export const settleEffect = `
  UPDATE antiphon_graph_effect SET state = $3::text, outcome = $4::text
  WHERE thread = $1::text AND key = $2::text AND state IN ('started', 'unknown')`

/**
 * Takes the lease from any owner, before `remove`: $1 thread, $2 owner, $3 lease. It is a separate statement: a write that held the row when this
 * statement began is not in the snapshot of this statement, but it is in those of all later ones.
 */
export const evict = `
  UPDATE antiphon_graph SET epoch = epoch + 1, owner = $2::text, leased_until = ${clock} + $3::bigint
  WHERE thread = $1::text RETURNING epoch`

/** $1 thread, $2 epoch. */
export const remove = `
  WITH fenced AS (
    UPDATE antiphon_graph SET epoch = epoch + 1, owner = NULL, leased_until = 0
    WHERE thread = $1::text AND epoch = $2::bigint RETURNING thread
  ),
  checkpoints AS (DELETE FROM antiphon_graph_checkpoint WHERE thread = $1::text AND EXISTS (SELECT 1 FROM fenced)),
  writes AS (DELETE FROM antiphon_graph_write WHERE thread = $1::text AND EXISTS (SELECT 1 FROM fenced)),
  parts AS (DELETE FROM antiphon_graph_part WHERE thread = $1::text AND EXISTS (SELECT 1 FROM fenced)),
  effects AS (DELETE FROM antiphon_graph_effect WHERE thread = $1::text AND EXISTS (SELECT 1 FROM fenced))
  SELECT thread FROM fenced`

/** $1 thread or null for all of them. */
export const threads = `
  SELECT g.name, c.namespace, count(*) AS checkpoints, max(c.seq) AS last, g.leased_until > ${clock} AS leased,
    min(min(c.seq)) OVER (PARTITION BY g.thread) AS first
  FROM antiphon_graph AS g JOIN antiphon_graph_checkpoint AS c ON c.thread = g.thread
  WHERE $1::text IS NULL OR g.thread = $1::text
  GROUP BY g.thread, c.namespace ORDER BY first, c.namespace <> '', min(c.seq)`

/** The statement for a query. It contains only the conditions of the query, so that an index is used. */
export function list({ thread, namespace, id, before, after, limit }: CheckpointQuery): {
  text: string
  values: unknown[]
} {
  const values: unknown[] = []
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const conditions = ['true']
  if (thread !== undefined) conditions.push(`c.thread = ${bind(thread, 'text')}`)
  if (namespace !== undefined) conditions.push(`c.namespace = ${bind(namespace, 'text')}`)
  if (id !== undefined) conditions.push(`c.id = ${bind(id, 'text')}`)
  if (after !== undefined) conditions.push(`c.seq < ${bind(after, 'bigint')}`)
  // By the order of writing among the checkpoints of one graph, otherwise by its id, which begins with a time: graphs within
  // graphs do not wait for each other's writes.
  if (before !== undefined) {
    const name = bind(before, 'text')
    conditions.push(`coalesce(
      c.seq < (SELECT seq FROM antiphon_graph_checkpoint AS k
        WHERE k.thread = c.thread AND k.namespace = c.namespace AND k.id = ${name}),
      c.id < ${name})`)
  }
  const text = `
    SELECT c.seq, c.thread, g.name, c.namespace, c.id, c.parent, c.body, c.metadata
    FROM antiphon_graph_checkpoint AS c JOIN antiphon_graph AS g ON g.thread = c.thread
    WHERE ${conditions.join(' AND ')} ORDER BY c.seq DESC LIMIT ${bind(limit, 'bigint')}`
  return { text, values }
}
