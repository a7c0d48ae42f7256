import type { Redis, RedisOptions } from 'ioredis'
import { AntiphonError } from '../../../core/errors.ts'
import {
  type Batch,
  type ConnectionEvents,
  ReconnectingTransport,
  type TransportConnection,
} from '../reconnecting-transport.ts'
import type { LiveTransport } from '../transport.ts'

/** Channels of a Redis or Valkey server, at `redis://[user:password@]host[:port][/database]` or `rediss://...` for TLS. */
export async function redisTransport(address: string): Promise<LiveTransport> {
  const { host, database } = readAddress(address)
  const { Redis } = await loadRedis()
  return new ReconnectingTransport({
    name: `Redis at ${host}`,
    connect: async events => {
      const connection = new RedisConnection(new Redis(address, settings), database, events)
      try {
        await connection.connect()
        return connection
      } catch (error) {
        await connection.close()
        throw error
      }
    },
  })
}

/** Neither the address nor an error that quotes it is repeated, because it may contain a password. */
function readAddress(address: string): { host: string; database: string } {
  if (!URL.canParse(address))
    throw new AntiphonError('wrong-option', 'the address of Redis cannot be parsed', {
      hint: 'write it as redis://user:password@host:6379/0, with %40 for an @ in the password and %2F for a /',
    })
  const { hostname, port, pathname } = new URL(address)
  return { host: `${hostname}:${port || 6379}`, database: pathname.slice(1) || '0' }
}

/** Two connections: in the protocol that all versions support, a connection that subscribes can do nothing else. */
class RedisConnection implements TransportConnection {
  readonly #publisher: Redis
  readonly #subscriber: Redis
  readonly #prefix: string
  readonly #ping: ReturnType<typeof setInterval>
  #error: unknown

  constructor(publisher: Redis, database: string, events: ConnectionEvents) {
    this.#publisher = publisher
    this.#subscriber = publisher.duplicate()
    // Channels are common to all databases of a server.
    this.#prefix = `antiphon:${database}:`
    for (const client of this.#clients) {
      client.on('error', error => {
        this.#error = error
      })
      client.on('end', () => events.broken(this.#error ?? new Error('the connection has ended')))
    }
    this.#subscriber.on('message', (channel, text) => {
      if (channel.startsWith(this.#prefix)) events.receive(channel.slice(this.#prefix.length), text)
    })
    // Detects a network that drops all packets.
    this.#ping = setInterval(() => {
      for (const client of this.#clients) client.ping().catch(() => client.disconnect())
    }, pingMs)
    this.#ping.unref()
  }

  get #clients(): readonly Redis[] {
    return [this.#publisher, this.#subscriber]
  }

  async connect(): Promise<void> {
    try {
      await Promise.all(this.#clients.map(client => client.connect()))
    } catch (error) {
      // This error says only that the connection is closed. The error event before it says why.
      throw this.#error ?? error
    }
    for (const { stream } of this.#clients) stream.unref()
  }

  async send({ subscribe, unsubscribe, texts }: Batch): Promise<void> {
    const named = (channel: string): string => this.#prefix + channel
    if (subscribe.length > 0) await this.#subscriber.subscribe(...subscribe.map(named))
    if (unsubscribe.length > 0) await this.#subscriber.unsubscribe(...unsubscribe.map(named))
    const commands = texts.map(({ channel, text }) => ['publish', named(channel), text])
    if (commands.length > 0) await this.#publisher.pipeline(commands).exec()
  }

  async close(): Promise<void> {
    clearInterval(this.#ping)
    for (const client of this.#clients) client.disconnect()
  }
}

async function loadRedis(): Promise<Pick<typeof import('ioredis'), 'Redis'>> {
  try {
    return await import('ioredis')
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new AntiphonError('missing-package', 'live over Redis needs the package ioredis, which is not installed', {
      hint: 'run: npm install ioredis',
      cause,
    })
  }
}

/** A connection is used until it breaks: `ReconnectingTransport` opens the next one, and has the only queue. */
const settings = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 5_000,
  commandTimeout: 5_000,
} satisfies RedisOptions

const pingMs = 10_000
