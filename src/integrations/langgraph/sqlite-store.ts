import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { AntiphonError } from '../../core/errors.ts'
import {
  connectWatchedSqlite,
  type SqliteConnectOptions,
  type WatchedDatabase,
} from '../../journal/stores/sqlite/connect.ts'
import { GroupCommit } from '../../journal/stores/sqlite/group-commit.ts'
import type { SqliteGuard } from '../../journal/stores/sqlite/guard.ts'
import { retryWhileBusy } from '../../journal/stores/sqlite/retry-while-busy.ts'
import { prepareStatements } from '../../journal/stores/sqlite/statements.ts'
import { timesAfterClockSetBack } from '../../journal/stores/times.ts'
import type {
  CheckpointChange,
  CheckpointQuery,
  CheckpointRow,
  Claim,
  Effect,
  EffectStart,
  ExistingGraphs,
  GraphStore,
  GraphThread,
  StoredCheckpoint,
  WriteAnswer,
  WriteGuard,
  WriteRow,
} from './graph-store.ts'
import { hasGraphTables, migrate } from './sqlite-schema.ts'
import { type GraphStatements, listStatement, prepareGraphStatements, threadsStatement } from './sqlite-statements.ts'

export type SqliteGraphOptions = Partial<Pick<SqliteConnectOptions, 'durability' | 'busyMs' | 'now'>>

