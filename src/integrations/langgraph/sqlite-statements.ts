import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CheckpointQuery } from './graph-store.ts'

const sql = {
  graph: `
    SELECT graph, epoch, owner, leased_until AS leasedUntil, leased_at AS leasedAt
    FROM antiphon_graph WHERE thread = ?`,
  addGraph: 'INSERT INTO antiphon_graph (thread, epoch, leased_until) VALUES (?, 0, 0)',
  take: 'UPDATE antiphon_graph SET epoch = ?, owner = ?, leased_until = ?, leased_at = ? WHERE graph = ?',
  keep: 'UPDATE antiphon_graph SET leased_until = ?, leased_at = ? WHERE graph = ?',
  dispossess: 'UPDATE antiphon_graph SET epoch = epoch + 1, owner = NULL, leased_until = 0 WHERE graph = ?',

  addPart: 'INSERT INTO antiphon_graph_part (graph, hash, data) VALUES (?, ?, ?) ON CONFLICT (graph, hash) DO NOTHING',
  part: 'SELECT data FROM antiphon_graph_part WHERE graph = ? AND hash = ?',

  addCheckpoint: `
    INSERT INTO antiphon_graph_checkpoint (graph, namespace, id, parent, body, metadata)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (graph, namespace, id) DO UPDATE
    SET parent = excluded.parent, body = excluded.body, metadata = excluded.metadata`,
  addWrite: `
    INSERT INTO antiphon_graph_write (graph, namespace, checkpoint, task, idx, channel, value)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`,
  replaceWrite: `
    INSERT INTO antiphon_graph_write (graph, namespace, checkpoint, task, idx, channel, value)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (graph, checkpoint, task, idx, namespace) DO UPDATE
    SET channel = excluded.channel, value = excluded.value`,
  writes: `
    SELECT task, channel, value FROM antiphon_graph_write
    WHERE graph = ? AND namespace = ? AND checkpoint = ? ORDER BY seq`,

  effect: `
    SELECT e.state, e.owner, e.outcome FROM antiphon_graph_effect AS e
    JOIN antiphon_graph AS g ON g.graph = e.graph WHERE g.thread = ? AND e.key = ?`,
  startEffect: `
    INSERT INTO antiphon_graph_effect (graph, key, state, owner) VALUES (?, ?, 'started', ?)
    ON CONFLICT (graph, key) DO UPDATE SET state = excluded.state, owner = excluded.owner, outcome = NULL`,
  settleEffect: `
    UPDATE antiphon_graph_effect SET state = ?, outcome = ?
    WHERE graph = ? AND key = ? AND state IN ('started', 'unknown')`,
} as const

export type GraphStatements = { readonly [Name in keyof typeof sql]: StatementSync }

/** Each statement is compiled once for the life of the connection. */
export function prepareGraphStatements(database: DatabaseSync): GraphStatements {
  const prepared = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)])
  return Object.fromEntries(prepared) as GraphStatements
}

/** The threads with checkpoints, or those of one name; `:now` tells which leases are valid. */
export const threadsStatement = (isNamed: boolean): string => `
  SELECT g.thread, c.namespace, count(*) AS checkpoints, max(c.seq) AS last, g.leased_until > :now AS isLeased,
    min(min(c.seq)) OVER (PARTITION BY g.graph) AS first
  FROM antiphon_graph AS g JOIN antiphon_graph_checkpoint AS c ON c.graph = g.graph
  ${isNamed ? 'WHERE g.thread = :name' : ''}
  GROUP BY g.graph, c.namespace ORDER BY first, c.namespace <> '', min(c.seq)`

/** The statement for a query. It contains only the conditions of the query, so that an index is used. */
export function listStatement({ thread, namespace, id, before, after }: CheckpointQuery): string {
  const conditions = ['true']
  if (thread !== undefined) conditions.push('c.graph = (SELECT graph FROM antiphon_graph WHERE thread = :thread)')
  if (namespace !== undefined) conditions.push('c.namespace = :namespace')
  if (id !== undefined) conditions.push('c.id = :id')
  if (after !== undefined) conditions.push('c.seq < :after')
  // By the order of writing among the checkpoints of one graph, otherwise by its id, which begins with a time: graphs within
  // graphs do not wait for each other's writes.
  if (before !== undefined)
    conditions.push(`coalesce(
      c.seq < (SELECT seq FROM antiphon_graph_checkpoint AS k
        WHERE k.graph = c.graph AND k.namespace = c.namespace AND k.id = :before),
      c.id < :before)`)
  return `
    SELECT c.seq, c.graph, g.thread, c.namespace, c.id, c.parent, c.body, c.metadata
    FROM antiphon_graph_checkpoint AS c JOIN antiphon_graph AS g ON g.graph = c.graph
    WHERE ${conditions.join(' AND ')} ORDER BY c.seq DESC LIMIT :limit`
}
