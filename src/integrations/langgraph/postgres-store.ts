import { setTimeout as sleep } from 'node:timers/promises'
import { AntiphonError } from '../../core/errors.ts'
import { present } from '../../core/invariant.ts'
import { connectPostgres, type PostgresConnection, type Queryable } from '../../journal/stores/postgres/connect.ts'
import { sqlStateOf } from '../../journal/stores/postgres/create-concurrently.ts'
import { retry } from '../../journal/stores/postgres/retry.ts'
import { checkName } from '../../journal/stores/postgres/schema.ts'
import type { PostgresOptions } from '../../journal/stores/postgres/store.ts'
import { fromColumn, toColumn, toKey } from '../../journal/stores/postgres/text-column.ts'
import { randomUid } from '../../journal/stores/uid.ts'
import type {
  CheckpointChange,
  CheckpointQuery,
  Claim,
  Effect,
  EffectStart,
  ExistingGraphs,
  GraphStore,
  GraphThread,
  StoredCheckpoint,
  WriteAnswer,
  WriteGuard,
} from './graph-store.ts'
import { hasGraphTables, inGraphSchema, migrateGraphs } from './postgres-schema.ts'
import * as sql from './postgres-statements.ts'

export type PostgresGraphOptions = Pick<
  PostgresOptions,
  'schema' | 'connections' | 'prepare' | 'busyMs' | 'reconnectMs'
>

