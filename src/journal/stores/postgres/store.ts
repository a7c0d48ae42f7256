import { AntiphonError } from '../../../core/errors.ts'
import { assertNextSeq, DamagedEntryError, journalDamagedError, readUntilDamage } from '../../damage.ts'
import type { Entry } from '../../entry.ts'
import { randomUid } from '../../uid.ts'
import type { KnownInput, Store, ThreadRow, Write, WriteResult } from '../store.ts'
import { checkLease } from '../times.ts'
import { connectPostgres, type PostgresConnection, type Queryable } from './connect.ts'
import { overtakenError } from './failure.ts'
import { type PostgresWrite, preparePostgresWrite } from './prepare-write.ts'
import { readEntryRows } from './read-entry-rows.ts'
import { type RefusalFacts, refusalReason } from './refusal-reason.ts'
import { retry } from './retry.ts'
import { integer, type PostgresRow, toEntry, toThreadRow, toWriteResult } from './rows.ts'
import { checkName, checkPostgresVersion, inSchema, migratePostgres } from './schema.ts'
import * as sql from './statements.ts'
import { fromColumn, toColumn, toKey } from './text-column.ts'
import { ThreadLimiter } from './thread-limiter.ts'

export interface PostgresOptions {
  /** The schema that the tables are in; it is made if it is missing. By default the first of the search path. */
  readonly schema?: string
  /** Only looks: makes no tables, writes nothing. */
  readonly readOnly?: boolean
  /** How many connections to open at most, or how many a pool of the caller's has: 10. */
  readonly connections?: number
  /**
   * Has the server keep the plans of transitions, which is faster: on unless told otherwise, and given up by itself behind a
   * pooler that cannot do it. Only for a connection string.
   */
  readonly prepare?: boolean
  /** How long a write waits for those before it, and is tried again when others are in its way: 5,000. */
  readonly busyMs?: number
  /** How long a server that went away is waited for: 30,000. */
  readonly reconnectMs?: number
  readonly uid?: () => string
  /** Is told when the server does not keep what it has acknowledged. */
  readonly warn?: (message: string) => void
}

/**
 * The journal in a PostgreSQL database, by its connection string or on a pool of the caller's. Makes its tables if they
 * are not there, unless it only looks. A pool of the caller's stays open, and its `error` event stays the caller's to
 * listen to.
 */
