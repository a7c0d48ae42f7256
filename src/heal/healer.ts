import type { CodecId } from '../codecs/index.ts'
import type { FormatMessages } from '../codecs/messages.ts'
import type { Part } from '../core/conversation.ts'
import { FormatDetector } from './detect.ts'
import { repair } from './heal.ts'
import { type HealOptions, type HealPlan, planFor } from './options.ts'
import { HistoryIdIndex } from './segments/id-index.ts'
import { type HealedSegment, repairOneSegment } from './segments/repair-segments.ts'
import { type Segment, SegmentScan } from './segments/scan-segments.ts'
import { warnOfLoss } from './warn.ts'

export interface Healer<Message = unknown> {
  /** Adds messages at the end. The cost is proportional to what is new. */
  push(...messages: readonly unknown[]): void
  /** The history so far, healed as by `heal`. It stays as it is when more is pushed, so the first read after a push copies the list. */
  readonly history: readonly Message[]
  /**
   * The same messages, in a list that later pushes change (a live list). Reading it costs only what is new, at any length. Do not change
   * it, and do not keep it: read it again after a push.
   */
  readonly live: readonly Message[]
}

/** Heals a growing history turn by turn: finished turns are not read again. */
export function createHealer<Format extends CodecId>(
  options: HealOptions & { readonly format: Format },
): Healer<FormatMessages[Format]>
export function createHealer(options?: HealOptions): Healer
export function createHealer(options: HealOptions = {}): Healer {
  return new GrowingHistory(options)
}

/**
 * `#raw` has all pushed messages, `#list` the healed turns up to `#cut`, the last position where the history can be
 * cut, and what was read after it. A later call or item with an id in `#watched` would change how those turns are healed.
 * Then, or once a defect concerns the whole history, `#whole` is set, and every read heals all of it. If the history turns out
 * to be in another format, all of it is scanned again; if that happens often, only before the next read (`#stale`).
 */
export class GrowingHistory implements Healer {
  readonly #options: HealOptions
  readonly #raw: unknown[] = []
  #detection = new FormatDetector()
  /** The format detected last; null before the first message. */
  #format: CodecId | undefined | null = null
  #plan: HealPlan
  #scan: SegmentScan
  #list: unknown[] = []
  /** How many messages of `#list` are before the cut, and how many after it are there unchanged, as they were pushed. */
  #done = 0
  #plain = 0
  #watched = new Set<string>()
  #cut = 0
  /** The key of the message at the cut. */
  #key = 0
  #index: HistoryIdIndex
  /** Whether a result after the cut may answer a call before it. */
  #leavesOpen = false
  #whole = false
  #stale = false
  /** The length of the history when it was last scanned again. */
  #started = 0
  /** What was read since the last push. */
  #live: readonly unknown[] | undefined
  #history: readonly unknown[] | undefined

  constructor(options: HealOptions) {
    this.#options = { ...options, onRepair: options.onRepair ?? warnOfLoss }
    this.#plan = planFor([], options)
    this.#scan = new SegmentScan(this.#plan.codec, this.#plan.facts)
    this.#index = new HistoryIdIndex(this.#raw, this.#plan.codec)
  }

