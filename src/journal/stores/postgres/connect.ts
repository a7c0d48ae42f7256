import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { AntiphonError } from '../../../core/errors.ts'
import { FailoverPool, type Lender, sessionAttrsFor } from './failover.ts'
import { keepsConnection } from './failure.ts'
import { hostsOf } from './hosts.ts'
import { loadPg } from './load-pg.ts'
import type { PostgresRow } from './rows.ts'

/** Anything that runs a statement: a pool or a client of `pg`, or a compatible object. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly object[] }>
}

export interface PostgresConnection {
  query(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]>
  /** The same with a prepared statement. For writes, which take longer to plan than to run. */
  queryPrepared(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]>
  /** Names the server, without secrets. */
  readonly place: string
  /** Whether there are several servers, one of which is used. */
  readonly failsOver?: boolean
  end(): Promise<void>
}

export interface PostgresConnectOptions {
  /** The maximum number of connections, if the store opens them itself. */
  readonly connections: number
  readonly reconnectMs: number
  /** Use prepared statements for writes. */
  readonly prepare: boolean
  readonly readOnly: boolean
}

/** Opens a pool for a connection string. A pool that the caller passes is not closed here. */
export async function connectPostgres(
  location: string | { pool: Queryable },
  options: PostgresConnectOptions,
): Promise<PostgresConnection> {
  if (typeof location !== 'string')
    return { ...runnersOf(location.pool, location.pool), place: 'PostgreSQL', end: async () => {} }
  const { urls, attrs } = hostsOf(location)
  const { Client, Pool } = await loadPg()
  for (const url of urls) checkString(() => new Client(url))
  const pools = urls.map(
    url => new Pool(poolOptions(url, options, urls.length > 1 ? otherHostMs : Number.POSITIVE_INFINITY)),
  )
  for (const pool of pools) {
    // Without a listener, an idle connection that dies would end the process. The next statement gets a new connection.
    pool.on('error', () => {})
    // A connection that dies while it is used also rejects its statement.
    pool.on('connect', client => client.on('error', () => {}))
  }
  const lender = lenderOf(pools, () => sessionAttrsFor(attrs, options.readOnly))
  const keeping: Nameable = { query: statement => queryKeepingConnection(lender, statement) }
  const unnamed: Queryable = { query: (text, values) => keeping.query({ text, values }) }
  const runners = runnersOf(unnamed, options.prepare ? prepared(keeping) : unnamed)
  const place = `PostgreSQL at ${urls.map(serverOf).join(' or ')}`
  return { ...runners, place, failsOver: urls.length > 1, end: () => lender.end() }
}

function lenderOf(pools: readonly Pool[], attrs: () => ReturnType<typeof sessionAttrsFor>): Lender {
  const [pool, ...others] = pools
  if (!pool || others.length > 0) return new FailoverPool(pools, attrs(), roleMs)
  return { connect: () => pool.connect(), failed: () => {}, end: () => pool.end() }
}

function runnersOf(
  forQuestions: Queryable,
  forTransitions: Queryable,
): Pick<PostgresConnection, 'query' | 'queryPrepared'> {
  const runner = (queryable: Queryable): PostgresConnection['query'] => {
    return async (text, values) => (await queryable.query(text, [...values])).rows as readonly PostgresRow[]
  }
  return { query: runner(forQuestions), queryPrepared: runner(forTransitions) }
}

/** pool.query closes the connection after every error. Most errors only refuse a statement, so it is kept here. */
async function queryKeepingConnection(
  lender: Lender,
  statement: Parameters<Nameable['query']>[0],
): ReturnType<Nameable['query']> {
  const client = await lender.connect()
  let broken: Error | undefined
  try {
    return await client.query(statement)
  } catch (error) {
    if (!keepsConnection(error)) {
      broken = error as Error
      lender.failed()
    }
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Gives statements names, so that the server keeps their plans (prepared statements). With a pooler in transaction mode a name
 * may be unknown or taken; the server reports that before it runs the statement, and from then on no names are used. Each name
 * takes memory in every connection, so only the first distinct statements get one.
 */
export function prepared(pool: Nameable): Queryable {
  const names = new Map<string, string>()
  let isNaming = true
  return {
    query: async (text, values) => {
      if (names.size < namesMax && !names.has(text)) names.set(text, nameOf(text))
      const name = isNaming ? names.get(text) : undefined
      if (name === undefined) return pool.query({ text, values })
      try {
        return await pool.query({ text, values, name })
      } catch (error) {
        if (!isAboutNames(error)) throw error
        isNaming = false
        return pool.query({ text, values })
      }
    },
  }
}

/** Runs statements that may have a name. */
export interface Nameable {
  query(statement: { text: string; values: unknown[]; name?: string }): ReturnType<Queryable['query']>
}

/** The same name for the same text in every process: with a pooler, another process may have prepared it. */
const nameOf = (text: string): string =>
  `antiphon_${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`

/** The name is unknown or taken, or its plan no longer fits the tables. */
const isAboutNames = (error: unknown): boolean =>
  ['26000', '42P05', '0A000'].includes(String((Object(error) as { code?: unknown }).code))

const namesMax = 100

function poolOptions(
  connectionString: string,
  { connections, reconnectMs }: PostgresConnectOptions,
  connectMs: number,
) {
  return {
    ...{ connectionString, max: connections, keepAlive: true, fallback_application_name: 'antiphon' },
    // Without timeouts a network that drops all packets would be waited for without end.
    ...{ connectionTimeoutMillis: Math.min(Math.max(reconnectMs, 1_000), connectMs), query_timeout: answerMs },
  }
}

/** With several hosts, how long to wait for a connection to one of them. */
const otherHostMs = 5_000

/** How long to wait for a server to say whether it is the primary, while others have said so. */
const roleMs = 3_000

/** A server that has not answered a statement for this long counts as lost. */
const answerMs = 60_000

/**
 * Parses the connection string early; a pool would do it only when it connects. Neither the string nor an error that quotes it
 * is repeated, because it may contain a password. The error of a file that the string names quotes only its path.
 */
export function checkString(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    const { syscall, message } = Object(error) as { syscall?: unknown; message?: unknown }
    if (syscall !== undefined)
      throw new AntiphonError(
        'journal-unreachable',
        `a file named in the connection string cannot be read: ${message}`,
        {
          hint: 'check sslrootcert, sslcert and sslkey',
        },
      )
    throw new AntiphonError('journal-unreachable', 'the PostgreSQL connection string cannot be parsed', {
      hint: 'write it as postgres://user:password@host:5432/database, with %40 for an @ in the password and %2F for a /',
    })
  }
}

/** If an `@` follows, the parsed host is part of the password, which contains a `/`, a `?` or a `#`. */
export function serverOf(location: string): string {
  if (!URL.canParse(location)) return unnamedPlace
  const { host, pathname, search, hash } = new URL(location)
  return `${pathname}${search}${hash}`.includes('@') ? unnamedPlace : `${host}${pathname}`
}

const unnamedPlace = 'the given address'
