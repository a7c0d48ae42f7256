import type { Event, Message, MessagesSnapshotEvent } from '@ag-ui/core'
import { Queue } from '../../core/queue.ts'
import { timerDelay } from '../../core/timer-delay.ts'
import { emptied } from './client-copy.ts'
import type { EventEncoder } from './encode-events.ts'
import { EventType } from './event-type.ts'

export interface EventStreamOptions {
  readonly encoder: EventEncoder
  readonly keepAliveMs: number
  /** The waiting events may take this much memory, not counting one snapshot of the thread. */
  readonly unreadBytes: number
  /** How long events may wait without being read. */
  readonly unreadMs: number
  /** Called when an event cannot be encoded. The next snapshot makes up for it. */
  readonly onError: (error: unknown) => void
  /** Called when the client has disconnected, or was given up because it does not read. */
  readonly onGone: () => void
}

/**
 * The body of a response: events wait as objects, and are encoded when the client reads. So a client that does not read costs no copy of
 * the thread, and one that does not catch up in time is disconnected. What it missed is in the journal.
 */
export class EventStream {
  readonly #options: EventStreamOptions
  readonly #encodeText: EventEncoder['encodeText']
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #waiting = new Queue<Waiting>()
  /** The last waiting snapshot of the messages. */
  #snapshot: Waiting | undefined
  /** The bytes of all waiting events, and of those that are not snapshots of the messages. */
  #bytes = 0
  #countedBytes = 0
  /** The rest of the event that is being sent. */
  #rest: Pieces | undefined
  #wake: () => void = () => {}
  #isPulled = false
  #isEnded = false
  #unread: ReturnType<typeof setTimeout> | undefined

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#encodeText = options.encoder.encodeText
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
  }

  send(event: Event): void {
    if (!this.#controller || this.#isEnded) return
    if (this.#countedBytes > this.#options.unreadBytes) this.#giveUp()
    else if (event.type === EventType.MESSAGES_SNAPSHOT) this.#sendSnapshot(event)
    else this.#add({ event, bytes: weigh(event), isCounted: true })
    this.#wake()
    this.#watch()
  }

  /** No event follows. */
  end(): void {
    this.#isEnded = true
    this.#wake()
    if (this.#isEmpty && !this.#rest && !this.#isPulled) this.#close()
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#unread)
    this.#unread = undefined
    this.#isPulled = true
    const chunk = await this.#next()
    this.#isPulled = false
    if (!this.#controller) return
    if (chunk) controller.enqueue(chunk)
    if (this.#isEnded && this.#isEmpty && !this.#rest) this.#close()
    else this.#watch()
  }

  cancel(): void {
    this.#forget()
    this.#options.onGone()
  }

  /** A client that reads too slowly gets only the newest snapshot. The older one is emptied in place, since it also removes messages. */
  #sendSnapshot(event: MessagesSnapshotEvent): void {
    const older = this.#snapshot
    if (older && this.#bytes > behindBytes) {
      this.#bytes -= older.bytes
      older.event = { ...event, messages: emptied((older.event as MessagesSnapshotEvent).messages) }
      older.bytes = weigh(older.event)
      this.#bytes += older.bytes
      // A client takes over the order of a snapshot only if its list is empty.
      this.#add({ event: { ...event, messages: emptied(event.messages) }, bytes: 0, isCounted: false })
    }
    this.#snapshot = { event, bytes: weigh(event), isCounted: false }
    this.#add(this.#snapshot)
  }

  get #isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#bytes += waiting.bytes
    if (waiting.isCounted) this.#countedBytes += waiting.bytes
  }

  #take(): Waiting | undefined {
    const next = this.#waiting.take()
    if (!next) return undefined
    if (next === this.#snapshot) this.#snapshot = undefined
    this.#bytes -= next.bytes
    if (next.isCounted) this.#countedBytes -= next.bytes
    return next
  }

  /** The next piece. If there is none for a while, a comment keeps the connection open. Undefined at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#nextPiece()
      if (chunk || this.#isEnded || !this.#controller) return chunk
      const isIdle = await new Promise<boolean>(resolve => {
        const timer = this.#encodeText
          ? setTimeout(() => resolve(true), timerDelay(this.#options.keepAliveMs))
          : undefined
        this.#wake = () => {
          clearTimeout(timer)
          resolve(false)
        }
      })
      this.#wake = () => {}
      if (isIdle && this.#isEmpty) return comment
    }
  }

  #nextPiece(): Uint8Array | undefined {
    for (;;) {
      const waiting = this.#rest ? undefined : this.#take()
      if (waiting) this.#rest = this.#encode(waiting)
      const piece = this.#rest?.next()
      if (piece?.done !== false) this.#rest = undefined
      if (!piece || piece.value) return piece?.value
    }
  }

  *#encode({ event, bytes }: Waiting): Pieces {
    const isLong = event.type === EventType.MESSAGES_SNAPSHOT && bytes > pieceBytes
    if (isLong && this.#encodeText) return yield* this.#encodeInPieces(event, this.#encodeText)
    try {
      return this.#options.encoder.encode(event)
    } catch (error) {
      this.#options.onError(error)
      return undefined
    }
  }

  /** A long snapshot message by message, so that one that is read slowly is never encoded as a whole. */
  *#encodeInPieces({ messages, ...event }: MessagesSnapshotEvent, encodeText: (event: Event) => string): Pieces {
    const encode = (part: readonly Message[]): string => encodeText({ ...event, messages: [...part] })
    const [before = '', after = ''] = encode([]).split('[]')
    let text = `${before}[`
    let isFirst = true
    for (const message of messages) {
      try {
        const encoded = encode([message]).slice(before.length + 1, -after.length - 1)
        text += isFirst ? encoded : `,${encoded}`
        isFirst = false
      } catch (error) {
        this.#options.onError(error)
      }
      if (text.length < pieceBytes) continue
      yield utf8.encode(text)
      text = ''
    }
    return utf8.encode(`${text}]${after}`)
  }

  /** Waits for the client to read, but not for ever. */
  #watch(): void {
    if (this.#unread !== undefined || this.#isPulled || (this.#isEmpty && !this.#rest)) return
    this.#unread = setTimeout(() => this.#giveUp(), timerDelay(this.#options.unreadMs))
    // In Node, the timer alone does not keep the process alive.
    ;(this.#unread as { unref?: () => void }).unref?.()
  }

  /** Ends the stream before its run: between two events with an error that says what to do. */
  #giveUp(): void {
    const { encoder, onGone } = this.#options
    if (!this.#rest) this.#controller?.enqueue(encoder.encode(tooSlow))
    this.#close()
    onGone()
  }

  #close(): void {
    this.#controller?.close()
    this.#forget()
  }

  #forget(): void {
    clearTimeout(this.#unread)
    this.#controller = undefined
    this.#snapshot = undefined
    this.#rest = undefined
    this.#waiting.clear()
    this.#wake()
  }
}

/** The last piece is returned, so that the end of an event is known with it. */
type Pieces = Generator<Uint8Array, Uint8Array | undefined>

interface Waiting {
  event: Event
  bytes: number
  readonly isCounted: boolean
}

/** About as much memory as a value takes. A value may contain itself: then it cannot be encoded, which is reported later. */
function weigh(value: unknown): number {
  const seen = new Set<unknown>()
  const left = [value]
  let bytes = 0
  while (left.length > 0) {
    const next = left.pop()
    bytes += typeof next === 'string' ? next.length + 16 : 16
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    for (const inner of Object.values(next)) left.push(inner)
  }
  return bytes
}

const tooSlow: Event = {
  type: EventType.RUN_ERROR,
  message:
    'The client did not read its events in time. Everything so far is recorded: run again without a new message to get it.',
  code: 'unread-events',
}

const utf8 = new TextEncoder()
const comment = utf8.encode(': keep-alive\n\n')

/** A client with more than this unread reads too slowly. */
const behindBytes = 256 * 1024
const pieceBytes = 64 * 1024
