import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AntiphonError } from '../../../core/errors.ts'
import { type Batch, type Link, type LinkEvents, LinkedTransport } from '../linked-transport.ts'
import type { LiveTransport } from '../transport.ts'
import { type Reply, ReplyParser } from './redis-replies.ts'

/** Channels of a Redis or Valkey server, at `redis://[user:password@]host[:port][/database]` or `rediss://...` for TLS. */
export function redisTransport(address: string): LiveTransport {
  const server = readAddress(address)
  return new LinkedTransport({
    name: `Redis at ${server.host}:${server.port}`,
    isFinal: error => AntiphonError.is(error) && error.code === 'live-unsupported',
    connect: events => connect(server, events),
  })
}

interface RedisServer {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  readonly user: string
  readonly password: string
  /** Channels are common to all databases of a server, so it is part of their names. */
  readonly database: string
}

/** Neither the address nor an error that quotes it is repeated, because it may contain a password. */
function readAddress(address: string): RedisServer {
  if (!URL.canParse(address))
    throw new AntiphonError('wrong-option', 'the address of Redis cannot be parsed', {
      hint: 'write it as redis://user:password@host:6379/0, with %40 for an @ in the password and %2F for a /',
    })
  const { protocol, hostname, port, username, password, pathname } = new URL(address)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 6379),
    isSecure: protocol === 'rediss:',
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || '0',
  }
}

async function connect(server: RedisServer, events: LinkEvents): Promise<Link> {
  const link = new RedisLink(server, events)
  try {
    await link.ready()
    return link
  } catch (error) {
    await link.close()
    throw error
  }
}

/** One connection, which also hears: that needs the protocol of Redis 6. */
class RedisLink implements Link {
  readonly #server: RedisServer
  readonly #socket: Socket
  readonly #prefix: string
  /** Answers come in the order of the commands. */
  readonly #waiting: { resolve(reply: Reply): void; reject(error: unknown): void }[] = []
  readonly #ping: ReturnType<typeof setInterval>
  #broken: unknown

  constructor(server: RedisServer, events: LinkEvents) {
    const { host, port, isSecure, database } = server
    this.#server = server
    this.#prefix = `antiphon:${database}:`
    this.#socket = isSecure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
    this.#socket.setNoDelay(true)
    this.#socket.unref()
    const broken = (error: unknown): void => {
      clearInterval(this.#ping)
      this.#broken ??= error
      for (const { reject } of this.#waiting.splice(0)) reject(error)
      this.#socket.destroy()
      events.broken(error)
    }
    this.#socket.on('error', broken)
    this.#socket.on('close', () => broken(new Error('the connection has ended')))
    const parser = new ReplyParser(reply => {
      if (reply.kind !== 'push') return this.#waiting.shift()?.resolve(reply)
      const [kind, channel, text] = reply.items
      // The answers to SUBSCRIBE and UNSUBSCRIBE are pushes, too.
      if (kind !== 'message') return this.#waiting.shift()?.resolve(reply)
      if (channel?.startsWith(this.#prefix)) events.receive(channel.slice(this.#prefix.length), text ?? '')
    })
    this.#socket.on('data', chunk => {
      try {
        parser.push(chunk as Buffer)
      } catch (error) {
        broken(error)
      }
    })
    // A network that drops all packets is noticed.
    this.#ping = setInterval(() => this.#run([['PING']]).catch(broken), pingMs)
    this.#ping.unref()
  }

  /** Logs in. */
  async ready(): Promise<void> {
    const { user, password } = this.#server
    const login = password === '' ? [] : ['AUTH', user || 'default', password]
    const [reply] = await this.#run([['HELLO', '3', ...login]])
    if (reply?.kind !== 'error') return
    if (!/unknown command|NOPROTO/i.test(reply.text)) throw new Error(reply.text)
    throw new AntiphonError('live-unsupported', `the server does not know HELLO 3: ${reply.text}`, {
      hint: 'use Redis 6 or newer, or Valkey',
    })
  }

  async send({ subscribe, unsubscribe, texts }: Batch): Promise<void> {
    const replies = await this.#run([
      ...subscribe.map(channel => ['SUBSCRIBE', this.#prefix + channel]),
      ...unsubscribe.map(channel => ['UNSUBSCRIBE', this.#prefix + channel]),
      ...texts.map(({ channel, text }) => ['PUBLISH', this.#prefix + channel, text]),
    ])
    const refused = replies.slice(0, subscribe.length).find(reply => reply.kind === 'error')
    if (refused?.kind === 'error') throw new Error(refused.text)
  }

  async close(): Promise<void> {
    clearInterval(this.#ping)
    this.#socket.destroy()
  }

  async #run(commands: readonly (readonly string[])[]): Promise<Reply[]> {
    if (this.#broken !== undefined) throw this.#broken
    const timer = setTimeout(() => this.#socket.destroy(new Error('the server does not answer')), answerMs)
    timer.unref()
    const replies = commands.map(() => new Promise<Reply>((resolve, reject) => this.#waiting.push({ resolve, reject })))
    this.#socket.write(commands.map(encode).join(''))
    try {
      return await Promise.all(replies)
    } finally {
      clearTimeout(timer)
    }
  }
}

const encode = (command: readonly string[]): string =>
  `*${command.length}\r\n${command.map(part => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`

const pingMs = 10_000
const answerMs = 5_000
