import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Client, Pool } from 'pg'
import { AntiphonError } from '../../../core/errors.ts'
import { checkString, type Queryable, serverOf } from '../../stores/postgres/connect.ts'
import { keepsConnection } from '../../stores/postgres/failure.ts'
import { hostsOf } from '../../stores/postgres/hosts.ts'
import { loadPg } from '../../stores/postgres/load-pg.ts'
import { role } from '../../stores/postgres/statements.ts'
import {
  type Batch,
  type ConnectionEvents,
  deferred,
  ReconnectingTransport,
  type TransportConnection,
} from '../reconnecting-transport.ts'
import type { LiveTransport } from '../transport.ts'

export interface PostgresTransportOptions {
  /** The schema of the journal, by default the first of the search path. Journals in other schemas do not receive its texts. */
  readonly schema?: string | undefined
}

/** `LISTEN` and `NOTIFY` of PostgreSQL, on one connection of its own that stays open. */
export async function postgresTransport(
  location: string | { readonly pool: Queryable },
  { schema }: PostgresTransportOptions = {},
): Promise<LiveTransport> {
  const { place, clients } = await clientsFor(location)
  return new ReconnectingTransport({
    name: `LISTEN at ${place}`,
    isFinal: isUnsupported,
    connect: events => connect(clients, schema, events),
  })
}

/** Makes clients that are not connected yet: one for each host. */
type MakeClients = () => Client[]

async function clientsFor(
  location: string | { readonly pool: Queryable },
): Promise<{ place: string; clients: MakeClients }> {
  if (typeof location !== 'string') {
    const { Client, options } = location.pool as Partial<Pool & { Client: typeof import('pg').Client }>
    if (typeof Client !== 'function' || options === undefined)
      throw new AntiphonError('wrong-option', 'live: true needs a pool of the package pg, or a connection string', {
        hint: "pass the address of the server: live: 'postgres://user:password@host:5432/database'",
      })
    return { place: 'PostgreSQL', clients: () => [new Client({ ...settings, ...options, password: options.password })] }
  }
  const { urls } = hostsOf(location)
  const { Client } = await loadPg()
  for (const url of urls) checkString(() => new Client(url))
  return {
    place: `PostgreSQL at ${urls.map(serverOf).join(' or ')}`,
    clients: () => urls.map(connectionString => new Client({ ...settings, connectionString })),
  }
}

async function connect(
  makeClients: MakeClients,
  schema: string | undefined,
  events: ConnectionEvents,
): Promise<TransportConnection> {
  const { client, others } = await connectToPrimary(makeClients())
  for (const other of others) void end(other)
  let connection: TransportConnection | undefined
  try {
    const [known] = (await client.query(identity)).rows
    connection = new PostgresConnection(client, schema ?? String(known?.schema), events)
    // Through a pooler, the client was given another process id than that of the server.
    if (known?.pid !== (client as { processID?: unknown }).processID) await assertListens(client, makeClients)
    return connection
  } catch (error) {
    void (connection ? connection.close() : end(client))
    throw error
  }
}

/** Of two servers that accept writes, the one with the higher timeline was promoted last. */
async function connectToPrimary(clients: readonly Client[]): Promise<{ client: Client; others: readonly Client[] }> {
  for (const client of clients) client.on('error', () => {})
  const answers = await Promise.allSettled(
    clients.map(async client => {
      await client.connect()
      socketOf(client)?.unref()
      if (clients.length === 1) return { client, timeline: 0 }
      const [row] = (await client.query(role)).rows as { standby: boolean; wal: string | null }[]
      return {
        client,
        timeline: !row || row.standby || row.wal === null ? -1 : Number.parseInt(row.wal.slice(0, 8), 16),
      }
    }),
  )
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  const [best] = found.filter(({ timeline }) => timeline >= 0).sort((one, other) => other.timeline - one.timeline)
  if (best) return { client: best.client, others: clients.filter(client => client !== best.client) }
  for (const client of clients) void end(client)
  const failed = answers.find(answer => answer.status === 'rejected')
  throw failed?.reason ?? new Error('none of the servers accepts writes')
}

class PostgresConnection implements TransportConnection {
  readonly #client: Client
  readonly #schema: string
  /** The channels of the caller by their names in the database. */
  readonly #channels = new Map<string, string>()
  readonly #ping: ReturnType<typeof setInterval>