/** Opens the threads of graphs in a PostgreSQL database. Creates its tables if they are missing. */
export async function openPostgresGraphs(
  where: string | { pool: Queryable },
  options: PostgresGraphOptions = {},
): Promise<GraphStore> {
  const { schema, connections = 10, prepare = true, busyMs = 5_000, reconnectMs = 30_000 } = options
  checkName(schema)
  const connection = await connectPostgres(where, { connections, reconnectMs, prepare, readOnly: false })
  const store = new PostgresGraphStore(connection, { schema, busyMs, reconnectMs })
  try {
    await store.makeReady()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** Opens the threads of graphs in a database; undefined if it has none. Creates no tables. */
export async function openExistingPostgresGraphs(
  where: string,
  { schema }: Pick<PostgresGraphOptions, 'schema'>,
): Promise<ExistingGraphs | undefined> {
  checkName(schema)
  const [busyMs, reconnectMs] = [5_000, 2_000]
  const connection = await connectPostgres(where, { connections: 2, reconnectMs, prepare: false, readOnly: true })
  const store = new PostgresGraphStore(connection, { schema, busyMs, reconnectMs })
  try {
    if (await store.isThere()) return store
  } catch (error) {
    await store.close()
    throw error
  }
  await store.close()
  return undefined
}

interface Settings {
  readonly schema: string | undefined
  readonly busyMs: number
  readonly reconnectMs: number
}

const oneRow = 'a query that counts returns one row'

/**
 * Every method is one statement, and thus one round trip, except those that create or remove a thread or read a checkpoint. Each may be
 * sent again when its answer was lost: what it stores is then there already, and the current owner keeps its epoch.
 */
class PostgresGraphStore implements GraphStore, ExistingGraphs {
  readonly #connection: PostgresConnection
  readonly #settings: Settings
  readonly #opened = new Set<string>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor(connection: PostgresConnection, settings: Settings) {
    this.#connection = connection
    this.#settings = settings
  }

  async makeReady(): Promise<void> {
    const { schema } = this.#settings
    await this.#run(() => migrateGraphs((text, values) => this.#query(text, values), schema))
  }

  /** Whether the tables exist. Without the right to read them, none do. */
  async isThere(): Promise<boolean> {
    return this.#run(async () => {
      try {
        return await hasGraphTables((text, values) => this.#query(text, values))
      } catch (error) {
        if (sqlStateOf(error) === insufficientPrivilege) return false
        throw error
      }
    })
  }

  async threads(name?: string): Promise<readonly GraphThread[]> {
    return this.#run(async () => {
      const rows = await this.#query(sql.threads, [name === undefined ? null : toKey(name)])
      return rows.map(({ name, namespace, checkpoints, last, leased }) => ({
        ...{ thread: fromColumn(String(name)), namespace: fromColumn(String(namespace)), isLeased: leased === true },
        ...{ checkpoints: Number(checkpoints), last: Number(last) },
      }))
    })
  }

  async claim(thread: string, { owner, leaseMs, epoch }: Claim): Promise<number | undefined> {
    return this.#in(thread, async key => {
      const values = [key, owner, Math.round(leaseMs), epoch ?? null]
      const [row] = await this.#query(sql.claim, values)
      return row && Number(row.epoch)
    })
  }

  async renew(thread: string, epoch: number, leaseMs: number): Promise<boolean> {
    return this.#in(thread, async key => {
      return (await this.#query(sql.admit, [key, epoch, Math.round(leaseMs)])).length > 0
    })
  }

  async release(thread: string, epoch?: number): Promise<void> {
    await this.#in(thread, key => this.#query(sql.release, [key, epoch ?? null]))
  }

  async write(thread: string, guard: WriteGuard, change: CheckpointChange): Promise<WriteAnswer> {
    const { parts, checkpoint, writes = [] } = change
    const { epoch, leaseMs } = guard
    const columns = checkpoint && [
      ...[toKey(checkpoint.namespace), toKey(checkpoint.id), checkpoint.parent && toKey(checkpoint.parent)],
      ...[toColumn(checkpoint.body), toColumn(checkpoint.metadata)],
    ]
    const lines = [
      ...[writes.map(({ namespace }) => toKey(namespace)), writes.map(({ checkpoint }) => toKey(checkpoint))],
      ...[writes.map(({ task }) => toKey(task)), writes.map(({ index }) => index)],
      ...[writes.map(({ channel }) => toColumn(channel)), writes.map(({ value }) => toColumn(value))],
    ]
    return this.#in(thread, async (key, doubtful) => {
      const values = [
        ...[key, epoch ?? null, Math.round(leaseMs)],
        ...[[...parts.keys()].map(bytesOf), [...parts.values()].map(data => Buffer.from(data))],
        ...(columns?.map(column => column ?? null) ?? [null, null, null, null, null]),
        ...lines,
      ]
      const [row] = await this.#connection.queryPrepared(this.#placed(sql.write), values)
      if (Number(present(row, oneRow).count) > 0) return 'done'
      // The answer to the first attempt was lost, and another run may have taken the thread since.
      if (doubtful && (await this.#isWritten(key, change))) return 'done'
      return epoch === undefined ? 'leased' : 'fenced'
    })
  }

  /** Whether all of a change is stored. Ids of checkpoints are unique, and so are tasks within one. */
  async #isWritten(key: string, { checkpoint, writes = [] }: CheckpointChange): Promise<boolean> {
    if (checkpoint) {
      const { text, values } = sql.list({
        ...{ thread: key, namespace: toKey(checkpoint.namespace), id: toKey(checkpoint.id), limit: 1 },
      })
      const [row] = await this.#query(text, values)
      if (row?.body !== toColumn(checkpoint.body)) return false
    }
    const stored = new Map<string, Set<string>>()
    for (const { namespace, checkpoint: id, task, channel, value } of writes) {
      const place = [toKey(namespace), toKey(id)]
      const known = stored.get(place.join()) ?? new Set()
      if (known.size === 0) {
        const rows = await this.#query(sql.writes, [key, ...place])
        for (const row of rows) known.add(JSON.stringify([row.task, row.channel, row.value]))
        stored.set(place.join(), known)
      }
      if (!known.has(JSON.stringify([toKey(task), toColumn(channel), toColumn(value)]))) return false
    }
    return checkpoint !== undefined || writes.length > 0
  }

  async find(thread: string, namespace: string, id?: string): Promise<StoredCheckpoint | undefined> {
    const query = { thread, namespace, limit: 1, ...(id === undefined ? {} : { id }) }
    return (await this.list(query))[0]
  }

  async list({ thread, namespace, id, before, ...query }: CheckpointQuery): Promise<readonly StoredCheckpoint[]> {
    const named = Object.entries({ thread, namespace, id, before }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toKey(value)] as const],
    )
    return this.#run(async () => {
      const { text, values } = sql.list({ ...query, ...Object.fromEntries(named) })
      const rows = await this.#query(text, values)
      return Promise.all(rows.map(row => this.#found(row)))
    })
  }

  async parts(thread: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#run(async () => {
      const rows = await this.#query(sql.parts, [toKey(thread), hashes.map(bytesOf)])
      return new Map(rows.map(({ hash, data }) => [(hash as Buffer).toString('base64url'), data as Buffer]))
    })
  }

  async effect(thread: string, key: string): Promise<Effect | undefined> {
    return this.#run(async () => {
      const [row] = await this.#query(sql.effect, [toKey(thread), toKey(key)])
      if (!row) return undefined
      const { state, owner, outcome } = row
      return { state, owner, ...(outcome === null ? {} : { outcome: fromColumn(String(outcome)) }) } as Effect
    })
  }

  async startEffect(
    thread: string,
    guard: WriteGuard,
    { key, owner, before }: EffectStart,
  ): Promise<WriteAnswer | 'taken'> {
    const { epoch = null, leaseMs } = guard
    return this.#in(thread, async (name, doubtful) => {
      const known = [before?.state ?? null, before?.owner ?? null]
      const values = [name, epoch, Math.round(leaseMs), toKey(key), owner, ...known]
      const [row] = await this.#query(sql.startEffect, values)
      const { admitted, started } = present(row, oneRow)
      if (Number(admitted) === 0) return 'fenced'
      if (Number(started) > 0) return 'done'
      const [found] = doubtful ? await this.#query(sql.effect, [name, toKey(key)]) : []
      return found?.state === 'started' && found.owner === owner ? 'done' : 'taken'
    })
  }

  async settleEffect(thread: string, key: string, { state, outcome }: Effect): Promise<void> {
    const kept = outcome === undefined ? null : toColumn(outcome)
    await this.#run(() => this.#query(sql.settleEffect, [toKey(thread), toKey(key), state, kept]))
  }

  async remove(thread: string): Promise<void> {
    const key = toKey(thread)
    await this.#run(async () => {
      for (;;) {
        const [row] = await this.#query(sql.evict, [key, randomUid(), removalMs])
        if (!row || (await this.#query(sql.remove, [key, row.epoch])).length > 0) return
        // Another process has taken the thread since, maybe to remove it as well.
        await sleep(retryMs * Math.random())
      }
    })
  }

  /** Waits for statements in progress, but not for a server that is unreachable. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#connection.end())
    return this.#closed
  }

  /** Runs a statement on a thread, which is created if it is missing. */
  async #in<T>(thread: string, work: (key: string, doubtful: boolean) => Promise<T>): Promise<T> {
    const key = toKey(thread)
    return this.#run(async doubtful => {
      if (!this.#opened.has(key)) {
        await this.#query(sql.open, [key, toColumn(thread)])
        if (this.#opened.size > openedMax) this.#opened.clear()
        this.#opened.add(key)
      }
      return work(key, doubtful)
    })
  }

  async #found(row: Readonly<Record<string, unknown>>): Promise<StoredCheckpoint> {
    const { thread, name, namespace, id, parent, body, metadata, seq } = row
    const writes = await this.#query(sql.writes, [thread, namespace, id])
    const text = (column: unknown) => fromColumn(String(column))
    return {
      ...{ thread: text(name), namespace: text(namespace), id: text(id), seq: Number(seq) },
      ...{ body: text(body), metadata: text(metadata), ...(parent === null ? {} : { parent: text(parent) }) },
      writes: writes.map(({ task, channel, value }) => {
        return { task: text(task), channel: text(channel), value: text(value) }
      }),
    }
  }

  #query(text: string, values: readonly unknown[]) {
    return this.#connection.query(this.#placed(text), values)
  }

  #placed(text: string): string {
    return inGraphSchema(text, this.#settings.schema)
  }

  async #run<T>(work: (doubtful: boolean) => Promise<T>): Promise<T> {
    if (this.#closed) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
    const { busyMs, reconnectMs } = this.#settings
    const { place } = this.#connection
    const running = retry(work, { busyMs, reconnectMs, signal: this.#closing.signal, place, writes: true })
    this.#running.add(running)
    return running.finally(() => this.#running.delete(running))
  }
}

/** The SQLSTATE of a missing right. */
const insufficientPrivilege = '42501'

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'base64url')

const openedMax = 10_000

/** How long a removal keeps other runs from the thread if its process is killed. */
const removalMs = 10_000
const retryMs = 20
