import type { HealthyStart } from './surely-healthy.ts'

/** The content of a request, in bytes or in UTF-16 units. */
export interface RequestContent {
  readonly length: number
  /** A short part of it. */
  slice(from: number, to: number): string
  /** All of it up to `to`, in pieces of any length. */
  pieces(to: number): Iterable<Uint8Array>
}

/** The beginning of a healthy request: up to the first message that is not known. */
export interface KnownPrefix {
  readonly length: number
  /** Where its history begins: after the bracket. */
  readonly historyAt: number
  readonly start: HealthyStart
}

export interface PrefixLimits {
  /** How many prefixes are kept. */
  readonly entriesMax?: number
  /** Reading a shorter prefix costs less than recognising it. */
  readonly lengthMin?: number
  /** One that is longer by less than this, or by less than a sixteenth, is not worth another hash. */
  readonly growthMin?: number
}

interface Entry extends KnownPrefix {
  /** Hashes of its first and last units. */
  readonly head: number
  readonly tail: number
  readonly seal: string
}

/**
 * Recognises the beginning of a request that was found healthy, since an agent's request repeats its last one. No content is kept: only the
 * length of a prefix, its hashes, and what the scan needs to continue, a kilobyte in all and four bytes for each id.
 *
 * Prefixes are compared by AES-GMAC with a random key that never leaves the process, nor does a tag: it is a universal hash, so that two
 * prefixes of 64 MB have the same tag with a probability below 2^-100, even if an attacker chose them. It is ten times as fast as SHA-256.
 */
export class HealthyPrefixes {
  readonly #crypto: typeof import('node:crypto')
  readonly #key: Uint8Array
  readonly #limits: Required<PrefixLimits>
  /** The next to be forgotten comes first. */
  #entries: Entry[] = []

  /** Undefined on hosts without the module `crypto` of Node, or where this cipher is missing or does not read all pieces. */
  static create({
    entriesMax = 256,
    lengthMin = 16 * 1024,
    growthMin = 8 * 1024,
  }: PrefixLimits = {}): HealthyPrefixes | undefined {
    const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
    try {
      if (!crypto) return undefined
      const prefixes = new HealthyPrefixes(crypto, { entriesMax, lengthMin, growthMin })
      const sealOf = (...pieces: Uint8Array[]): string =>
        prefixes.#seal({ length: 0, slice: () => '', pieces: () => pieces }, 0)
      const [one, other, both] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4), Uint8Array.of(1, 2, 3, 4)]
      // That `setAAD` may be called for each piece is not documented, and other hosts have their own.
      if (sealOf(one, other) !== sealOf(both) || sealOf(both) === sealOf(other)) return undefined
      return prefixes
    } catch {
      return undefined
    }
  }

  private constructor(crypto: typeof import('node:crypto'), limits: Required<PrefixLimits>) {
    this.#crypto = crypto
    this.#key = crypto.randomBytes(16)
    this.#limits = limits
  }

  /** Whether a request that begins with `head` may be known; `length` is NaN if it is not known yet. */
  mayKnow(head: string, length: number): boolean {
    if (head.length < headLength || this.#entries.length === 0) return false
    const hash = hashOf(head)
    return this.#entries.some(entry => entry.head === hash && !(entry.length >= length))
  }

  /** The longest known prefix of a request. */
  find(content: RequestContent): KnownPrefix | undefined {
    if (this.#entries.length === 0 || content.length < headLength) return undefined
    const head = hashOf(content.slice(0, headLength))
    const candidates = this.#entries
      .filter(entry => entry.head === head && entry.length < content.length)
      .sort((one, other) => other.length - one.length)
    let compared = 0
    for (const entry of candidates) {
      if (tailOf(content, entry.length) !== entry.tail) continue
      if (this.#seal(content, entry.length) === entry.seal) {
        this.#remove(entry)
        this.#entries.push(entry)
        return entry
      }
      if (++compared === comparedMax) return undefined
    }
    return undefined
  }

  /** Whether a prefix that ends at `length` is worth adding to one that is known: each costs a hash of all its bytes. */
  isWorth(length: number, known: KnownPrefix | undefined): boolean {
    const { lengthMin, growthMin } = this.#limits
    return length >= lengthMin && (!known || length - known.length > Math.max(growthMin, known.length / 16))
  }

  /** Adds a prefix. A shorter one that it continues is the next to be forgotten: only another branch of the conversation needs it. */
  add(content: RequestContent, prefix: KnownPrefix, continued: KnownPrefix | undefined): void {
    const { length } = prefix
    const { entriesMax } = this.#limits
    const [head, tail] = [hashOf(content.slice(0, headLength)), tailOf(content, length)]
    const old = continued && this.#remove(continued)
    if (old && this.#entries.length < entriesMax - 1) this.#entries.unshift(old)
    if (this.#entries.length >= entriesMax) this.#entries.shift()
    this.#entries.push({ ...prefix, head, tail, seal: this.#seal(content, length) })
  }

  #remove(prefix: KnownPrefix): Entry | undefined {
    const at = this.#entries.indexOf(prefix as Entry)
    return at < 0 ? undefined : this.#entries.splice(at, 1)[0]
  }

  #seal(content: RequestContent, length: number): string {
    const mac = this.#crypto.createCipheriv('aes-128-gcm', this.#key, nonce)
    for (const piece of content.pieces(length)) mac.setAAD(piece)
    mac.final()
    return mac.getAuthTag().toString('base64')
  }
}

/** How many units at the beginning are compared first, to find prefixes that are worth comparing as a whole. */
export const headLength = 1024

const tailOf = (content: RequestContent, length: number): number =>
  hashOf(content.slice(Math.max(0, length - tailLength), length))

const tailLength = 64

/** Requests with the same first and last units are usually the same conversation. */
const comparedMax = 2

/** The key is used for nothing else, and no tag is shown to anyone. */
const nonce = new Uint8Array(12)

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Stands in for the messages of a prefix. Random, so that no request contains it. */
export const placeholder: string = globalThis.crypto?.randomUUID?.() ?? String(Math.random())
