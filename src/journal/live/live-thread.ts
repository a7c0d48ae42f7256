import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { TextSealer } from '../stores/store.ts'
import { inGroups, isPiece, type LiveNews, type ResponsePiece } from './live-message.ts'
import { compareStreams, StreamedResponse, type StreamId, sizeOf } from './streamed-response.ts'

/** The thread in this process, as far as its live part needs it. */
export interface LiveSource {
  /** Its random id, which differs from that of a thread with the same name in another journal. */
  uid(): Promise<string>
  /** The last entry that was read; -1 before the first read. */
  head(): number
  /** Reads what was written elsewhere. */
  catchUp(): Promise<unknown>
  /** Undefined if the journal has no seal, or the thread began without one. */
  sealer(): Promise<TextSealer | undefined>
}

/** The messages of a journal in this process. */
export interface LivePublisher {
  readonly hasTransport: boolean
  readonly isConnected: boolean
  now(): number
  after(ms: number, callback: () => void): () => void
  publish(channel: string, news: LiveNews): void
  subscribe(channel: string, thread: LiveThread): Promise<void>
  unsubscribe(channel: string, thread: LiveThread): void
}

/** A response that this process streams. */
export interface ResponseStream {
  push(delta: ReplyDelta): void
  /** It is recorded. */
  end(): void
  /** It is not recorded: what was shown of it is void. */
  retract(): void
}

/**
 * The live part of one thread in this process: the response that streams at the moment, here or in another process. Its size does not depend on slow
 * readers: each has an offset and no queue. Other processes get pieces only if they have asked for them in the last 30 seconds.
 */
export class LiveThread {
  readonly #hub: LivePublisher
  readonly #source: LiveSource
  /** Readers of what streams. */
  readonly #listeners = new Set<() => void>()
  #joined = 0
  #channel: string | undefined
  #now: StreamedResponse | undefined
  /** The response that this process streams, and how much of it other processes have. */
  #own: { readonly response: StreamedResponse; sent: number } | undefined
  #streams = 0
  #askedUntil = 0
  #mentionedAt = 0
  #askedAt = -Infinity
  #cancelAsk: (() => void) | undefined
  #cancelSend: (() => void) | undefined
  #sending: Promise<void> = Promise.resolve()
  #reading: Promise<void> | undefined
  #isStale = false

  constructor(hub: LivePublisher, source: LiveSource) {
    this.#hub = hub
    this.#source = source
  }

  /** What streams at the moment, or has streamed last. */
  get now(): StreamedResponse | undefined {
    return this.#now
  }

  get hasTransport(): boolean {
    return this.#hub.hasTransport
  }

  /** Whether other processes announce their writes at once, so that polling is only a safety net. */
  get isConnected(): boolean {
    return this.#hub.isConnected
  }

