import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { AntiphonError } from '../../../core/errors.ts'
import { keepsConnection } from './failure.ts'
import type { PostgresRow } from './rows.ts'

/** Anything that runs a statement: a pool or a client of `pg`, or what looks like one. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly object[] }>
}

export interface PostgresConnection {
  query(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]>
  /** The same for a transition. The server may keep its plan: it takes longer to plan than to carry out. */
  queryPrepared(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]>
  /** Names the server, without a word of what is secret. */
  readonly place: string
  end(): Promise<void>
}

export interface PostgresConnectOptions {
  /** How many connections there are at most, if the store opens them itself. */
  readonly connections: number
  readonly reconnectMs: number
  /** Has the server keep the plans of transitions, connection by connection. */
  readonly prepare: boolean
}

/** A pool of its own for a connection string; what the caller has opened it does not close. */
export async function connectPostgres(
  where: string | { pool: Queryable },
  options: PostgresConnectOptions,
): Promise<PostgresConnection> {
  if (typeof where !== 'string')
    return { ...runnersOf(where.pool, where.pool), place: 'PostgreSQL', end: async () => {} }
  const { Client, Pool } = await loadPg()
  checkString(() => new Client(where))
  const pool = new Pool(poolOptions(where, options))
  // An idle connection that dies tells the pool, and would end the process if nobody listened. The next statement gets a new one.
  pool.on('error', () => {})
  // One that dies while it is used tells its statement as well.
  pool.on('connect', client => client.on('error', () => {}))
  const keeping: Nameable = { query: statement => queryKeepingConnection(pool, statement) }
  const unnamed: Queryable = { query: (text, values) => keeping.query({ text, values }) }
  const runners = runnersOf(unnamed, options.prepare ? prepared(keeping) : unnamed)
  return { ...runners, place: `PostgreSQL at ${placeOf(where)}`, end: () => pool.end() }
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

/** The pool itself closes a connection after every error, and most of them only say that a statement was refused. */
async function queryKeepingConnection(
  pool: Pool,
  statement: Parameters<Nameable['query']>[0],
): ReturnType<Nameable['query']> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await client.query(statement)
  } catch (error) {
    if (!keepsConnection(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Gives statements names, so that the server keeps their plans. Behind a pooler that hands out connections by the transaction
 * a name may be unknown or taken; the server says so before it carries anything out, and from then on there are no names. A
 * name that is prepared takes memory in every connection, so only the first shapes of statements that come along have one.
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

/** What runs statements that have names. */
export interface Nameable {
  query(statement: { text: string; values: unknown[]; name?: string }): ReturnType<Queryable['query']>
}

/** One name for one text, whoever prepares it: behind a pooler, others may have prepared it before. */
const nameOf = (text: string): string =>
  `antiphon_${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`

/** The name is not there, or there already, or its plan no longer fits the tables. */
const isAboutNames = (error: unknown): boolean =>
  ['26000', '42P05', '0A000'].includes(String((Object(error) as { code?: unknown }).code))

const namesMax = 100

function poolOptions(connectionString: string, { connections, reconnectMs }: PostgresConnectOptions) {
  return {
    ...{ connectionString, max: connections, keepAlive: true, fallback_application_name: 'antiphon' },
    // A network that swallows everything would be waited for without end.
    ...{ connectionTimeoutMillis: Math.max(reconnectMs, 1_000), query_timeout: answerMs },
  }
}

/** Who does not answer a statement for that long is gone. */
const answerMs = 60_000

async function loadPg(): Promise<Pick<typeof import('pg'), 'Client' | 'Pool'>> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new AntiphonError('no-package', 'a journal in PostgreSQL needs the package pg, which is not installed', {
      hint: 'Run: npm install pg',
      cause,
    })
  }
}

/**
 * A pool reads the connection string only when it connects. What cannot be read is not repeated, nor is the error that
 * quotes it: there may be a password in it. The error of a file that the string names quotes only its path.
 */
function checkString(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    const { syscall, message } = Object(error) as { syscall?: unknown; message?: unknown }
    if (syscall !== undefined)
      throw new AntiphonError('journal-unreachable', `the connection string names a file that is no use: ${message}`, {
        hint: 'Check sslrootcert, sslcert and sslkey.',
      })
    throw new AntiphonError('journal-unreachable', 'the connection string of PostgreSQL cannot be read', {
      hint: 'Write it as postgres://user:password@host:5432/database, with %40 for an @ in the password and %2F for a /.',
    })
  }
}

/** With an `@` behind it, what reads as the host is none: the password has a `/`, a `?` or a `#` in it, and stands there. */
function placeOf(where: string): string {
  if (!URL.canParse(where)) return unnamedPlace
  const { host, pathname, search, hash } = new URL(where)
  return `${pathname}${search}${hash}`.includes('@') ? unnamedPlace : `${host}${pathname}`
}

const unnamedPlace = 'the given address'
