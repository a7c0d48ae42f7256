import type { Codec, Scan } from '../../codecs/codec.ts'
import type { Facts } from '../../core/dialect.ts'

/** Whole turns: the messages from `from` to before `to`. */
export interface Segment {
  readonly from: number
  readonly to: number
}

/** Whole turns, with the index of the first message that is not certainly healthy: `to` if only the end is doubtful. */
export interface DoubtfulSegment extends Segment {
  readonly doubt: number
}

/**
 * The index of the first doubtful message: the length of the history if only its end is doubtful, undefined if nothing
 * is.
 */
export function firstDoubt(history: readonly unknown[], scan: Scan): number | undefined {
  let index = 0
  while (index < history.length && scan.push(history[index])) index++
  return index === history.length && scan.end() ? undefined : index
}

/**
 * Scans a history once, without allocation, and finds its doubtful segments. A history can be cut where the assistant
 * has closed a turn and the user opens the next: only the rules named in `repair-segments.ts` look across a cut.
 * `#start` is the start of the current segment, `#doubt` the index of the first doubtful message in it.
 */
export class SegmentScan {
  /** The positions where the history can be cut, in order. */
  readonly cuts: number[] = [0]
  /** The doubtful segments between the cuts. */
  readonly closed: DoubtfulSegment[] = []
  readonly #codec: Codec
  readonly #scan: Scan
  /** The number of pushed messages. */
  length = 0
  #start = 0
  #doubt: number | undefined
  #last: unknown

  constructor(codec: Codec, facts: Facts) {
    this.#codec = codec
    this.#scan = scanFor(codec, facts)
  }

  /** The scan of a whole history, or undefined if nothing in it is doubtful: then its cuts are not computed. */
  static of(history: readonly unknown[], codec: Codec, facts: Facts): SegmentScan | undefined {
    const scan = new SegmentScan(codec, facts)
    const doubt = firstDoubt(history, scan.#scan)
    if (doubt === undefined) return undefined
    for (let index = 0; index < history.length; index++) {
      scan.#advance(history[index])
      if (index === doubt) scan.#doubt = index
      else if (index > doubt) scan.#scanMessage(history[index])
    }
    return scan
  }

  push(message: unknown): void {
    this.#advance(message)
    this.#scanMessage(message)
  }

  /** All doubtful segments so far, as if the history ended here. */
  segments(): DoubtfulSegment[] {
    const { tail } = this
    return tail ? [...this.closed, tail] : this.closed
  }

  /** The messages after the last cut, if they are doubtful as the end of a history. */
  get tail(): DoubtfulSegment | undefined {
    const doubt = this.#doubt ?? (this.#scan.end() ? undefined : this.length)
    return doubt === undefined ? undefined : { from: this.#start, to: this.length, doubt }
  }

  #advance(message: unknown): void {
    if (this.#codec.opensTurn(message) && this.#codec.closesTurn(this.#last)) this.#cut()
    if (!this.#codec.isAside?.(message)) this.#last = message
    this.length++
  }

  #scanMessage(message: unknown): void {
    if (this.#doubt === undefined && !this.#scan.push(message)) this.#doubt = this.length - 1
  }

  #cut(): void {
    if (this.#doubt !== undefined) {
      this.closed.push({ from: this.#start, to: this.length, doubt: this.#doubt })
      this.#scan.resume()
      this.#doubt = undefined
    }
    this.#start = this.length
    this.cuts.push(this.length)
  }
}

/** The scan for a codec and a dialect. For a few models no scan is precise enough: then everything is doubtful. */
export const scanFor = (codec: Codec, facts: Facts): Scan =>
  facts.textBesideCalls === 'refuse' ? doubtAll : codec.scan(facts)

const doubtAll: Scan = { push: () => false, end: () => false, resume() {} }
