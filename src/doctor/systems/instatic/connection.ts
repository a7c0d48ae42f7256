import { AntiphonError } from '../../../core/errors.ts'
import { placeOf } from '../../address.ts'
import { unreadable, wordsOf } from '../../files/file-error.ts'

/** One connection to the database of a site. Values come as the server writes them, so that they can go back unchanged. */
export interface Connection {
  /** Its address, without what is secret. */
  readonly place: string
  query(text: string, values: readonly unknown[]): Promise<Record<string, string | null>[]>
  end(): Promise<void>
}

/** Connects, and makes sure that the tables are there. Throws in one clear line otherwise. */
export async function connect(address: string): Promise<Connection> {
  const place = placeOf(address)
  const { Client } = await loadPg(place)
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
        throw unreadable(place, reasonOf(error))
      }
    },
    end: () => client.end(),
  }
  try {
    await client.connect()
  } catch (error) {
    throw unreadable(place, reasonOf(error), 'is the server running, and are name and password right?')
  }
  try {
    await prepare(connection)
  } catch (error) {
    await client.end()
    throw error
  }
  return connection
}

/** Runs changes that are seen all at once or not at all. Nobody else writes messages meanwhile. */
export async function inTransaction(connection: Connection, work: () => Promise<void>): Promise<void> {
  const run = (text: string) => connection.query(text, [])
  await run('begin')
  try {
    await run("set local lock_timeout = '2s'")
    await run('lock table ai_messages in share row exclusive mode')
    await work()
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => {})
    throw error
  }
}

async function prepare({ query, place }: Connection): Promise<void> {
  await query("set timezone = 'UTC'", [])
  await query("set datestyle = 'ISO, YMD'", [])
  const names = ['ai_conversations', 'ai_messages', 'ai_provider_credentials']
  const found = await query('select to_regclass(name) as found from unnest($1::text[]) as name', [names])
  if (found.some(row => row.found === null)) throw unreadable(place, 'it has no chats of Instatic')
}

/** The error of an address that cannot be read quotes it, with the password. */
function attempt<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch {
    throw unreadable(place, 'it cannot be read', 'write it as postgres://user:password@host:5432/database')
  }
}

async function loadPg(place: string): Promise<Pick<typeof import('pg'), 'Client'>> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new AntiphonError('missing-package', `${place}: this needs the package pg, which is not installed`, {
      hint: 'run: npm install pg',
      cause,
    })
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as { code?: string }
  const words = wordsOf(error)
  if (words.includes('password must be a string')) return 'it asks for a password'
  return (code !== undefined && reasons[code]) || words || String(code ?? 'it does not answer')
}

const reasons: Record<string, string | undefined> = {
  '55P03': 'it is being written to, so it was left as it is',
  '40P01': 'it is being written to, so it was left as it is',
  '42501': 'permission denied',
  '28P01': 'the password is wrong',
  '3D000': 'there is no such database',
  ECONNREFUSED: 'no server is there',
  ENOTFOUND: 'there is no such host',
}
