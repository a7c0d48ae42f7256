import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import {
  type Batch,
  type ConnectionEvents,
  deferred,
  queueMax,
  ReconnectingTransport,
  type TransportConnection,
} from '../reconnecting-transport.ts'
import type { LiveTransport } from '../transport.ts'

/**
 * Connects the processes of one machine that use a file, over a socket next to it. The first process listens, and forwards the texts of the others.
 * When it ends, the others connect again, and the first of them to listen takes its place. A process that only looks does not listen.
 */
export function socketTransport(file: string, { listens = true } = {}): LiveTransport {
  return new ReconnectingTransport({
    name: `the socket of ${file}`,
    batchMs: 1,
    connect: events => joinSocket(realpathSync(file), events, listens),
  })
}

async function joinSocket(file: string, events: ConnectionEvents, listens: boolean): Promise<TransportConnection> {
  const path = socketPath(file)
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const seen = identityOf(path, file)
    const socket = await connectSocket(path)
    if (socket && isStillThere(path, file, seen)) return new SocketClient(socket, events)
    socket?.destroy()
    if (!socket && !listens) throw new Error('no process listens')
    if (!socket) {
      const server = seen === undefined ? await listenAt(path, file) : await replaceStale(path, seen, file)
      if (server) return new SocketServer(server, events)
    }
    await new Promise(resolve => setTimeout(resolve, 5 + 30 * Math.random()))
  }
  throw new Error('no process listens, and none can')
}

/** What receives texts: a connected process, or the listening process itself. */
interface Subscriber {
  readonly channels: Set<string>
  receive(channel: string, text: string): void
}

/** The process that listens. */
class SocketServer implements TransportConnection {
  readonly #server: Server
  readonly #subscribers = new Map<string, Set<Subscriber>>()
  readonly #sockets = new Set<Socket>()
  readonly #self: Subscriber

  constructor(server: Server, events: ConnectionEvents) {
    this.#server = server
    this.#self = {
      channels: new Set(),
      receive: (channel, text) => queueMicrotask(() => events.receive(channel, text)),
    }
    server.on('connection', socket => this.#accept(socket))
    server.on('error', error => events.broken(error))
    server.on('close', () => events.broken(new Error('the socket was closed')))
  }

  async send({ subscribe, unsubscribe, texts }: Batch): Promise<void> {
    for (const channel of subscribe) this.#subscribe(this.#self, channel)
    for (const channel of unsubscribe) this.#unsubscribe(this.#self, channel)
    for (const { channel, text } of texts) this.#publish(this.#self, channel, text)
  }

  async close(): Promise<void> {
    // Also removes the file of the socket.
    this.#server.close()
    for (const socket of this.#sockets) socket.end(() => socket.destroy())
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.unref()
    const subscriber: Subscriber = {
      channels: new Set(),
      receive: (channel, text) => {
        if (socket.writableLength < queueMax) socket.write(lineOf(['=', channel, text]))
      },
    }
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      for (const channel of [...subscriber.channels]) this.#unsubscribe(subscriber, channel)
    })
    readLines(socket, ([kind, channel, text]) => {
      if (kind === '+') this.#subscribe(subscriber, String(channel))
      else if (kind === '-') this.#unsubscribe(subscriber, String(channel))
      else if (kind === '=') this.#publish(subscriber, String(channel), String(text))
      else if (kind === '?' && socket.writableLength < 2 * queueMax) socket.write(lineOf(['!', channel]))
    })
  }

  #subscribe(subscriber: Subscriber, channel: string): void {
    subscriber.channels.add(channel)
    this.#subscribers.set(channel, (this.#subscribers.get(channel) ?? new Set()).add(subscriber))
  }

  #unsubscribe(subscriber: Subscriber, channel: string): void {
    subscriber.channels.delete(channel)
    const subscribers = this.#subscribers.get(channel)
    subscribers?.delete(subscriber)
    if (subscribers?.size === 0) this.#subscribers.delete(channel)
  }

  #publish(from: Subscriber, channel: string, text: string): void {
    for (const subscriber of this.#subscribers.get(channel) ?? [])
      if (subscriber !== from) subscriber.receive(channel, text)
  }
}

/** A process that is connected to the one that listens. */
class SocketClient implements TransportConnection {
  readonly #socket: Socket
  readonly #waiting = new Map<number, { resolve(): void; reject(error: unknown): void }>()
  readonly #ping: ReturnType<typeof setInterval>
  #asked = 0

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket
    const broken = (error: unknown): void => {
      clearInterval(this.#ping)
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
      events.broken(error)
    }
    socket.on('error', broken)
    socket.on('close', () => broken(new Error('the process that listens has ended')))
    readLines(socket, ([kind, name, text]) => {
      if (kind === '=') events.receive(String(name), String(text))
      if (kind === '!') this.#waiting.get(Number(name))?.resolve()
    })
    // Detects a listening process that is stopped.
    this.#ping = setInterval(() => this.send(nothing).catch(broken), pingMs)
    this.#ping.unref()
  }

