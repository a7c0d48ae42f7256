import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { mayReject, readRejection } from '../../heal/rejections/read-rejection.ts'
import { type Opening, openingMs } from '../fetch/answer-opening.ts'
import { rejectionMax } from '../fetch/response-rejection.ts'
import type { NameRestorer } from '../fetch/restore-names.ts'
import type { Listener } from '../fetch/tap.ts'
import type { Client } from './client.ts'
import { HeldOpening } from './held-opening.ts'
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
  /** The text of the error that it begins with, if its status is a good one. */
  readonly error?: string
}

export interface Errand {
  readonly pool: Dispatcher
  readonly outgoing: Outgoing
  readonly client: Client
  /** Headers that the answer gets in addition. */
  readonly extra: readonly string[]
  /**
   * Which answers are held back: those that may be a rejection, also one after a good status; or those with a good status until it is
   * known whether they begin with an error.
   */
  readonly holds: 'rejections' | 'openings' | 'nothing'
  /** Puts the caller's names of tools into the answer that is passed on. */
  readonly restore?: ((head: Head) => NameRestorer | undefined) | undefined
  /** Listens to the answer. */
  readonly listen?: ((head: Head) => Listener | undefined) | undefined
  /** Hears that the answer is passed on to the client, and not held back. */
  readonly onPass?: ((head: Head, beginsWithError: boolean) => void) | undefined
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

/**
 * An answer on its way. `#held` has what came of it as long as it is held back, `#heldBytes` long. `#opening` reads it if its status is a
 * good one, and is there until it is known what it is.
 */
class Passage implements Dispatcher.DispatchHandler {
  readonly #errand: Errand
  #head: Head | undefined
  #held: Buffer[] | undefined
  #heldBytes = 0
  #opening: HeldOpening | undefined
  #openingTimer: NodeJS.Timeout | undefined
  #error: string | undefined
  #listener: Listener | undefined
  #restorer: NameRestorer | undefined

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
    const { holds } = this.#errand
    if (holds !== 'nothing' && status < 300) this.#opening = HeldOpening.of(headers)
    if (this.#opening || (holds === 'rejections' && mayReject(status))) this.#held = []
    else this.#open(this.#head)
    if (this.#opening)
      this.#openingTimer = setTimeout(() => {
        if (this.#opening && this.#held) this.#letGo(this.#held, controller)
      }, openingMs)
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
    if (!isKept || this.#heldBytes > rejectionMax) this.#letGo(held, controller)
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#opening && this.#held && !this.#isHeldFor(this.#opening, this.#opening.end()))
      this.#letGo(this.#held, controller)
    if (this.#head && this.#held) {
      const error = this.#error === undefined ? {} : { error: this.#error }
      this.#end({ kind: 'held', answer: { ...this.#head, chunks: this.#held, ...error } })
    } else {
      if (this.#restorer) this.#pass(this.#restorer.end(), controller)
      endOnceRead(this.#errand.client.response)
      this.#end(whole)
    }
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#opening && this.#held) {
      // It broke off before its first event: what came of it is passed on before the client is cut off, too.
      this.#letGo(this.#held, controller)
      setImmediate(() => this.#end({ kind: 'cut', error }))
      return
    }
    this.#end({ kind: this.#errand.client.response.headersSent ? 'cut' : 'failed', error })
  }

  /** Whether an answer is held back: it is not known yet what it begins with, or with an error that can be repaired. */
  #isHeldFor(reader: HeldOpening, opening: Opening): boolean {
    if (opening === 'undecided') return true
    clearTimeout(this.#openingTimer)
    this.#opening = undefined
    if (opening === 'answer') return false
    this.#error = reader.error
    const kind = readRejection(this.#head?.status ?? 200, reader.error)?.kind
    return this.#errand.holds === 'rejections' && kind !== undefined && kind !== 'not-healable'
  }

  /** Passes on what was held back. */
  #letGo(held: readonly Buffer[], controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#openingTimer)
    this.#held = this.#opening = undefined
    if (this.#head) this.#open(this.#head)
    for (const chunk of held) this.#write(chunk, controller)
  }

  #open(head: Head): void {
    this.#restorer = this.#errand.restore?.(head)
    writeHead(this.#errand.client, this.#restorer ? withoutLength(head) : head, this.#errand.extra)
    this.#errand.onPass?.(head, this.#error !== undefined)
  }

  #write(chunk: Buffer, controller: Dispatcher.DispatchController): void {
    this.#pass(this.#restorer ? this.#restorer.push(chunk) : chunk, controller)
  }

  #pass(chunk: Uint8Array, controller: Dispatcher.DispatchController): void {
    if (chunk.length === 0) return
    const { response } = this.#errand.client
    if (response.write(chunk) || !response.writableNeedDrain || controller.paused) return
    controller.pause()
    response.once('drain', () => controller.resume())
  }

  #end(delivery: Delivery): void {
    const { client, onEnd } = this.#errand
    clearTimeout(this.#openingTimer)
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
export function release(client: Client, { chunks, error: _, ...head }: HeldAnswer, extra: readonly string[]): void {
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

/** An answer that is changed on its way gets another length. */
const withoutLength = (head: Head): Head => ({
  ...head,
  headers: head.headers.filter((_, index) => head.headers[index & ~1].toLowerCase() !== 'content-length'),
})

function flushHead(response: Client['response']): void {
  if (!response.writableEnded && response.writableLength === 0) response.flushHeaders()
}

/** What a status line cannot say: a reason in some other encoding than the one it was read in. Nobody needs it. */
const unsayable = /[^\t\x20-\x7e\x80-\xff]/
