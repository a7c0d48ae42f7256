import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { LiveItem } from '../../journal/live/live-reader.ts'
import type { Thread } from '../../journal/thread.ts'
import { act } from './actions.ts'
import type { ObjectContext, ObjectSocket } from './object-context.ts'
import { problemOf, statusOf } from './routes.ts'

export interface SocketOptions {
  readonly ctx: Pick<ObjectContext, 'acceptWebSocket' | 'getWebSockets'>
  readonly thread: () => Thread
  /** The last entry of the thread, and whether a turn may be running. */
  readonly state: () => { readonly head: number; readonly isBusy: boolean }
  readonly onError: (error: unknown) => void
}

/**
 * The WebSockets of an object, each with the offset up to which it was sent the thread. A socket has a feed only while there is something to send or
 * a turn may be running, so that the object can hibernate after that. When it wakes, each socket continues at its offset.
 */
export class Sockets {
  readonly #options: SocketOptions
  readonly #feeds = new Map<ObjectSocket, AbortController>()
  #isUpdating = false

  constructor(options: SocketOptions) {
    this.#options = options
  }

  accept(after: string): Response {
    const { ctx } = this.#options
    const { 0: client, 1: server } = new WebSocketPair()
    ctx.acceptWebSocket(server)
    server.serializeAttachment(after)
    this.update()
    return new Response(null, { status: 101, webSocket: client } as ResponseInit)
  }

  /** Something may have changed. May be called in a transaction. */
  update(): void {
    if (this.#isUpdating) return
    this.#isUpdating = true
    queueMicrotask(() => {
      this.#isUpdating = false
      this.#updateAll()
    })
  }

  /** Answers a message of a client: `{ id, do, ... }` is answered by `{ id, done }` or `{ id, error }`. */
  async receive(socket: ObjectSocket, text: unknown): Promise<void> {
    const message = typeof text === 'string' ? tryParseJson(text) : undefined
    const { id, do: action, ...body } = Object(message) as Record<string, unknown>
    try {
      const done = await act(this.#options.thread(), String(action), body)
      socket.send(JSON.stringify({ id, done }))
    } catch (error) {
      if (statusOf(error) === 500) this.#options.onError(error)
      socket.send(JSON.stringify({ id, error: problemOf(error) }))
    }
  }

  #updateAll(): void {
    const sockets = new Set(this.#options.ctx.getWebSockets())
    // A feed without its socket would keep the object in memory.
    for (const socket of this.#feeds.keys()) if (!sockets.has(socket)) this.#end(socket)
    if (sockets.size === 0) return
    const { head, isBusy } = this.#options.state()
    for (const socket of sockets) {
      const needsFeed = isBusy || positionOf(socket) < head
      if (!needsFeed) this.#end(socket)
      else if (!this.#feeds.has(socket)) void this.#feed(socket)
    }
  }

  #end(socket: ObjectSocket): void {
    this.#feeds.get(socket)?.abort()
    this.#feeds.delete(socket)
  }

  async #feed(socket: ObjectSocket): Promise<void> {
    const feed = new AbortController()
    const { signal } = feed
    this.#feeds.set(socket, feed)
    try {
      const after = String(socket.deserializeAttachment())
      for await (const item of this.#options.thread().watch({ live: true, after, signal })) {
        if (signal.aborted) return
        if (!send(socket, item)) return
        socket.serializeAttachment('offset' in item ? item.offset : String(item.seq))
        if ('seq' in item) this.update()
      }
    } catch (error) {
      this.#options.onError(error)
      socket.close(1011, 'the thread cannot be read')
    } finally {
      if (this.#feeds.get(socket) === feed) this.#feeds.delete(socket)
    }
  }
}

/** Returns false if the client has gone. */
function send(socket: ObjectSocket, item: LiveItem): boolean {
  try {
    socket.send(JSON.stringify(item))
    return true
  } catch {
    return false
  }
}

const positionOf = (socket: ObjectSocket): number => Number.parseInt(String(socket.deserializeAttachment()), 10)

/** A global of the runtime. */
declare const WebSocketPair: new () => { readonly 0: unknown; readonly 1: ObjectSocket }
