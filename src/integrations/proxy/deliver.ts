import type { Duplex, Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { mayReject, readRejection } from '../../heal/rejections/read-rejection.ts'
import { type Opening, openingMs } from '../fetch/answer-opening.ts'
import { rejectionMax } from '../fetch/response-rejection.ts'
import type { NameRestorer } from '../fetch/restore-names.ts'
import type { ResponseListener } from '../fetch/tap.ts'
import { ChunkList } from './chunk-list.ts'
import type { Client } from './client.ts'
import { type Deadline, Deadlines } from './deadlines.ts'
import { HeldOpening } from './held-opening.ts'
import { type ParsedHeaders, type RawHeaders, responseHeaders } from './pass-headers.ts'
import { endOnceRead } from './proxy-error.ts'

/** A request in the form that is sent to its upstream. */
export interface OutgoingRequest {
  readonly method: string
  readonly path: string
  readonly headers: string[]
  /** The chunks of a long body are sent one after the other: joining them first would cost more than checking them. */
  readonly body: Buffer | Iterable<Buffer> | Readable | null
  /** The protocol that the connection shall continue with. */
  readonly upgrade?: string
}

/** The head of an answer, with its headers as a flat list of names and values. */
export interface ResponseHead {
  readonly status: number
  readonly statusMessage: string
  readonly headers: string[]
}

/** An answer that the client has not seen yet. */
export interface HeldAnswer extends ResponseHead {
  readonly chunks: readonly Buffer[]
  /** The text of the error that the answer begins with, if its status is 2xx. */
  readonly error?: string
}

export interface UpstreamRequest {
  readonly pool: Dispatcher
  readonly outgoing: OutgoingRequest
  readonly client: Client
  /** Headers that are added to the answer. */
  readonly extra: readonly string[]
  /**
   * Which answers are held back: `rejections` holds those that may be a rejection, including one that follows a 2xx status.
   */
  readonly holds: 'rejections' | 'nothing'
  /** Restores the caller's tool names in the answer that is passed on. */
  readonly restore?: ((head: ResponseHead) => NameRestorer | undefined) | undefined
  /** Returns a listener for the answer. */
  readonly listen?: ((head: ResponseHead) => ResponseListener | undefined) | undefined
  /** Called when the answer is passed on to the client instead of being held back. */
  readonly onPass?: ((head: ResponseHead, beginsWithError: boolean) => void) | undefined
  /** Called instead of everything else if the connection continues with another protocol. */
  readonly onUpgrade?: ((head: ResponseHead, upstream: Duplex) => void) | undefined
  /** Called once, with the outcome. */
  readonly onEnd: (delivery: Delivery) => void
}

/** The outcome of an upstream request. With `cut` the client has received the head of the answer, and perhaps more. */
export type Delivery =
  | { readonly kind: 'whole' }
  | { readonly kind: 'held'; readonly answer: HeldAnswer }
  | { readonly kind: 'failed' | 'cut'; readonly error: unknown }

/** Sends a request, and streams the answer to the client, with backpressure. */
export function deliver(upstreamRequest: UpstreamRequest): void {
  // `undici` accepts any iterable as a body, which its types do not declare.
  upstreamRequest.pool.dispatch(
    upstreamRequest.outgoing as Dispatcher.DispatchOptions,
    new ResponseRelay(upstreamRequest),
  )
}

/**
 * Passes an answer on to the client. While the answer is held back, `#held` has its chunks and `#heldBytes` their length.
 * `#opening` reads an answer with a 2xx status until it is known whether it begins with an error.
 */
class ResponseRelay implements Dispatcher.DispatchHandler {
  readonly #upstreamRequest: UpstreamRequest
  #head: ResponseHead | undefined
  #held: ChunkList | undefined
  #heldBytes = 0
  #opening: HeldOpening | undefined
  #deadline: Deadline | undefined
  #error: string | undefined
  #listener: ResponseListener | undefined
  #restorer: NameRestorer | undefined

  constructor(upstreamRequest: UpstreamRequest) {
    this.#upstreamRequest = upstreamRequest
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#upstreamRequest.client.bind(controller)
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    parsed: ParsedHeaders,
    upstream: Duplex,
  ): void {
    const headers = responseHeaders((controller.rawHeaders ?? []) as RawHeaders, parsed)
    const { client, onUpgrade } = this.#upstreamRequest
    if (client.isGone || !onUpgrade) upstream.destroy()
    else onUpgrade({ status, statusMessage: '', headers }, upstream)
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
    this.#listener = this.#upstreamRequest.listen?.(this.#head)
    const { holds } = this.#upstreamRequest
    if (holds !== 'nothing' && status < 300) this.#opening = HeldOpening.of(headers)
    if (this.#opening || (holds === 'rejections' && mayReject(status))) this.#held = new ChunkList()
    else this.#open(this.#head)
    // An answer that is not decided in time is passed on.
    if (this.#held) this.#deadline = heldAnswers.add(() => this.#held && this.#releaseHeld(this.#held, controller))
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
    const isKept = this.#opening ? this.#isHeldFor(this.#opening, this.#opening.push(chunk)) : true
    if (!isKept || this.#heldBytes > rejectionMax) this.#releaseHeld(held, controller)
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#opening && this.#held && !this.#isHeldFor(this.#opening, this.#opening.end()))
      this.#releaseHeld(this.#held, controller)
    if (this.#head && this.#held) {
      const error = this.#error === undefined ? {} : { error: this.#error }
      this.#end({ kind: 'held', answer: { ...this.#head, chunks: this.#held.chunks, ...error } })
    } else {
      if (this.#restorer) this.#pass(this.#restorer.end(), controller)
      endOnceRead(this.#upstreamRequest.client.response)
      this.#end(whole)
    }
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#opening && this.#held) {
      // The answer broke off before its first event. What was received is still passed on before the client is disconnected.
      this.#releaseHeld(this.#held, controller)
      setImmediate(() => this.#end({ kind: 'cut', error }))
      return
    }
    this.#end({ kind: this.#upstreamRequest.client.response.headersSent ? 'cut' : 'failed', error })
  }

  /** Whether an answer is held back: its beginning is not decided yet, or it begins with an error that can be repaired. */
  #isHeldFor(reader: HeldOpening, opening: Opening): boolean {
    if (opening === 'undecided') return true
    this.#opening = undefined
    if (opening === 'answer') return false
    this.#error = reader.error
    const kind = readRejection(this.#head?.status ?? 200, reader.error)?.kind
    return kind !== undefined && kind !== 'not-healable'
  }

  /** Passes on what was held back. */
  #releaseHeld({ chunks }: ChunkList, controller: Dispatcher.DispatchController): void {
    if (this.#deadline) heldAnswers.delete(this.#deadline)
    this.#held = this.#opening = undefined
    if (this.#head) this.#open(this.#head)
    for (const chunk of chunks) this.#write(chunk, controller)
  }

  #open(head: ResponseHead): void {
    this.#restorer = this.#upstreamRequest.restore?.(head)
    writeHead(this.#upstreamRequest.client, this.#restorer ? withoutLength(head) : head, this.#upstreamRequest.extra)
    this.#upstreamRequest.onPass?.(head, this.#error !== undefined)
  }

  #write(chunk: Buffer, controller: Dispatcher.DispatchController): void {
    this.#pass(this.#restorer ? this.#restorer.push(chunk) : chunk, controller)
  }

  #pass(chunk: Uint8Array, controller: Dispatcher.DispatchController): void {
    if (chunk.length === 0) return
    const { response } = this.#upstreamRequest.client
    if (response.write(chunk) || !response.writableNeedDrain || controller.paused) return
    controller.pause()
    response.once('drain', () => controller.resume())
  }

  #end(delivery: Delivery): void {
    const { client, onEnd } = this.#upstreamRequest
    if (this.#deadline) heldAnswers.delete(this.#deadline)
    client.release()
    this.#listener?.end(delivery.kind === 'whole' || delivery.kind === 'held' ? 'whole' : 'cut')
    try {
      onEnd(delivery)
    } catch (error) {
      client.handleError(error)
    }
  }
}

const heldAnswers = new Deadlines(openingMs)

const whole: Delivery = { kind: 'whole' }

/** Sends the client an answer that was held back. */
export function passHeldAnswer(
  client: Client,
  { chunks, error: _, ...head }: HeldAnswer,
  extra: readonly string[],
): void {
  writeHead(client, head, extra)
  for (const chunk of chunks) client.response.write(chunk)
  client.response.end()
}

function writeHead(
  { response }: Client,
  { status, statusMessage, headers }: ResponseHead,
  extra: readonly string[],
): void {
  const all = extra.length === 0 ? headers : [...headers, ...extra]
  response.writeHead(status, invalidInStatusMessage.test(statusMessage) ? '' : statusMessage, all)
  // The first event of a stream may follow its head much later. If it follows at once, both are sent together.
  process.nextTick(flushHead, response)
}

/** The length of an answer changes when its tool names are restored. */
const withoutLength = (head: ResponseHead): ResponseHead => ({
  ...head,
  headers: head.headers.filter((_, index) => head.headers[index & ~1]?.toLowerCase() !== 'content-length'),
})

function flushHead(response: Client['response']): void {
  if (!response.writableEnded && response.writableLength === 0) response.flushHeaders()
}

/** Characters that a status message must not contain. Such a message is dropped; clients do not need it. */
const invalidInStatusMessage = /[^\t\x20-\x7e\x80-\xff]/
