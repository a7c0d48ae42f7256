import type { Pool } from 'pg'
import { AntiphonError } from '../../errors.ts'
import type { Row } from './rows.ts'

/** Anything that runs a statement: a pool or a client of `pg`, or what looks like one. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly object[] }>
}

export interface Connection {
  query(text: string, values: readonly unknown[]): Promise<readonly Row[]>
  /** Names the server, without a word of what is secret. */
  readonly place: string
  end(): Promise<void>
}

export interface ConnectOptions {
  /** How many connections there are at most, if the store opens them itself. */
  readonly connections: number
  readonly reconnectMs: number
  /** Has the server keep the plans of statements, connection by connection. */
  readonly prepare: boolean
}

/** A pool of its own for a connection string; what the caller has opened it does not close. */
export async function connect(where: string | { pool: Queryable }, options: ConnectOptions): Promise<Connection> {
  if (typeof where !== 'string') return connectionOf(where.pool, 'PostgreSQL', async () => {})
  const { Client, Pool } = await loadPg()
  checkString(() => new Client(where))
  const pool = new Pool(poolOptions(where, options))
  // An idle connection that dies tells the pool, and would end the process if nobody listened. The next statement gets a new one.
  pool.on('error', () => {})
  return connectionOf(options.prepare ? prepared(pool) : pool, `PostgreSQL at ${placeOf(where)}`, () => pool.end())
}

function connectionOf(queryable: Queryable, place: string, end: () => Promise<void>): Connection {
  return {
    place,
    end,
    query: async (text, values) => (await queryable.query(text, [...values])).rows as readonly Row[],
  }
}

/** Gives names to the first shapes of statements that come along. A name that is prepared takes memory in every connection. */
function prepared(pool: Pool): Queryable {
  const names = new Map<string, string>()
  return {
    query: (text, values) => {
      if (names.size < namesMax && !names.has(text)) names.set(text, `antiphon_${names.size + 1}`)
      const name = names.get(text)
      return pool.query({ text, values, ...(name !== undefined && { name }) })
    },
  }
}

const namesMax = 100

function poolOptions(connectionString: string, { connections, reconnectMs }: ConnectOptions) {
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
 * quotes it: there may be a password in it.
 */
function checkString(read: () => unknown): void {
  try {
    read()
  } catch {
    throw new AntiphonError('journal-unreachable', 'the connection string of PostgreSQL cannot be read', {
      hint: 'Write it as postgres://user:password@host:5432/database, with %40 for an @ in the password.',
    })
  }
}

function placeOf(where: string): string {
  if (!URL.canParse(where)) return 'the given address'
  const { host, pathname } = new URL(where)
  return `${host}${pathname}`
}