  /** Resolves when all of it has arrived. */
  async send({ subscribe, unsubscribe, texts }: Batch): Promise<void> {
    const number = ++this.#asked
    const { promise, resolve, reject } = deferred<void>()
    this.#waiting.set(number, { resolve: () => resolve(), reject })
    const timer = setTimeout(() => reject(new Error('the process that listens does not answer')), answerMs)
    timer.unref()
    const lines = [
      ...subscribe.map(channel => ['+', channel]),
      ...unsubscribe.map(channel => ['-', channel]),
      ...texts.map(({ channel, text }) => ['=', channel, text]),
      ['?', number],
    ]
    this.#socket.write(lines.map(lineOf).join(''))
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#ping)
    this.#socket.destroy()
  }
}

/** Undefined if nothing listens there. */
function connectSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(path)
    socket.unref()
    socket.once('connect', () => resolve(socket))
    socket.on('error', error => {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    })
  })
}

/** Undefined if another process was faster. The socket file exists when this returns; the promise waits only for a possible error. */
function listenAt(path: string, file: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.unref()
    server.once('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.once('listening', () => {
      server.removeAllListeners('error')
      resolve(server)
    })
    // With `node:cluster`, too, this process listens, not the primary.
    server.listen({ path, exclusive: true })
    // Users who may write to the file may connect.
    if (server.listening && process.platform !== 'win32') chmodSync(path, statSync(file).mode & 0o666)
  })
}

/**
 * Listens in place of a process that ended without removing its socket. It holds the write lock of the file meanwhile, so that no process removes the
 * socket that another one has just created.
 */
async function replaceStale(path: string, seen: string, file: string): Promise<Server | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file)
    database.exec('BEGIN IMMEDIATE')
    if (identityOf(path, file) !== seen) return undefined
    rmSync(path, { force: true })
    return listenAt(path, file)
  } catch (error) {
    // Another process writes.
    if (((Object(error) as { errcode?: number }).errcode ?? 0) % 256 === sqliteBusy) return undefined
    throw error
  } finally {
    // Ends the transaction.
    database?.close()
  }
}

/**
 * Undefined if there is no socket, or if the system removes it with its process. Throws if it is not a socket, or does not belong to this user, to root or to the
 * owner of the file: where other users may create files, they could listen in its place.
 */
function identityOf(path: string, file: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (!found) return undefined
  // Another kind of file is not a leftover of a process, and must not be removed like one.
  if (!found.isSocket()) throw new Error(`${path} is not a socket: move it away, so that there can be one`)
  const uid = Number(found.uid)
  if (uid !== 0 && uid !== process.getuid?.() && uid !== statSync(file).uid)
    throw new Error(`${path} belongs to another user (uid ${uid}), who could read and forge what is sent: remove it`)
  return `${found.dev} ${found.ino} ${found.ctimeNs}`
}

/** Whether the socket is still the one that was seen before. If not, its owner is unknown. */
const isStillThere = (path: string, file: string, seen: string | undefined): boolean =>
  process.platform === 'win32' || (seen !== undefined && identityOf(path, file) === seen)

/** Next to the file, or if that path is too long for a socket, in a folder that only this user can read. */
function socketPath(file: string): string {
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\antiphon-${hash}`
  const path = `${file}-live`
  if (Buffer.byteLength(path) <= pathBytesMax) return path
  const { uid } = statSync(file)
  const folder = join(tmpdir(), `antiphon-${process.getuid?.() ?? uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} belongs to another user, or is open to others`)
  return join(folder, hash)
}

/** Calls back with each line, a JSON list of strings and numbers. Closes the connection at any other line. */
function readLines(socket: Socket, receive: (line: readonly (string | number)[]) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', chunk => {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const value = tryParseJson(line)
      if (!isLine(value)) return void socket.destroy()
      receive(value)
    }
    if (rest.length > lineMax) socket.destroy()
  })
}

const isLine = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every(part => typeof part === 'string' || typeof part === 'number')

const lineOf = (value: readonly unknown[]): string => `${JSON.stringify(value)}\n`

const nothing: Batch = { subscribe: [], unsubscribe: [], texts: [] }

const attemptsMax = 100
/** SQLITE_BUSY: the low byte of an extended result code. */
const sqliteBusy = 5

/** The limit is 104 bytes on macOS, and 108 on Linux. */
const pathBytesMax = 100
const lineMax = 100_000
const pingMs = 10_000
const answerMs = 5_000
