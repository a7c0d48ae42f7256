/** Ids in the form of each provider, counted instead of random, so that every run produces the same ones. */
export class Ids {
  readonly #counts = new Map<string, number>()

  /** The next id with this prefix, and with `length` letters and digits after it. */
  next(prefix: string, length: number): string {
    return prefix + padded(this.count(prefix), length)
  }

  /** How many of this kind there are, including this one. */
  count(kind: string): number {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return count
  }
}

/**
 * The count as letters and digits of a given length. The padding has no digits, so two counts never produce the same word.
 */
export function padded(count: number, length: number): string {
  const digits = String(count).padStart(Math.min(4, length), '0')
  return alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, Math.max(0, length - digits.length)) + digits
}

/** The count as a UUID. */
export const uuid = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