  /**
   * Follows the thread until the returned function is called: what other processes write is read at once. The listener is called when `now`
   * or the log may have changed.
   */
  join(listener?: () => void): () => void {
    if (listener) this.#listeners.add(listener)
    if (this.#joined++ === 0) void this.#subscribe()
    else if (listener) this.#ask()
    let isJoined = true
    return () => {
      if (!isJoined) return
      isJoined = false
      if (listener) this.#listeners.delete(listener)
      if (--this.#joined === 0) this.#unsubscribe()
    }
  }

  /** A response that the owner with this epoch streams. It begins with the first delta. */
  stream(epoch: number): ResponseStream {
    let response: StreamedResponse | undefined
    const isCurrent = (): boolean => response !== undefined && this.#own?.response === response
    return {
      push: delta => {
        response ??= this.#start(epoch, Math.max(0, this.#source.head()))
        if (!isCurrent() || !response.push(delta)) return
        this.#notify()
        if (this.#hub.isConnected) this.#sendSoon()
      },
      end: () => {
        if (isCurrent()) this.#stop()
        response = undefined
      },
      retract: () => {
        if (response && isCurrent()) {
          this.#start(epoch, response.after)
          this.#notify()
          this.#send()
          this.#stop()
        }
        response = undefined
      },
    }
  }

  /** Tells other processes that there are new entries. */
  announce(head?: number): void {
    if (this.#hub.isConnected) void this.#publish({ kind: 'head', ...(head !== undefined && { head }) })
  }

  async receive(news: LiveNews): Promise<void> {
    switch (news.kind) {
      case 'head':
        if (news.head === undefined || news.head > this.#source.head()) this.#read()
        return
      case 'ask':
        return this.#answer(news.have)
      case 'piece':
        if (this.#listeners.size > 0 && !(await this.#source.sealer())) this.#take(news.piece)
        return
      case 'sealed': {
        if (this.#listeners.size === 0) return
        const sealer = await this.#source.sealer()
        const piece = sealer && tryParseJson(sealer.open(news.piece))
        if (isPiece(piece)) this.#take(piece)
      }
    }
  }

  /** Something may have been missed. */
  refresh(): void {
    this.#read()
    this.#askedAt = -Infinity
    this.#ask()
    // Announces the own response at once: readers whose request was lost ask again.
    this.#mentionedAt = -Infinity
    this.#send()
  }

  #start(epoch: number, after: number): StreamedResponse {
    const response = new StreamedResponse({ epoch, stream: ++this.#streams }, after)
    this.#own = { response, sent: 0 }
    if (!this.#now || compareStreams(response, this.#now) > 0) this.#now = response
    return response
  }

  #stop(): void {
    this.#own = undefined
    this.#cancelSend?.()
    this.#cancelSend = undefined
    if (this.#joined === 0) this.#now = undefined
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  /** The entries before the response are read before a piece of it is shown. */
  #take({ epoch, stream, after, offset, deltas }: ResponsePiece): void {
    const id: StreamId = { epoch, stream }
    const order = this.#now ? compareStreams(id, this.#now) : 1
    if (order < 0) return
    if (order > 0) this.#now = new StreamedResponse(id, after)
    if (after > this.#source.head()) this.#read()
    const isWhole = this.#now?.merge(offset, deltas) === true
    this.#notify()
    if (!isWhole || this.#hub.now() - this.#askedAt > renewMs) this.#ask()
  }

  /** Asks for the current response and for later ones. The answer is sent to all readers. */
  #ask(): void {
    const now = this.#hub.now()
    if (this.#listeners.size === 0 || this.#own) return
    const waitMs = this.#askedAt + askPauseMs - now
    if (waitMs > 0) {
      this.#cancelAsk ??= this.#hub.after(waitMs, () => this.#ask())
      return
    }
    this.#cancelAsk?.()
    this.#cancelAsk = undefined
    this.#askedAt = now
    const have = this.#now && { epoch: this.#now.epoch, stream: this.#now.stream, offset: this.#now.size }
    void this.#publish({ kind: 'ask', ...(have && { have }) })
  }

  #answer(have: (StreamId & { readonly offset: number }) | undefined): void {
    this.#askedUntil = this.#hub.now() + interestMs
    if (!this.#own) return
    const { response, sent } = this.#own
    const isSame = have !== undefined && compareStreams(have, response) === 0
    this.#own.sent = Math.min(sent, isSame ? have.offset : 0)
    this.#send()
  }

  #sendSoon(): void {
    if (!this.#own || this.#cancelSend) return
    // The first piece is sent at once: it tells readers that there is a response to ask for.
    const isFirst = this.#own.sent === 0 && this.#hub.now() - this.#mentionedAt > mentionMs
    if (isFirst) this.#send()
    else this.#cancelSend = this.#hub.after(batchMs, () => this.#send())
  }

  #send(): void {
    this.#cancelSend?.()
    this.#cancelSend = undefined
    if (!this.#own || !this.#hub.isConnected) return
    const { response, sent } = this.#own
    const { epoch, stream, after, size } = response
    const now = this.#hub.now()
    const isAsked = now < this.#askedUntil
    if (!isAsked && now - this.#mentionedAt < mentionMs && size > 0) return
    this.#mentionedAt = now
    const from = isAsked ? sent : size
    this.#own.sent = isAsked ? size : sent
    let offset = from
    const groups = isAsked ? [...inGroups(response.slice(from))] : []
    for (const deltas of groups.length > 0 ? groups : [[]]) {
      this.#sendPiece({ epoch, stream, after, offset, deltas })
      offset += deltas.reduce((sum, delta) => sum + sizeOf(delta), 0)
    }
  }

  #sendPiece(piece: ResponsePiece): void {
    this.#sending = this.#sending.then(async () => {
      const sealer = await this.#source.sealer()
      if (sealer) await this.#publish({ kind: 'sealed', piece: sealer.seal(JSON.stringify(piece)) })
      else await this.#publish({ kind: 'piece', piece })
    })
    // Nothing is lost: the response is recorded.
    this.#sending = this.#sending.catch(() => {})
  }

  async #publish(news: LiveNews): Promise<void> {
    try {
      this.#hub.publish(this.#channel ?? (await this.#source.uid()), news)
    } catch {
      // The thread was erased, or the store cannot be reached: there is nothing to say.
    }
  }

  async #subscribe(): Promise<void> {
    if (!this.#hub.hasTransport) return
    try {
      const channel = await this.#source.uid()
      if (this.#joined === 0 || this.#channel !== undefined) return
      this.#channel = channel
      await this.#hub.subscribe(channel, this)
      this.refresh()
    } catch {
      // The methods of the thread report the error of the store.
    }
  }

  #unsubscribe(): void {
    this.#cancelAsk?.()
    this.#cancelAsk = undefined
    if (this.#channel !== undefined) this.#hub.unsubscribe(this.#channel, this)
    this.#channel = undefined
    if (!this.#own) this.#now = undefined
  }

  /** One read at a time, however many messages arrive, and one more after the last one. */
  #read(): void {
    if (this.#joined === 0 || this.#source.head() < 0) return
    this.#isStale = this.#reading !== undefined
    if (this.#reading) return
    this.#reading = this.#source
      .catchUp()
      .then(
        () => this.#notify(),
        () => {},
      )
      .finally(() => {
        this.#reading = undefined
        if (this.#isStale) this.#read()
      })
  }
}

/** How long to collect deltas before they are sent. */
const batchMs = 30

/** How long an owner sends pieces after it was asked, and how often readers ask again while pieces arrive. */
const interestMs = 30_000
const renewMs = 10_000

/** How often an owner announces its response while no process asks for it. */
const mentionMs = 5_000
const askPauseMs = 200
