import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { mayRefuse, refusalMax } from '../fetch/read-refusal.ts'
import type { Listener } from '../fetch/tap.ts'
import type { Client } from './client.ts'
import { type RawHeaders, responseHeaders } from './pass-headers.ts'
import { endOnceRead } from './trouble.ts'

/** A request as it goes to its upstream. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly headers: string[]
  /** Pieces of a long body are sent one after the other: to join them first would cost more than to look at them. */
  readonly body: Buffer | Iterable<Buffer> | Readable | null
}

/** The head of an answer, with the headers in a row, as they come. */
export interface Head {
  readonly status: number
  readonly statusMessage: string
  readonly headers: string[]
}

/** An answer that the client has not seen yet. */
export interface HeldAnswer extends Head {
  readonly chunks: readonly Buffer[]
}

export interface Errand {
  readonly pool: Dispatcher
  readonly outgoing: Outgoing
  readonly client: Client
  /** Headers that the answer gets in addition. */
  readonly extra: readonly string[]
  /** An answer that may refuse the history is held back. */
  readonly holds: boolean
  /** Listens to the answer. */
  readonly listen?: ((head: Head) => Listener | undefined) | undefined
  /** Hears that the answer is passed on to the client, and not held back. */
  readonly onPass?: (() => void) | undefined
}

/** What became of it. Whoever was cut has got the head of the answer, and perhaps more. */
export type Delivery =
  | { readonly kind: 'whole' }
  | { readonly kind: 'held'; readonly answer: HeldAnswer }
  | { readonly kind: 'failed' | 'cut'; readonly error: unknown }

/** Sends a request, and passes the answer on to the client as it comes, at the client's pace. */
export function deliver({ pool, outgoing, client, extra, holds, listen, onPass }: Errand): Promise<Delivery> {
  return new Promise(resolve => {
    let head: Head | undefined
    let held: Buffer[] | undefined
    let heldBytes = 0
    let listener: Listener | undefined

    const open = (): void => {
      if (head) writeHead(client, head, extra)
      onPass?.()
    }
    const write = (chunk: Buffer, controller: Dispatcher.DispatchController): void => {
      if (client.response.write(chunk) || !client.response.writableNeedDrain || controller.paused) return
      controller.pause()
      client.response.once('drain', () => controller.resume())
    }
    const over = (delivery: Delivery): void => {
      client.release()
      listener?.end(delivery.kind === 'whole' || delivery.kind === 'held' ? 'whole' : 'cut')
      resolve(delivery)
    }

    pool.dispatch(
      // It takes whatever can be iterated, which its types do not say.
      outgoing as Dispatcher.DispatchOptions,
      {
        onRequestStart: controller => client.bind(controller),
        onResponseStart(controller, status, parsed, statusMessage = '') {
          if (status < 200) return
          head = { status, statusMessage, headers: responseHeaders((controller.rawHeaders ?? parsed) as RawHeaders) }
          listener = listen?.(head)
          if (holds && mayRefuse(status)) held = []
          else open()
        },
        onResponseData(controller, chunk) {
          listener?.chunk(chunk)
          if (!held) return write(chunk, controller)
          held.push(chunk)
          heldBytes += chunk.length
          if (heldBytes <= refusalMax) return
          open()
          for (const chunk of held) write(chunk, controller)
          held = undefined
        },
        onResponseEnd() {
          if (head && held) return over({ kind: 'held', answer: { ...head, chunks: held } })
          endOnceRead(client.response)
          over({ kind: 'whole' })
        },
        onResponseError(_, error) {
          over({ kind: client.response.headersSent ? 'cut' : 'failed', error })
        },
      },
    )
  })
}

/** Gives the client an answer that was held back. */
export function release(client: Client, { chunks, ...head }: HeldAnswer, extra: readonly string[]): void {
  writeHead(client, head, extra)
  for (const chunk of chunks) client.response.write(chunk)
  client.response.end()
}

function writeHead({ response }: Client, { status, statusMessage, headers }: Head, extra: readonly string[]): void {
  response.writeHead(status, unsayable.test(statusMessage) ? '' : statusMessage, [...headers, ...extra])
  // A stream may say its first word much later than its head. If it comes at once, they go together.
  process.nextTick(() => {
    if (!response.writableEnded && response.writableLength === 0) response.flushHeaders()
  })
}

/** What a status line cannot say: a reason in some other encoding than the one it was read in. Nobody needs it. */
const unsayable = /[^\t\x20-\x7e\x80-\xff]/