  push(...messages: readonly unknown[]): void {
    this.#live = undefined
    this.#history = undefined
    for (const message of messages) {
      this.#raw.push(message)
      if (this.#changesFormat(message)) this.#stale = true
      if (!this.#stale) this.#take(message)
      // When the history has doubled since the last scan, scanning all of it costs no more than what is new.
      else if (this.#raw.length >= 2 * this.#started) this.#restart()
    }
  }

  get history(): readonly unknown[] {
    this.#history ??= this.live.slice()
    return this.#history
  }

  get live(): readonly unknown[] {
    this.#live ??= this.#read()
    return this.#live
  }

  /** The number of first messages that stay the same in `live` as long as it is the same list. */
  get settled(): number {
    return this.#done
  }

  #read(): readonly unknown[] {
    if (this.#stale) this.#restart()
    if (this.#whole) return repair(this.#raw, this.#options).messages
    const { tail } = this.#scan
    if (!tail) {
      this.#addPlain(this.#raw.length)
      return this.#list
    }
    const healed = this.#healSegment(tail)
    if (!healed) return repair(this.#raw, this.#options).messages
    if (healed.repairs.length > 0) this.#options.onRepair?.({ ...healed, changed: true })
    this.#addHealed(healed.messages)
    return this.#list
  }

  /** Adds messages as they were pushed, up to an index of them. */
  #addPlain(to: number): void {
    this.#cutList(this.#done + this.#plain)
    for (let index = this.#cut + this.#plain; index < to; index++) this.#list.push(this.#raw[index])
    this.#plain = Math.max(this.#plain, to - this.#cut)
  }

  /** Adds what follows the cut as it was healed. */
  #addHealed(messages: readonly unknown[]): void {
    this.#cutList(this.#done)
    this.#plain = 0
    for (const message of messages) this.#list.push(message)
  }

  #cutList(length: number): void {
    if (this.#list.length > length) this.#list.length = length
  }

  #take(message: unknown): void {
    this.#scan.push(message)
    if (this.#whole) return
    if (this.#watched.size > 0 && this.#affectsDone(message)) this.#whole = true
    const cut = this.#scan.cuts.at(-1) ?? 0
    if (cut > this.#cut) this.#finish(cut)
  }

  /**
   * Whether a message has a call or an item that finished turns wait for. A result without a call makes its own turn
   * doubtful, unless the provider stores some of the calls.
   */
  #affectsDone(message: unknown): boolean {
    const { codec, continues } = this.#plan
    for (const id of codec.callIds(message)) if (this.#watched.has(id)) return true
    for (const id of codec.itemIds?.(message) ?? []) if (this.#watched.has(id)) return true
    return continues && codec.decode([message]).messages.some(({ parts }) => parts.some(this.#isWatched))
  }

  readonly #isWatched = (part: Part): boolean => part.kind === 'result' && this.#watched.has(part.id)

  /** Undefined if the segment or finished turns would be healed differently as parts of the whole history. */
  #healSegment(segment: Segment): HealedSegment | undefined {
    const healed = repairOneSegment(this.#raw, segment, this.#key, this.#plan, this.#index, this.#leavesOpen)
    return healed?.watched.some(id => this.#watched.has(id)) ? undefined : healed
  }

  /** Finishes the turns up to a cut. */
  #finish(cut: number): void {
    const doubtful = this.#scan.closed.at(-1)
    let healed: HealedSegment | undefined
    if (doubtful?.to === cut) {
      healed = this.#healSegment(doubtful)
      if (!healed) this.#whole = true
      else {
        this.#addHealed(healed.messages)
        this.#done = this.#list.length
        for (const id of healed.watched) this.#watched.add(id)
        this.#leavesOpen ||= healed.leavesOpen
      }
    } else {
      this.#addPlain(cut)
      this.#done += cut - this.#cut
      this.#plain -= cut - this.#cut
    }
    this.#key += this.#plan.codec.count(this.#raw, this.#cut, cut)
    this.#cut = cut
    // Last: it may throw, and the caller may go on.
    if (healed && healed.repairs.length > 0) this.#options.onRepair?.({ ...healed, changed: true })
  }

  /** Whether a message shows that the history is in another format than detected so far. */
  #changesFormat(message: unknown): boolean {
    if (this.#options.format !== undefined) return false
    this.#detection.push(message)
    const format = this.#detection.verdict(this.#options.for === undefined ? undefined : this.#plan.dialect.codec)
    if (format === this.#format) return false
    this.#format = format
    return true
  }

  #restart(): void {
    this.#stale = false
    this.#started = this.#raw.length
    this.#plan = planFor(this.#raw, this.#options)
    this.#scan = new SegmentScan(this.#plan.codec, this.#plan.facts)
    this.#index = new HistoryIdIndex(this.#raw, this.#plan.codec)
    this.#list = []
    this.#done = 0
    this.#plain = 0
    this.#watched = new Set()
    this.#cut = 0
    this.#key = 0
    this.#leavesOpen = false
    this.#whole = this.#plan.unreadable !== undefined
    for (const message of this.#raw) this.#take(message)
  }
}
