import { AntiphonError } from '../../core/errors.ts'
import { type JournalLocation, type StoreOptions, sqliteFileOf, storeNameOf } from '../stores/open-store.ts'
import type { Store } from '../stores/store.ts'
import type { LiveTransport } from './transport.ts'

/**
 * `true` uses the database of the journal: LISTEN and NOTIFY of PostgreSQL, or a socket next to an SQLite file. An address uses another server:
 * `redis://...` (Redis or Valkey) or `postgres://...`.
 */
export type LiveOption = boolean | string | LiveTransport

/** The transport that an option selects. It is not started yet. */
export async function openTransport(
  live: LiveOption | undefined,
  location: JournalLocation | Store,
  options: StoreOptions,
): Promise<LiveTransport | undefined> {
  if (live === undefined || live === false) return undefined
  if (typeof live === 'object') return live
  if (live !== true) return transportAt(live, options)
  if (typeof location === 'object' && 'write' in location)
    throw new AntiphonError('wrong-option', 'live: true cannot be used with a store object, whose address is unknown', {
      hint: "pass an address, live: 'redis://...', or a transport",
    })
  // All shards use the first one.
  if (typeof location === 'object' && 'shards' in location)
    return location.shards[0] === undefined ? undefined : openPostgresTransport(location.shards[0], options)
  if (typeof location === 'object' || storeNameOf(location) === 'postgres')
    return openPostgresTransport(location, options)
  const file = fileOf(sqliteFileOf(location) ?? '')
  if (file === '' || file === ':memory:') return undefined
  return (await import('./transports/socket.ts')).socketTransport(file)
}

/** SQLite reads names that begin with `file:` as URIs. A `%` that is not followed by two digits stays. */
const fileOf = (name: string): string => {
  const [, path] = /^file:(?:\/\/[^/]*)?([^?#]*)/.exec(name) ?? []
  return path === undefined ? name : path.replace(/(?:%[\da-f]{2})+/gi, decodeBytes)
}

const decodeBytes = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(text.slice(1).split('%'), digits => Number.parseInt(digits, 16)))

async function transportAt(address: string, options: StoreOptions): Promise<LiveTransport> {
  if (/^postgres(ql)?:/i.test(address)) return openPostgresTransport(address, options)
  if (/^rediss?:/i.test(address)) return (await import('./transports/redis.ts')).redisTransport(address)
  throw new AntiphonError(
    'wrong-option',
    'unknown address of a live transport (not shown: it may contain a password)',
    {
      hint: "use live: true, or an address: live: 'redis://...' or live: 'postgres://...'",
    },
  )
}

const openPostgresTransport: typeof import('./transports/postgres.ts').postgresTransport = async (location, options) =>
  (await import('./transports/postgres.ts')).postgresTransport(location, options)
