import { assertAmounts } from '../../../core/assert-options.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { printable } from '../../../core/printable.ts'
import { agentCallsIn } from '../../agents/agent-calls.ts'
import { assertNextSeq, DamagedEntryError, journalDamagedError, readUntilDamage } from '../../damage.ts'
import type { CallPlace, Entry } from '../../entry.ts'
import { assertNotErased, erasedAtOnce, isFullyErased, tombstoneName } from '../../erasure/tombstone.ts'
import { metadataText, type StoredMetadata } from '../../metadata/stored-metadata.ts'
import type { EraseOptions, Erasure, KnownInput, Store, ThreadOrder, ThreadRow, Write, WriteResult } from '../store.ts'
import { checkLease, latestTimestamp } from '../times.ts'
import { randomUid } from '../uid.ts'
import { connectPostgres, type PostgresConnection, type Queryable } from './connect.ts'
import { doubtsOf } from './doubts.ts'
import { overtakenError } from './failure.ts'
import { type PostgresWrite, preparePostgresWrite } from './prepare-write.ts'
import { readEntryRows } from './read-entry-rows.ts'
import { type RefusalFacts, refusalReason } from './refusal-reason.ts'
import { assertInPlace } from './relocation.ts'
import { retry } from './retry.ts'
import { integer, type PostgresRow, toEntry, toThreadRow, toWriteResult } from './rows.ts'
import { checkName, checkPostgresVersion, inSchema, migratePostgres } from './schema.ts'
import { PostgresShard } from './shard.ts'
import * as sql from './statements.ts'
import { fromColumn, toColumn, toInternalKey, toKey } from './text-column.ts'
import { ThreadLimiter } from './thread-limiter.ts'

export interface PostgresOptions {
  /** The schema of the tables, which is created if it is missing. By default the first of the search path. */
  readonly schema?: string
  /** Creates no tables and writes nothing. */
  readonly readOnly?: boolean
  /** The maximum number of connections to open, or the size of the caller's pool: 10 by default. */
  readonly connections?: number
  /**
   * Use prepared statements for writes, which is faster: on by default, and switched off automatically with a pooler that does
   * not support it. Only for a connection string.
   */
  readonly prepare?: boolean
  /** How long a write waits for earlier ones, and is retried after conflicts: 5,000 by default, with several hosts `reconnectMs`. */
  readonly busyMs?: number
  /** How long to wait for a server that is unreachable: 30,000 by default. */
  readonly reconnectMs?: number
  readonly uid?: () => string
  /** Called when the settings of the server make acknowledged writes unsafe. */
  readonly warn?: (message: string) => void
}

/**
 * Opens the journal in a PostgreSQL database, by a connection string or on the caller's pool. Creates its tables if they do not
 * exist, unless it is read-only. The caller's pool stays open, and its `error` event remains the caller's responsibility.
 */
