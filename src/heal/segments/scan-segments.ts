import type { Codec, Scan } from '../../codecs/codec.ts'
import type { Facts } from '../../core/dialect.ts'

/** The messages from `from` up to `to`: whole turns. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Where a scan of the history doubts first: its length if only its end is doubtful, undefined if nothing is. */
export function firstDoubt(history: readonly unknown[], scan: Scan): number | undefined {
  let index = 0
  while (index < history.length && scan.push(history[index])) index++
  return index === history.length && scan.end() ? undefined : index
}

/**
 * Walks a history once, building nothing, and tells its doubtful stretches from the healthy rest. A history can be cut
 * where the assistant has closed a turn and the user opens the next: no rule but those of `heal.ts` looks across.
 *
 * `#start` is where the present stretch begins, `#doubtful` whether something was found in it.
 */
export class Survey {
  /** Where the history can be cut, in order. */
  readonly cuts: number[] = [0]
  /** The doubtful stretches between the cuts. */
  readonly closed: Stretch[] = []
  readonly #codec: Codec
  readonly #scan: Scan
  /** How many messages were pushed. */
  length = 0
  #start = 0
  #doubtful = false
  #last: unknown

  constructor(codec: Codec, facts: Facts) {
    this.#codec = codec
    this.#scan = scanFor(codec, facts)
  }

  /** The survey of a whole history, or undefined if nothing in it is doubtful: then its cuts are not even looked for. */
  static of(history: readonly unknown[], codec: Codec, facts: Facts): Survey | undefined {
    const survey = new Survey(codec, facts)
    const healthy = firstDoubt(history, survey.#scan)
    if (healthy === undefined) return undefined
    for (let index = 0; index < history.length; index++) {
      survey.#meet(history[index])
      if (index === healthy) survey.#doubtful = true
      else if (index > healthy) survey.#judge(history[index])
    }
    return survey
  }

  push(message: unknown): void {
    this.#meet(message)
    this.#judge(message)
  }

  /** All doubtful stretches of what was pushed so far, as if it ended here. */
  stretches(): Stretch[] {
    const { tail } = this
    return tail ? [...this.closed, tail] : this.closed
  }

  /** What stands behind the last cut, if it is doubtful as the end of a history. */
  get tail(): Stretch | undefined {
    return this.#doubtful || !this.#scan.end() ? { from: this.#start, to: this.length } : undefined
  }

  #meet(message: unknown): void {
    if (this.#codec.opensTurn(message) && this.#codec.closesTurn(this.#last)) this.#cut()
    if (!this.#codec.isAside?.(message)) this.#last = message
    this.length++
  }

  #judge(message: unknown): void {
    this.#doubtful ||= !this.#scan.push(message)
  }

  #cut(): void {
    if (this.#doubtful) {
      this.closed.push({ from: this.#start, to: this.length })
      this.#scan.resume()
      this.#doubtful = false
    }
    this.#start = this.length
    this.cuts.push(this.length)
  }
}

/** How a history is scanned. For few models a scan knows too little: everything is looked at. */
export const scanFor = (codec: Codec, facts: Facts): Scan =>
  facts.textBesideCalls === 'refuse' ? doubting : codec.scan(facts)

const doubting: Scan = { push: () => false, end: () => false, resume() {} }