/** Opens the threads of graphs in the file of a journal, which is created if it is missing. */
export async function openSqliteGraphs(file: string, options: SqliteGraphOptions = {}): Promise<GraphStore> {
  const { durability = 'full', busyMs = 5_000, now = Date.now } = options
  const { database, ...watched } = await connectWatchedSqlite(file, { durability, busyMs, now, readOnly: false })
  try {
    await retryWhileBusy(() => migrate(database), busyMs)
    return new SqliteGraphStore(database, { busyMs, now, ...watched })
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens the threads of graphs in a file that is a journal already; undefined if it has none. Creates no tables. */
export async function openExistingSqliteGraphs(
  file: string,
  { readOnly }: Pick<SqliteConnectOptions, 'readOnly'>,
  guard?: SqliteGuard,
): Promise<ExistingGraphs | undefined> {
  const settings = { busyMs: 5_000, now: Date.now }
  const { database, ...watched } = await connectWatchedSqlite(
    file,
    { durability: 'full', readOnly, ...settings },
    guard,
  )
  try {
    if (await retryWhileBusy(() => hasGraphTables(database), settings.busyMs))
      return new SqliteGraphStore(database, { ...settings, ...watched })
  } catch (error) {
    watched.close()
    throw error
  }
  watched.close()
  return undefined
}

interface Settings extends Omit<WatchedDatabase, 'database'> {
  readonly busyMs: number
  readonly now: () => number
}

class SqliteGraphStore implements GraphStore, ExistingGraphs {
  readonly #database: DatabaseSync
  readonly #statements: GraphStatements
  readonly #commits: GroupCommit
  readonly #settings: Settings
  readonly #lists = new Map<string, StatementSync>()
  #closing: Promise<void> | undefined

  constructor(database: DatabaseSync, settings: Settings) {
    this.#database = database
    this.#settings = settings
    this.#statements = prepareGraphStatements(database)
    const { busyMs, check } = settings
    this.#commits = new GroupCommit(database, prepareStatements(database), { busyMs, check, onCommit: () => {} })
  }

  claim(thread: string, { owner, leaseMs, epoch }: Claim): Promise<number | undefined> {
    return this.#change(() => {
      const row = this.#open(thread)
      const now = this.#settings.now()
      if (row.owner !== owner) {
        if (row.leasedUntil > now || (epoch ?? row.epoch) !== row.epoch) return undefined
        row.epoch++
      }
      this.#statements.take.run(row.epoch, owner, now + leaseMs, now, row.graph)
      return row.epoch
    })
  }

  renew(thread: string, epoch: number, leaseMs: number): Promise<boolean> {
    return this.#change(() => this.#admit(this.#open(thread), { epoch, leaseMs }) === 'done')
  }

  async release(thread: string, epoch?: number): Promise<void> {
    await this.#change(() => {
      const row = this.#open(thread)
      this.#admit(row, { epoch: epoch ?? row.epoch, leaseMs: 0 })
    })
  }

  write(thread: string, guard: WriteGuard, { parts, checkpoint, writes = [] }: CheckpointChange): Promise<WriteAnswer> {
    const bytes = [...parts.values()].reduce((sum, { length }) => sum + length, 0)
    return this.#change(() => {
      const row = this.#open(thread)
      const answer = this.#admit(row, guard)
      if (answer !== 'done') return answer
      const { graph } = row
      for (const [hash, data] of parts) this.#statements.addPart.run(graph, bytesOf(hash), data)
      if (checkpoint) this.#addCheckpoint(graph, checkpoint)
      for (const write of writes) this.#addWrite(graph, write)
      return answer
    }, bytes)
  }

  async find(thread: string, namespace: string, id?: string): Promise<StoredCheckpoint | undefined> {
    const query = { thread, namespace, limit: 1, ...(id === undefined ? {} : { id }) }
    return (await this.list(query))[0]
  }

  list(query: CheckpointQuery): Promise<readonly StoredCheckpoint[]> {
    return this.#look(() => {
      const named = Object.entries(query).filter(([, value]) => value !== undefined)
      return this.#listed(listStatement(query))
        .all(Object.fromEntries(named))
        .map(columns => this.#found(columns as CheckpointColumns))
    })
  }

  threads(name?: string): Promise<readonly GraphThread[]> {
    return this.#look(() => {
      const values = { now: this.#settings.now(), ...(name === undefined ? {} : { name }) }
      const rows = this.#listed(threadsStatement(name !== undefined)).all(values)
      return rows.map(({ thread, namespace, checkpoints, last, isLeased }) => ({
        ...{ thread: String(thread), namespace: String(namespace), isLeased: isLeased === 1 },
        ...{ checkpoints: Number(checkpoints), last: Number(last) },
      }))
    })
  }

  parts(thread: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#look(() => {
      const found = new Map<string, Uint8Array>()
      const graph = this.#statements.graph.get(thread)?.graph ?? 0
      for (const hash of hashes) {
        const row = this.#statements.part.get(graph, bytesOf(hash))
        if (row) found.set(hash, row.data as Uint8Array)
      }
      return found
    })
  }

  effect(thread: string, key: string): Promise<Effect | undefined> {
    return this.#look(() => effectOf(this.#statements.effect.get(thread, key)))
  }

  startEffect(thread: string, guard: WriteGuard, { key, owner, before }: EffectStart): Promise<WriteAnswer | 'taken'> {
    return this.#change(() => {
      const row = this.#open(thread)
      const answer = guard.epoch === undefined ? 'done' : this.#admit(row, guard)
      if (answer !== 'done') return answer
      const known = effectOf(this.#statements.effect.get(thread, key))
      if (known?.state !== before?.state || known?.owner !== before?.owner) return 'taken'
      this.#statements.startEffect.run(row.graph, key, owner)
      return 'done'
    })
  }

  async settleEffect(thread: string, key: string, { state, outcome }: Effect): Promise<void> {
    await this.#change(() => {
      this.#statements.settleEffect.run(state, outcome ?? null, this.#open(thread).graph, key)
    })
  }

  async remove(thread: string): Promise<void> {
    await this.#change(() => {
      const { graph } = this.#open(thread)
      for (const table of tables) this.#database.prepare(`DELETE FROM ${table} WHERE graph = ?`).run(graph)
      this.#statements.dispossess.run(graph)
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#commits.idle().then(() => this.#settings.close())
    return this.#closing
  }

  #admit(row: GraphRow, { epoch, leaseMs }: WriteGuard): WriteAnswer {
    const now = this.#settings.now()
    if (epoch === undefined) {
      if (row.leasedUntil > now) return 'leased'
      this.#statements.dispossess.run(row.graph)
      return 'done'
    }
    if (epoch !== row.epoch) return 'fenced'
    this.#statements.keep.run(leaseMs === 0 ? 0 : now + leaseMs, now, row.graph)
    return 'done'
  }

  #addCheckpoint(graph: number, { namespace, id, parent, body, metadata }: CheckpointRow): void {
    this.#statements.addCheckpoint.run(graph, namespace, id, parent ?? null, body, metadata)
  }

  #addWrite(graph: number, { namespace, checkpoint, task, index, channel, value }: WriteRow): void {
    const { addWrite, replaceWrite } = this.#statements
    const statement = index < 0 ? replaceWrite : addWrite
    statement.run(graph, namespace, checkpoint, task, index, channel, value)
  }

  #open(thread: string): GraphRow {
    const { graph, addGraph } = this.#statements
    const known = graph.get(thread)
    if (known) return this.#timely(known as unknown as GraphRow)
    addGraph.run(thread)
    return graph.get(thread) as unknown as GraphRow
  }

  /** A lease taken while the clock was ahead does not outlast its length after the clock is corrected. */
  #timely(row: GraphRow): GraphRow {
    const now = this.#settings.now()
    if (row.leasedAt <= now) return row
    const { leasedUntil } = timesAfterClockSetBack({ leasedUntil: row.leasedUntil, updatedAt: row.leasedAt }, now)
    this.#statements.keep.run(leasedUntil, now, row.graph)
    return { ...row, leasedUntil, leasedAt: now }
  }

  #listed(text: string): StatementSync {
    const known = this.#lists.get(text) ?? this.#database.prepare(text)
    this.#lists.set(text, known)
    return known
  }

  #found({ parent, graph, ...columns }: CheckpointColumns): StoredCheckpoint {
    const writes = this.#statements.writes.all(graph, columns.namespace, columns.id)
    const row = { ...columns, ...(parent === null ? {} : { parent }), writes }
    return row as unknown as StoredCheckpoint
  }

  #look<T>(read: () => T): Promise<T> {
    return retryWhileBusy(() => {
      this.#checkOpen()
      return read()
    }, this.#settings.busyMs)
  }

  async #change<T>(change: () => T, bytes = 0): Promise<T> {
    this.#checkOpen()
    return this.#commits.add(change, bytes)
  }

  #checkOpen(): void {
    if (this.#closing) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
  }
}

interface GraphRow {
  readonly graph: number
  epoch: number
  readonly owner: string | null
  readonly leasedUntil: number
  /** When the lease was taken or extended. */
  readonly leasedAt: number
}

type Columns = Record<string, SQLOutputValue>

type CheckpointColumns = Columns & Readonly<Record<'graph' | 'namespace' | 'id', SQLOutputValue>>

const tables = ['checkpoint', 'write', 'part', 'effect'].map(name => `antiphon_graph_${name}`)

const bytesOf = (hash: string): Uint8Array => Buffer.from(hash, 'base64url')

function effectOf(columns: Columns | undefined): Effect | undefined {
  if (!columns) return undefined
  const { state, owner, outcome } = columns
  return { state, owner, ...(outcome === null ? {} : { outcome }) } as Effect
}