export async function openPostgres(
  location: string | { pool: Queryable },
  options: PostgresOptions = {},
  isShard = false,
): Promise<PostgresStore> {
  const { connections = connectionsDefault, reconnectMs = reconnectMsDefault } = options
  const { prepare = true, readOnly = false, busyMs } = options
  assertAmounts({ busyMs, reconnectMs })
  checkName(options.schema)
  const connection = await connectPostgres(location, { connections, reconnectMs, prepare, readOnly })
  const store = new PostgresStore(connection, options)
  try {
    await store.prepare(isShard)
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** Every write is one statement, and thus one round trip. There is no session state, so any pooler may be used. */
export class PostgresStore implements Store {
  readonly name = 'postgres'
  readonly #connection: PostgresConnection
  readonly #options: PostgresOptions
  readonly #waits: { readonly busyMs: number; readonly reconnectMs: number }
  /** Limits writes, which may have to wait for the row of their thread. */
  readonly #limiter: ThreadLimiter
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor(connection: PostgresConnection, options: PostgresOptions) {
    const { schema, connections = connectionsDefault } = options
    const within = (run: PostgresConnection['query']): PostgresConnection['query'] => {
      return (text, values) => run(inSchema(text, schema), values)
    }
    this.#connection = {
      ...connection,
      query: within(connection.query),
      queryPrepared: within(connection.queryPrepared),
    }
    this.#options = options
    const { reconnectMs = reconnectMsDefault } = options
    // Commits wait while a standby becomes the primary, so writes wait as long as for an unreachable server.
    const { busyMs = connection.failsOver ? reconnectMs : busyMsDefault } = options
    this.#waits = { busyMs, reconnectMs }
    this.#limiter = new ThreadLimiter(connections, busyMs)
  }

  /** What a list of shards needs to know, and to move threads. */
  get shard(): PostgresShard {
    return new PostgresShard(work => this.#run(() => work(this.#connection.query)))
  }

  /** Creates the tables, and checks the durability settings of the server. A read-only store needs neither. */
  async prepare(isShard = false): Promise<void> {
    if (this.#options.readOnly) return this.#run(() => checkPostgresVersion(this.#connection))
    const [settings] = await this.#run(async () => {
      await migratePostgres(this.#connection, this.#options.schema)
      return this.#connection.query(sql.settings, [])
    })
    const mark = isShard ? undefined : await this.shard.mark()
    if (mark) throw oneOfShards(this.#connection.place, mark.number)
    const warn = this.#options.warn ?? (message => process.emitWarning(printable(message), 'AntiphonWarning'))
    for (const doubt of doubtsOf(settings, this.#connection.failsOver)) warn(`${this.#connection.place}: ${doubt}`)
  }

  /** Each step is idempotent, so that any process can continue after a crash. */
  async open(name: string): Promise<ThreadRow> {
    return this.#run(async () => {
      const known = await this.#keyOf(name)
      const row = assertNotErased((known && (await this.#lookUp(known))) || (await this.#create(name, known)))
      if (row.name === name) return row
      throw new AntiphonError('journal-damaged', `thread ${row.thread} has two names`, {
        hint: 'the sequence of antiphon_name was set back: set it above the largest thread key',
      })
    })
  }

  async find(name: string): Promise<ThreadRow | undefined> {
    return this.#run(async () => {
      const thread = await this.#keyOf(name)
      return thread === undefined ? undefined : this.#lookUp(thread)
    })
  }

  async get(thread: number): Promise<ThreadRow> {
    return this.#run(async () => (await this.#lookUp(thread)) ?? unknownThread(thread))
  }

  /**
   * If the connection breaks, the statement may have run, or may still run. It is sent again all the same, because it cannot be
   * stored twice: its head has moved, or its key is known. It is then refused, and the token tells whether its own first try
   * is the reason.
   */
  async write(write: Write): Promise<WriteResult> {
    return this.writePrepared(preparePostgresWrite(write))
  }

  /** A write whose first try may have been stored in another shard has the same token as that. */
  async writePrepared(plan: PostgresWrite, wasTried = false): Promise<WriteResult> {
    this.#checkWritable()
    return this.#run(async isDoubtful => {
      const doubtful = isDoubtful || wasTried
      const head = await this.#headFor(plan)
      const { text, values } = sql.write(plan, head)
      const [row] = await this.#limiter.run('write', plan.thread, () => this.#connection.queryPrepared(text, values))
      return row ? toWriteResult(row) : this.#refuse(plan, head, doubtful)
    }, true)
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    checkLease(leaseMs)
    this.#checkWritable()
    return this.#run(async () => {
      const values = [thread, epoch, Math.round(leaseMs)]
      const rows = await this.#limiter.run('renewal', thread, () => this.#connection.query(sql.renew, values))
      if (rows.length === 0) assertNotErased((await this.#lookUp(thread)) ?? unknownThread(thread))
      return rows.length > 0
    })
  }

  async read(thread: number, after: number, limit = 1_000): Promise<Entry[]> {
    return this.#run(async () => {
      try {
        const rows = (await readEntryRows(this.#connection, thread, after, limit)) ?? unknownThread(thread)
        let last = after
        return readUntilDamage(rows, row => {
          assertNextSeq(integer(row.seq), last)
          const entry = toEntry(row)
          last = entry.seq
          return entry
        })
      } catch (error) {
        if (!(error instanceof DamagedEntryError)) throw error
        throw journalDamagedError(((await this.#lookUp(thread)) ?? unknownThread(thread)).name, error)
      }
    })
  }

  async due(limit: number): Promise<ThreadRow[]> {
    return this.#run(async () => (await this.#connection.query(sql.due, [limit])).map(toThreadRow))
  }

  async list(after: number, limit: number, order: ThreadOrder = 'oldest'): Promise<ThreadRow[]> {
    const text = order === 'oldest' ? sql.list : sql.listNewest
    return this.#run(async () => (await this.#connection.query(text, [after, limit])).map(toThreadRow))
  }

  async agentCalls(thread: number): Promise<CallPlace[]> {
    return this.#run(async () => {
      const rows = await this.#connection.query(sql.agentCalls, [thread])
      return agentCallsIn(rows.map(({ data }) => String(data)))
    })
  }

  async describe(thread: number, metadata: StoredMetadata): Promise<boolean> {
    this.#checkWritable()
    const { revision } = metadata
    const text = metadataText(metadata)
    return this.#run(async () => {
      const { query } = this.#connection
      const describe = () =>
        revision === 1 ? query(sql.addMetadata, [thread, text]) : query(sql.changeMetadata, [thread, text, revision])
      const rows = await this.#limiter.run('write', thread, describe)
      if (rows.length === 0) assertNotErased(await this.#lookUpInPlace(thread))
      return rows.length > 0
    })
  }

  async erase(thread: number, options: EraseOptions = {}): Promise<Erasure> {
    this.#checkWritable()
    return this.#run(async () => {
      const row = await this.#lookUpInPlace(thread)
      if (isFullyErased(row)) return 'erased'
      return this.#limiter.run('write', thread, () => this.#eraseStep(row, options))
    })
  }

  async now(): Promise<number> {
    return this.#run(async () => integer((await this.#connection.query(sql.now, []))[0]?.now))
  }

  /** Waits for running statements, but not for a server that is unreachable. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#connection.end())
    return this.#closed
  }

  /** All statements go through here. */
  async #run<T>(work: (doubtful: boolean) => Promise<T>, writes = false): Promise<T> {
    if (this.#closed) throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' })
    const options = { ...this.#waits, signal: this.#closing.signal, place: this.#connection.place, writes }
    const running = retry(work, options)
    this.#running.add(running)
    return running.finally(() => this.#running.delete(running))
  }

  #checkWritable(): void {
    if (this.#options.readOnly)
      throw new AntiphonError('journal-read-only', 'the journal was opened read-only', {
        hint: 'open it without readOnly',
      })
  }

  /**
   * Removing a thread deletes its name first, which may have happened since the name was found. The thread may also have been created and erased
   * since its name was not found.
   */
  async #create(name: string, known: number | undefined): Promise<ThreadRow> {
    this.#checkWritable()
    const { query } = this.#connection
    const row = await this.#createThread(known ?? (await this.#createKey(name)), name)
    const [tombstone] = await query(sql.findName, [toTombstoneKey(name)])
    const isErased = tombstone !== undefined && integer(tombstone.thread) !== row.thread
    if (!isErased && (known === undefined || (await this.#keyOf(name)) === known)) return row
    await query(sql.dropThread, [row.thread, row.uid])
    if (isErased) await query(sql.dropName, [toKey(name), row.thread])
    return overtaken()
  }

  async #keyOf(name: string): Promise<number | undefined> {
    const { query } = this.#connection
    const [row] = await query(sql.findName, [toKey(name)])
    const [found] = row ? [row] : await query(sql.findName, [toTombstoneKey(name)])
    return found && integer(found.thread)
  }

  /** The name is removed last, so that it leads to the tombstone wherever this stops. */
  async #eraseStep({ thread, name, state }: ThreadRow, options: EraseOptions): Promise<Erasure> {
    const { idleSince = latestTimestamp, limit = erasedAtOnce } = options
    const { query } = this.#connection
    if (state !== 'erased') {
      const [fenced] = await query(sql.fenceErased, [thread, Math.floor(idleSince)])
      return fenced || (await this.#lookUpInPlace(thread)).state === 'erased' ? 'partly' : 'active'
    }
    const [row] = await query(sql.eraseLast, [thread, limit])
    if (row && integer(row.head) > 0) return 'partly'
    await query(sql.addTombstone, [toTombstoneKey(name), thread])
    await query(sql.dropName, [toKey(name), thread])
    await query(sql.eraseName, [thread, tombstoneName(name)])
    return 'erased'
  }

  async #createKey(name: string): Promise<number> {
    const [row] = await this.#connection.query(sql.addName, [toKey(name)])
    return row ? integer(row.thread) : ((await this.#keyOf(name)) ?? overtaken())
  }

  async #createThread(thread: number, name: string): Promise<ThreadRow> {
    const { uid = randomUid } = this.#options
    const [row] = await this.#connection.query(sql.addThread, [thread, toColumn(name), uid()])
    return row ? toThreadRow(row) : ((await this.#lookUp(thread)) ?? overtaken())
  }

  async #lookUp(thread: number): Promise<ThreadRow | undefined> {
    const [row] = await this.#connection.query(sql.get, [thread])
    return row && toThreadRow(row)
  }

  /** For changes: throws if the thread moves to another shard. */
  async #lookUpInPlace(thread: number): Promise<ThreadRow> {
    const [row = unknownThread(thread)] = await this.#connection.query(sql.get, [thread])
    assertInPlace(row)
    return toThreadRow(row)
  }

  /** A write that names calls needs a head (see `sql.write`), and gets the current one if it has none. */
  async #headFor({ head, calls, thread }: PostgresWrite): Promise<number | undefined> {
    if (head !== undefined || calls.length === 0) return head
    return ((await this.#lookUp(thread)) ?? unknownThread(thread)).head
  }

  async #refuse(plan: PostgresWrite, head: number | undefined, doubtful: boolean): Promise<WriteResult> {
    const { text, values } = sql.refusalFacts(plan)
    const [row = unknownThread(plan.thread)] = await this.#connection.query(text, values)
    const landed = doubtful && (await this.#landed(plan, row))
    if (landed) {
      await this.#confirm(plan.thread)
      return landed
    }
    assertInPlace(row)
    const facts = factsOf(row)
    assertNotErased(facts.row)
    const why = refusalReason(plan, head, facts)
    if (why === 'known') await this.#confirm(plan.thread)
    if (why === undefined || (why === 'moved' && plan.head === undefined)) throw overtakenError()
    return { ok: false, why, row: facts.row, ...(facts.known && { known: knownOf(row) }) }
  }

  /** Called before a write is acknowledged that an earlier statement has stored: the server may not have acknowledged that statement. */
  async #confirm(thread: number): Promise<void> {
    await this.#limiter.run('write', thread, () => this.#connection.query(sql.confirm, [thread]))
  }

  /** The result of an earlier try of the same write, if it was stored. */
  async #landed({ thread, entries, token, head }: PostgresWrite, row: PostgresRow): Promise<WriteResult | undefined> {
    if (entries.length === 0)
      return String(row.token) === token ? toWriteResult({ ...row, at: row.updated_at }) : undefined
    if (head === undefined && row.input_seq === null) return undefined
    const last = head === undefined ? integer(row.input_seq) : head + entries.length
    const [entry] = await this.#connection.query(sql.landed, [thread, last, token])
    return entry && toWriteResult({ ...entry, head: last })
  }
}

/** The key of the name of an erased thread. No other name has it. */
const toTombstoneKey = (name: string): string => toInternalKey(tombstoneName(name))

const connectionsDefault = 10
const busyMsDefault = 5_000
const reconnectMsDefault = 30_000

const factsOf = (row: PostgresRow): RefusalFacts => ({
  row: toThreadRow(row),
  now: integer(row.now),
  known: row.input_seq !== null,
  callsOpen: integer(row.calls_open),
  callsStarted: integer(row.calls_started),
})

const knownOf = (row: PostgresRow): KnownInput => ({
  digest: fromColumn(String(row.digest)),
  seq: integer(row.input_seq),
})

function unknownThread(thread: number): never {
  throw new AntiphonError('unknown-thread', `unknown thread key ${thread}`, {
    hint: 'open the thread by its name first',
  })
}

const oneOfShards = (place: string, number: number): AntiphonError =>
  new AntiphonError('wrong-shard', `${place} is shard ${number} of a journal with several databases`, {
    hint: 'open the journal with all its shards: openJournal({ shards: [...] }), or with readOnly to look at this one',
    shard: number,
  })

function overtaken(): never {
  throw overtakenError()
}
