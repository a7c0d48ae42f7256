import type { CodecId } from '../codecs/index.ts'
import type { Part } from '../core/conversation.ts'
import { Detection } from './detect.ts'
import { repair } from './heal.ts'
import { type HealOptions, type Plan, planFor } from './options.ts'
import { PlacesIn } from './segments/id-index.ts'
import { repairAlone } from './segments/repair-segments.ts'
import { Survey } from './segments/scan-segments.ts'
import { warnOfLoss } from './warn.ts'

export interface Healer {
  /** Adds messages at the end; costs what is new. */
  push(...messages: readonly unknown[]): void
  /** The history so far, as `heal` would give it. */
  readonly history: readonly unknown[]
}

/** Heals a history that only grows, turn by turn: turns that are done with are not looked at again. */
export const createHealer = (options: HealOptions = {}): Healer => new GrowingHistory(options)

/**
 * `#raw` has everything that was pushed, `#done` the healed turns up to `#cut`, the last place where the history could be
 * cut. A call or an item with one of the ids in `#watched` would shed new light on them. Once something is a matter of the whole,
 * `#whole` is set, and every reading heals all of it. If the history turns out to be in another format, all of it is looked at
 * again; where that comes often, only before it is read, which is noted in `#stale`.
 */
class GrowingHistory implements Healer {
  readonly #options: HealOptions
  readonly #raw: unknown[] = []
  #detection = new Detection()
  /** What it was taken for last; null before the first message. */
  #format: CodecId | undefined | null = null
  #plan: Plan
  #survey: Survey
  #done: unknown[] = []
  #watched = new Set<string>()
  #cut = 0
  /** The key of the message at the cut. */
  #key = 0
  #places: PlacesIn
  #whole = false
  #stale = false
  /** How long the history was when it was looked at again last. */
  #started = 0
  #history: readonly unknown[] | undefined

  constructor(options: HealOptions) {
    this.#options = { ...options, onRepair: options.onRepair ?? warnOfLoss }
    this.#plan = planFor([], options)
    this.#survey = new Survey(this.#plan.codec, this.#plan.facts)
    this.#places = new PlacesIn(this.#raw, this.#plan.codec)
  }

  push(...messages: readonly unknown[]): void {
    this.#history = undefined
    for (const message of messages) {
      this.#raw.push(message)
      if (this.#isOtherShape(message)) this.#stale = true
      if (!this.#stale) this.#take(message)
      // Twice as long as the last time, all of it costs no more than what is new.
      else if (this.#raw.length >= 2 * this.#started) this.#startAgain()
    }
  }

  get history(): readonly unknown[] {
    this.#history ??= this.#read()
    return this.#history
  }

  #read(): readonly unknown[] {
    if (this.#stale) this.#startAgain()
    if (this.#whole) return repair(this.#raw, this.#options).messages
    const { tail } = this.#survey
    if (!tail) return [...this.#done, ...this.#raw.slice(this.#cut)]
    const healed = repairAlone(this.#raw, tail, this.#key, this.#plan, this.#places)
    if (!healed) return repair(this.#raw, this.#options).messages
    if (healed.repairs.length > 0) this.#options.onRepair?.({ ...healed, changed: true })
    return [...this.#done, ...healed.messages]
  }

  #take(message: unknown): void {
    this.#survey.push(message)
    if (this.#whole) return
    if (this.#watched.size > 0 && this.#concernsTheDone(message)) this.#whole = true
    const cut = this.#survey.cuts[this.#survey.cuts.length - 1]
    if (cut > this.#cut) this.#settle(cut)
  }

  /**
   * Whether a message makes a call, or is an item, that turns which are done with wait for. A result that reaches back finds
   * its call when its own turn is healed; where the provider holds some of the calls, or where calls are made up for results,
   * there may be none to find.
   */
  #concernsTheDone(message: unknown): boolean {
    const { codec, continues, choices } = this.#plan
    for (const id of codec.callIds(message)) if (this.#watched.has(id)) return true
    const item = codec.itemId?.(message)
    if (item !== undefined && this.#watched.has(item)) return true
    if (!continues && choices.orphans !== 'revive') return false
    return codec.decode([message]).messages.some(({ parts }) => parts.some(this.#isWatched))
  }

  readonly #isWatched = (part: Part): boolean => part.kind === 'result' && this.#watched.has(part.id)

  /** The turns up to a cut are done with. */
  #settle(cut: number): void {
    const doubtful = this.#survey.closed.at(-1)
    if (doubtful?.to === cut) {
      const healed = repairAlone(this.#raw, doubtful, this.#key, this.#plan, this.#places)
      if (!healed) this.#whole = true
      else {
        for (const message of healed.messages) this.#done.push(message)
        for (const id of healed.watched) this.#watched.add(id)
        if (healed.repairs.length > 0) this.#options.onRepair?.({ ...healed, changed: true })
      }
    } else for (let index = this.#cut; index < cut; index++) this.#done.push(this.#raw[index])
    this.#key += this.#plan.codec.count(this.#raw, this.#cut, cut)
    this.#cut = cut
  }

  /** Whether a message shows that the history is not in the shape it was taken for. */
  #isOtherShape(message: unknown): boolean {
    if (this.#options.format !== undefined) return false
    this.#detection.push(message)
    const format = this.#detection.verdict(this.#options.for === undefined ? undefined : this.#plan.dialect.codec)
    if (format === this.#format) return false
    this.#format = format
    return true
  }

  #startAgain(): void {
    this.#stale = false
    this.#started = this.#raw.length
    this.#plan = planFor(this.#raw, this.#options)
    this.#survey = new Survey(this.#plan.codec, this.#plan.facts)
    this.#places = new PlacesIn(this.#raw, this.#plan.codec)
    this.#done = []
    this.#watched = new Set()
    this.#cut = 0
    this.#key = 0
    this.#whole = this.#plan.foreign !== undefined
    for (const message of this.#raw) this.#take(message)
  }
}
