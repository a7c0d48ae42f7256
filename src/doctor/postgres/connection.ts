import type { Duplex } from 'node:stream'
import { loadPg } from '../../journal/stores/postgres/load-pg.ts'
import { addressWithoutPassword } from '../address.ts'
import { fileError } from '../files/file-error.ts'
import { isUrl } from '../peek.ts'

/**
 * One connection to the database of a program. Values are read as the server writes them, so that they can be written back
 * unchanged.
 */
export interface Connection {
  /** Its address, without the password. */
  readonly place: string
  query(text: string, values: readonly unknown[]): Promise<Record<string, string | null>[]>
  end(): Promise<void>
}

/** The tables that a program needs, and what to say if they do not exist. */
export interface RequiredTables {
  readonly tables: readonly string[]
  readonly missing: string
}

/** Connects, and checks that the tables exist. Throws a one-line error otherwise. */
export async function connect(address: string, required?: RequiredTables): Promise<Connection> {
  const place = addressWithoutPassword(address)
  if (!isUrl(address)) throw fileError(place, 'it is not the address of a database server')
  const { Client } = await loadPg(`${place}: this`)
  const client = attempt(place, () => {
    const types = { getTypeParser: () => (value: string) => value }
    return new Client({
      connectionString: address,
      types: types as never,
      connectionTimeoutMillis: 10_000,
      query_timeout: 60_000,
      fallback_application_name: 'antiphon',
    })
  })
  client.on('error', () => {})
  const connection: Connection = {
    place,
    query: async (text, values) => {
      try {
        return (await client.query(text, [...values])).rows
      } catch (error) {
        throw fileError(place, serverReason(error))
      }
    },
    end: () => client.end(),
  }
  try {
    await client.connect()
  } catch (error) {
    throw fileError(place, serverReason(error), 'is the server running, and are name and password right?')
  }
  endAtUnreadable(client)
  try {
    await prepare(connection, required)
  } catch (error) {
    await client.end()
    throw error
  }
  return connection
}

/**
 * A value that is longer than a string can be makes the parser throw where nothing catches it. That ends the connection
 * instead of the process.
 */
function endAtUnreadable(client: object): void {
  const { connection } = client as { readonly connection?: { readonly stream?: Duplex } }
  const stream = connection?.stream
  for (const read of stream?.listeners('data') ?? []) {
    stream?.off('data', read as () => void)
    stream?.on('data', chunk => {
      try {
        read.call(stream, chunk)
      } catch (error) {
        stream.destroy(error as Error)
      }
    })
  }
}

/** Runs changes in a transaction, with these tables locked against other writers. */
export async function inTransaction(
  connection: Connection,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const run = (text: string) => connection.query(text, [])
  let isCommitting = false
  await run('begin')
  try {
    await run("set local lock_timeout = '2s'")
    await run(`lock table ${tables.join(', ')} in share row exclusive mode`)
    await work()
    isCommitting = true
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => {})
    if (isCommitting) unanswered.add(error as Error)
    throw error
  }
}

/** Errors of commits: the server may have made the changes before its answer was lost. */
const unanswered = new WeakSet<Error>()

/** Whether the changes may have been made although there was this error. */
export const mayBeCommitted = (error: unknown): boolean => error instanceof Error && unanswered.has(error)

async function prepare(connection: Connection, required: RequiredTables | undefined): Promise<void> {
  const { query, place } = connection
  await query("set timezone = 'UTC'", [])
  await query("set datestyle = 'ISO, YMD'", [])
  if (required && !(await hasTables(connection, required.tables))) throw fileError(place, required.missing)
}

/** Whether all of these tables exist. */
export async function hasTables({ query }: Connection, tables: readonly string[]): Promise<boolean> {
  const found = await query('select to_regclass(name) as found from unnest($1::text[]) as name', [tables])
  return found.every(row => row.found !== null)
}

/** Another connection of the same user to the same database: a running program. */
export async function otherProgram({ query }: Connection): Promise<string | undefined> {
  const [found] = await query(
    `select pid, coalesce(nullif(application_name, ''), host(client_addr), 'unnamed') as name from pg_stat_activity
     where datname = current_database() and usename = current_user and backend_type = 'client backend'
       and pid <> pg_backend_pid() and application_name <> 'antiphon' order by pid limit 1`,
    [],
  )
  return found && `another program is connected to the database (connection ${found.pid}, ${found.name})`
}

/** The error for an unreadable address quotes it, with the password. */
function attempt<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch {
    throw fileError(place, 'it cannot be read', 'write it as postgres://user:password@host:5432/database')
  }
}

/** Why a server failed. Its own message may quote rows, so that only its SQLSTATE is added in parentheses. */
function serverReason(error: unknown): string {
  const { code, message, severity } = Object(error) as { code?: unknown; message?: unknown; severity?: unknown }
  const [detail = ''] = String(message ?? '').split('\n', 1)
  if (detail.includes('password must be a string')) return 'it asks for a password'
  const reason = typeof code === 'string' ? reasons[code] : undefined
  if (reason !== undefined) return reason
  if (severity !== undefined) return `the server reports an error (SQLSTATE ${code})`
  if (/timeout/i.test(detail)) return 'the server does not answer in time'
  if (/terminated|ECONNRESET|EPIPE/.test(`${detail} ${code}`)) return 'the server ended the connection'
  return `the server reports an error (${detail || String(code ?? error)})`
}

const reasons: Record<string, string | undefined> = {
  '55P03': 'it is being written to, so it was left as it is',
  '40P01': 'it is being written to, so it was left as it is',
  '42501': 'permission denied',
  '28000': 'the server rejects this user',
  '28P01': 'the password is wrong',
  '3D000': 'there is no such database',
  '53100': 'the disk of the server is full',
  '53300': 'the server has too many connections',
  '57014': 'the server cancelled a statement, because of its statement_timeout or on request',
  '57P01': 'the server is shutting down',
  '57P03': 'the server is starting or shutting down',
  '25006': 'the server is read-only',
  ERR_STRING_TOO_LONG: 'a value in it has more than 512 MB',
  ECONNREFUSED: 'no server is there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'the server does not answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
}