  constructor(client: Client, schema: string, events: ConnectionEvents) {
    this.#client = client
    this.#schema = schema
    client.on('notification', ({ channel, payload = '' }) => {
      const name = this.#channels.get(channel)
      if (name !== undefined) events.receive(name, payload)
    })
    client.on('error', error => events.broken(error))
    client.on('end', () => events.broken(new Error('the connection has ended')))
    // Detects a network that drops all packets.
    this.#ping = setInterval(() => client.query('SELECT 1').catch(error => events.broken(error)), pingMs)
    this.#ping.unref()
  }

  async send({ subscribe, unsubscribe, texts }: Batch): Promise<void> {
    const statements = [
      ...subscribe.map(channel => `LISTEN ${this.#learn(channel)}`),
      ...unsubscribe.map(channel => `UNLISTEN ${this.#forget(channel)}`),
    ]
    // In one query string they are one transaction and one round trip.
    if (statements.length > 0) await this.#client.query(statements.join(';'))
    if (texts.length === 0) return
    const channels = texts.map(({ channel }) => channelName(this.#schema, channel))
    const payloads = texts.map(({ text }) => text)
    try {
      await this.#client.query(notify, [channels, payloads])
    } catch (error) {
      if (!keepsConnection(error)) throw error
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#ping)
    await end(this.#client)
  }

  #learn(channel: string): string {
    const name = channelName(this.#schema, channel)
    this.#channels.set(name, channel)
    return name
  }

  #forget(channel: string): string {
    const name = channelName(this.#schema, channel)
    this.#channels.delete(name)
    return name
  }
}

/** The same in every process, short enough for PostgreSQL, and valid without quotes. */
const channelName = (schema: string, channel: string): string =>
  `antiphon_${createHash('sha256')
    .update(JSON.stringify([schema, channel]))
    .digest('hex')
    .slice(0, 40)}`

/** A pooler in transaction mode accepts LISTEN but delivers no notifications. A second connection sends one to find out. */
async function assertListens(client: Client, makeClients: MakeClients): Promise<void> {
  const channel = `antiphon_probe_${createHash('sha256')
    .update(crypto.getRandomValues(new Uint8Array(16)))
    .digest('hex')
    .slice(0, 40)}`
  const { client: other, others } = await connectToPrimary(makeClients())
  for (const each of others) void end(each)
  try {
    const { promise: heard, resolve } = deferred<boolean>()
    const listener = (message: { channel: string }): void => {
      if (message.channel === channel) resolve(true)
    }
    client.on('notification', listener)
    await client.query(`LISTEN ${channel}`)
    await other.query('SELECT pg_notify($1, $2)', [channel, ''])
    const timer = setTimeout(() => resolve(false), probeMs)
    const isHeard = await heard
    clearTimeout(timer)
    client.removeListener('notification', listener)
    if (!isHeard) throw pooledError()
    await client.query(`UNLISTEN ${channel}`)
  } finally {
    await end(other)
  }
}

const pooledError = (): AntiphonError =>
  new AntiphonError('live-unsupported', 'the connection goes through a pooler that does not support LISTEN', {
    hint: "pass the address of the server itself: live: 'postgres://user:password@server:5432/database'",
  })

/** Whether an error says that the pooler or the server does not support LISTEN and NOTIFY. */
const isUnsupported = (error: unknown): boolean =>
  (AntiphonError.is(error) && error.code === 'live-unsupported') ||
  /^(0A000|42601|42883)$/.test(String((Object(error) as { code?: unknown }).code))

/** Never waits long for a server that is gone. */
async function end(client: Client): Promise<void> {
  const timer = setTimeout(() => socketOf(client)?.destroy(), endMs)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** The types of pg do not declare it. */
const socketOf = (client: Client): Socket | undefined =>
  (client as unknown as { connection?: { stream?: Socket } }).connection?.stream

const identity = 'SELECT pg_backend_pid() AS pid, current_schema() AS schema'

const notify = 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS published(channel, payload)'

const settings = {
  ...{ keepAlive: true, fallback_application_name: 'antiphon' },
  ...{ connectionTimeoutMillis: 5_000, query_timeout: 10_000 },
}

const pingMs = 60_000
const probeMs = 3_000
const endMs = 500