export async function openPostgres(
  where: string | { pool: Queryable },
  options: PostgresOptions = {},
): Promise<PostgresStore> {
  const { connections = connectionsDefault, reconnectMs = reconnectMsDefault, prepare = true } = options
  checkName(options.schema)
  const connection = await connectPostgres(where, { connections, reconnectMs, prepare })
  const store = new PostgresStore(connection, options)
  try {
    await store.makeReady()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** Every transition is one statement, and thus one round trip. There is no state in a session: any pooler may stand between. */
export class PostgresStore implements Store {
  readonly name = 'postgres'
  readonly #connection: PostgresConnection
  readonly #options: PostgresOptions
  /** Those who change a thread, and so may have to wait for its row. */
  readonly #lines: ThreadLimiter
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor(connection: PostgresConnection, options: PostgresOptions) {
    const { schema, connections = connectionsDefault, busyMs = busyMsDefault } = options
    const within = (run: PostgresConnection['query']): PostgresConnection['query'] => {
      return (text, values) => run(inSchema(text, schema), values)
    }
    this.#connection = {
      ...connection,
      query: within(connection.query),
      queryPrepared: within(connection.queryPrepared),
    }
    this.#options = options
    this.#lines = new ThreadLimiter(connections, busyMs)
  }

  /** Makes the tables, and asks whether the server keeps what it acknowledges. Whoever only looks needs neither. */
  async makeReady(): Promise<void> {
    if (this.#options.readOnly) return this.#run(() => checkPostgresVersion(this.#connection))
    const [settings] = await this.#run(async () => {
      await migratePostgres(this.#connection, this.#options.schema)
      return this.#connection.query(sql.settings, [])
    })
    const warn = this.#options.warn ?? (message => process.emitWarning(message, 'AntiphonWarning'))
    for (const doubt of doubtsOf(settings)) warn(`${this.#connection.place}: ${doubt}`)
  }

  /** Each step can be done again, by anybody, wherever the one before has stopped. */
  async open(name: string): Promise<ThreadRow> {
    return this.#run(async () => {
      const known = await this.#keyOf(name)
      const row = (known && (await this.#lookUp(known))) || (await this.#make(name, known))
      if (row.name === name) return row
      throw new AntiphonError('journal-damaged', `the thread ${row.thread} has two names`, {
        hint: 'The sequence behind antiphon_name was set back: set it above the largest thread.',
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
    return this.#run(async () => (await this.#lookUp(thread)) ?? noThread(thread))
  }

  /**
   * When the connection breaks, nobody knows whether the statement was carried out, or even still will be. It is sent again
   * all the same, because it cannot be carried out twice: its head is no longer the thread's, or its key is known. It is
   * refused then, and the token tells whether by its own first try.
   */
  async write(write: Write): Promise<WriteResult> {
    const plan = preparePostgresWrite(write)
    this.#checkWritable()
    return this.#run(async doubtful => {
      const head = await this.#headFor(plan)
      const { text, values } = sql.write(plan, head)
      const [row] = await this.#lines.run('write', plan.thread, () => this.#connection.queryPrepared(text, values))
      return row ? toWriteResult(row) : this.#refuse(plan, head, doubtful)
    }, true)
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    checkLease(leaseMs)
    this.#checkWritable()
    return this.#run(async () => {
      const values = [thread, epoch, Math.round(leaseMs)]
      const rows = await this.#lines.run('renewal', thread, () => this.#connection.query(sql.renew, values))
      if (rows.length === 0 && !(await this.#lookUp(thread))) noThread(thread)
      return rows.length > 0
    })
  }

  async read(thread: number, after: number, limit = 1_000): Promise<Entry[]> {
    return this.#run(async () => {
      try {
        const rows = (await readEntryRows(this.#connection, thread, after, limit)) ?? noThread(thread)
        let last = after
        return readUntilDamage(rows, row => {
          assertNextSeq(integer(row.seq), last)
          const entry = toEntry(row)
          last = entry.seq
          return entry
        })
      } catch (error) {
        if (!(error instanceof DamagedEntryError)) throw error
        throw journalDamagedError(((await this.#lookUp(thread)) ?? noThread(thread)).name, error)
      }
    })
  }

  async due(limit: number): Promise<ThreadRow[]> {
    return this.#run(async () => (await this.#connection.query(sql.due, [limit])).map(toThreadRow))
  }

  async list(after: number, limit: number): Promise<ThreadRow[]> {
    return this.#run(async () => (await this.#connection.query(sql.list, [after, limit])).map(toThreadRow))
  }

  async now(): Promise<number> {
    return this.#run(async () => integer((await this.#connection.query(sql.now, []))[0].now))
  }

  /** Waits for what is under way, but not for a server that is not there. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#connection.end())
    return this.#closed
  }

  /** Everything that is asked of the server goes through here. */
  async #run<T>(work: (doubtful: boolean) => Promise<T>, writes = false): Promise<T> {
    if (this.#closed)
      throw new AntiphonError('journal-closed', 'the journal is closed', { hint: 'Open it again with openPostgres.' })
    const { busyMs = busyMsDefault, reconnectMs = reconnectMsDefault } = this.#options
    const options = { busyMs, reconnectMs, signal: this.#closing.signal, place: this.#connection.place, writes }
    const running = retry(work, options)
    this.#running.add(running)
    return running.finally(() => this.#running.delete(running))
  }

  #checkWritable(): void {
    if (this.#options.readOnly)
      throw new AntiphonError('journal-read-only', 'the journal was opened for reading alone', {
        hint: 'Open it without readOnly.',
      })
  }

  /** Whoever removes a thread takes its name away first, and may have done so since the name was found. */
  async #make(name: string, known: number | undefined): Promise<ThreadRow> {
    this.#checkWritable()
    const row = await this.#makeThread(known ?? (await this.#makeKey(name)), name)
    if (known === undefined || (await this.#keyOf(name)) === known) return row
    await this.#connection.query(sql.dropThread, [known, row.uid])
    return overtaken()
  }

  async #keyOf(name: string): Promise<number | undefined> {
    const [row] = await this.#connection.query(sql.findName, [toKey(name)])
    return row && integer(row.thread)
  }

  async #makeKey(name: string): Promise<number> {
    const [row] = await this.#connection.query(sql.addName, [toKey(name)])
    return row ? integer(row.thread) : ((await this.#keyOf(name)) ?? overtaken())
  }

  async #makeThread(thread: number, name: string): Promise<ThreadRow> {
    const { uid = randomUid } = this.#options
    const [row] = await this.#connection.query(sql.addThread, [thread, toColumn(name), uid()])
    return row ? toThreadRow(row) : ((await this.#lookUp(thread)) ?? overtaken())
  }

  async #lookUp(thread: number): Promise<ThreadRow | undefined> {
    const [row] = await this.#connection.query(sql.look, [thread])
    return row && toThreadRow(row)
  }

  /** A write that names calls needs a head to be right (see `sql.write`), and gets the present one if it has none. */
  async #headFor({ head, calls, thread }: PostgresWrite): Promise<number | undefined> {
    if (head !== undefined || calls.length === 0) return head
    return ((await this.#lookUp(thread)) ?? noThread(thread)).head
  }

  async #refuse(plan: PostgresWrite, head: number | undefined, doubtful: boolean): Promise<WriteResult> {
    const { text, values } = sql.refusalFacts(plan)
    const [row = noThread(plan.thread)] = await this.#connection.query(text, values)
    const landed = doubtful && (await this.#landed(plan, row))
    if (landed) return landed
    const facts = factsOf(row)
    const why = refusalReason(plan, head, facts)
    if (why === undefined || (why === 'moved' && plan.head === undefined)) throw overtakenError()
    return { ok: false, why, row: facts.row, ...(facts.known && { known: knownOf(row) }) }
  }

  /** The outcome of an earlier try of the same write, if it was carried out. */
  async #landed({ thread, entries, token, head }: PostgresWrite, row: PostgresRow): Promise<WriteResult | undefined> {
    if (entries.length === 0)
      return String(row.token) === token ? toWriteResult({ ...row, at: row.updated_at }) : undefined
    if (head === undefined && row.input_seq === null) return undefined
    const last = head === undefined ? integer(row.input_seq) : head + entries.length
    const [entry] = await this.#connection.query(sql.landed, [thread, last, token])
    return entry && toWriteResult({ ...entry, head: last })
  }
}

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

/** Why what the server acknowledges may be lost all the same. */
function doubtsOf({ fsync, synchronous_commit: commit, server_encoding: encoding }: PostgresRow): string[] {
  const doubts: string[] = []
  if (fsync === 'off') doubts.push('fsync is off: a crash of its machine may destroy the journal')
  if (commit === 'off') doubts.push('synchronous_commit is off: a crash loses what was acknowledged last')
  if (typeof encoding === 'string' && !['UTF8', 'SQL_ASCII'].includes(encoding))
    doubts.push(`the encoding of the database is ${encoding}: text that it has no letters for is refused`)
  return doubts
}

function noThread(thread: number): never {
  throw new AntiphonError('no-thread', `there is no thread ${thread}`, { hint: 'Open a thread by its name first.' })
}

function overtaken(): never {
  throw overtakenError()
}
