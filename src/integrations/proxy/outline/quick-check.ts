import type { HealOptions } from '../../../heal/options.ts'
import {
  type HealthyPrefixes,
  headLength,
  type KnownPrefix,
  placeholder,
  type RequestContent,
} from '../../fetch/check/healthy-prefixes.ts'
import { continuesHealthy, isSurelyHealthy } from '../../fetch/check/surely-healthy.ts'
import { remember } from '../../fetch/check/text-prefix.ts'
import type { Endpoint } from '../../fetch/endpoint.ts'
import { JsonOutline } from './outline.ts'

/**
 * Checks a body by its outline while it arrives. If it may begin like an earlier one, it is read at its end: then only what follows the
 * known prefix has to be.
 */
export class QuickCheck {
  readonly #endpoint: Endpoint
  readonly #options: HealOptions
  readonly #prefixes: HealthyPrefixes | undefined
  readonly #length: number
  #outline: JsonOutline | undefined
  /** The body may be known, so that nothing of it is read yet. */
  #waits = false
  #known: KnownPrefix | undefined
  #value: unknown

  /** `length` is NaN if it is not known yet. */
  constructor(endpoint: Endpoint, options: HealOptions, prefixes: HealthyPrefixes | undefined, length: number) {
    this.#endpoint = endpoint
    this.#options = options
    this.#prefixes = prefixes
    this.#length = length
  }

  push(chunk: Buffer): void {
    if (!this.#outline && !this.#waits)
      this.#waits = this.#prefixes?.mayKnow(chunk.toString('latin1', 0, headLength), this.#length) === true
    if (this.#waits) return
    this.#outline ??= new JsonOutline()
    this.#outline.push(chunk)
  }

  /** Whether healing would certainly leave the body unchanged. */
  isHealthy(chunks: readonly Buffer[]): boolean {
    if (this.#waits && this.#continuesKnown(chunks)) return true
    if (this.#waits) this.#outline = outlineOf(chunks)
    this.#known = undefined
    this.#value = parse(this.#outline?.text)
    return this.#value !== undefined && isSurelyHealthy(this.#value, this.#endpoint, this.#options)
  }

  /** Remembers a healthy body, for those that continue it. */
  remember(chunks: readonly Buffer[]): void {
    const outline = this.#outline
    if (!this.#prefixes || !outline) return
    const content = bodyContent(chunks)
    if (!this.#prefixes.isWorth(content.length, this.#known)) return
    const read = {
      text: outline.latin1,
      value: this.#value,
      known: this.#known,
      placeOf: (at: number) => outline.placeOf(at),
    }
    remember(this.#prefixes, content, read, this.#endpoint, this.#options)
  }

  #continuesKnown(chunks: readonly Buffer[]): boolean {
    const known = this.#prefixes?.find(bodyContent(chunks))
    if (!known) return false
    this.#outline = outlineOf([
      ...range(chunks, 0, known.historyAt),
      Buffer.from(`"${placeholder}",`),
      ...range(chunks, known.length, Number.POSITIVE_INFINITY),
    ])
    this.#value = parse(this.#outline.text)
    this.#known = known
    return continuesHealthy(this.#value, placeholder, this.#endpoint, this.#options, known.start) !== undefined
  }
}

function outlineOf(chunks: Iterable<Buffer>): JsonOutline {
  const outline = new JsonOutline()
  for (const chunk of chunks) outline.push(chunk)
  return outline
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The bytes of a body from `from` up to `to`. */
function* range(chunks: readonly Buffer[], from: number, to: number): Generator<Buffer> {
  let start = 0
  for (const chunk of chunks) {
    const end = start + chunk.length
    if (end > from && start < to)
      yield start >= from && end <= to ? chunk : chunk.subarray(Math.max(0, from - start), to - start)
    start = end
    if (start >= to) return
  }
}

const bodyContent = (chunks: readonly Buffer[]): RequestContent => ({
  length: chunks.reduce((sum, { length }) => sum + length, 0),
  slice: (from, to) => Buffer.concat([...range(chunks, from, to)]).toString('latin1'),
  pieces: to => range(chunks, 0, to),
})
