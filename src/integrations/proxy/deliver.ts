import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { mayReject } from '../../heal/rejections/read-rejection.ts'
import { rejectionMax } from '../fetch/response-rejection.ts'
import type { Listener } from '../fetch/tap.ts'
import type { Client } from './client.ts'
import { type ParsedHeaders, type RawHeaders, responseHeaders } from './pass-headers.ts'
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
  readonly onPass?: ((head: Head) => void) | undefined
  /** Hears once what became of it. */
  readonly onEnd: (delivery: Delivery) => void
}

/** What became of it. Whoever was cut has got the head of the answer, and perhaps more. */
export type Delivery =
  | { readonly kind: 'whole' }
  | { readonly kind: 'held'; readonly answer: HeldAnswer }
  | { readonly kind: 'failed' | 'cut'; readonly error: unknown }

/** Sends a request, and passes the answer on to the client as it comes, at the client's pace. */
export function deliver(errand: Errand): void {
  // It takes whatever can be iterated, which its types do not say.
  errand.pool.dispatch(errand.outgoing as Dispatcher.DispatchOptions, new Passage(errand))
}

/** An answer on its way. `#held` has what came of it as long as it is held back, `#heldBytes` long. */
class Passage implements Dispatcher.DispatchHandler {
  readonly #errand: Errand
  #head: Head | undefined
  #held: Buffer[] | undefined
  #heldBytes = 0
  #listener: Listener | undefined

  constructor(errand: Errand) {
    this.#errand = errand
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#errand.client.bind(controller)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    parsed: ParsedHeaders,
    statusMessage = '',
  ): void {
    if (status < 200) return
    const headers = responseHeaders((controller.rawHeaders ?? []) as RawHeaders, parsed)
    this.#head = { status, statusMessage, headers }
    this.#listener = this.#errand.listen?.(this.#head)
    if (this.#errand.holds && mayReject(status)) this.#held = []
    else this.#open(this.#head)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#listener?.chunk(chunk)
    const held = this.#held
    if (!held) {
      this.#write(chunk, controller)
      return
    }
    held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes <= rejectionMax) return
    this.#held = undefined
    if (this.#head) this.#open(this.#head)
    for (const chunk of held) this.#write(chunk, controller)
  }

  onResponseEnd(): void {
    if (this.#head && this.#held) this.#end({ kind: 'held', answer: { ...this.#head, chunks: this.#held } })
    else {
      endOnceRead(this.#errand.client.response)
      this.#end(whole)
    }
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end({ kind: this.#errand.client.response.headersSent ? 'cut' : 'failed', error })
  }

  #open(head: Head): void {
    writeHead(this.#errand.client, head, this.#errand.extra)
    this.#errand.onPass?.(head)
  }

  #write(chunk: Buffer, controller: Dispatcher.DispatchController): void {
    const { response } = this.#errand.client
    if (response.write(chunk) || !response.writableNeedDrain || controller.paused) return
    controller.pause()
    response.once('drain', () => controller.resume())
  }

  #end(delivery: Delivery): void {
    const { client, onEnd } = this.#errand
    client.release()
    this.#listener?.end(delivery.kind === 'whole' || delivery.kind === 'held' ? 'whole' : 'cut')
    try {
      onEnd(delivery)
    } catch (error) {
      client.rescue(error)
    }
  }
}

const whole: Delivery = { kind: 'whole' }

/** Gives the client an answer that was held back. */
export function release(client: Client, { chunks, ...head }: HeldAnswer, extra: readonly string[]): void {
  writeHead(client, head, extra)
  for (const chunk of chunks) client.response.write(chunk)
  client.response.end()
}

function writeHead({ response }: Client, { status, statusMessage, headers }: Head, extra: readonly string[]): void {
  const all = extra.length === 0 ? headers : [...headers, ...extra]
  response.writeHead(status, unsayable.test(statusMessage) ? '' : statusMessage, all)
  // A stream may say its first word much later than its head. If it comes at once, they go together.
  process.nextTick(flushHead, response)
}

function flushHead(response: Client['response']): void {
  if (!response.writableEnded && response.writableLength === 0) response.flushHeaders()
}

/** What a status line cannot say: a reason in some other encoding than the one it was read in. Nobody needs it. */
const unsayable = /[^\t\x20-\x7e\x80-\xff]/
