/** Bounds what a server remembers. Beyond the limit, what was not used for longest is forgotten. */
export class BoundedMemory {
  readonly #max: number
  /** The least recently used first. */
  readonly #kept = new Map<unknown, Kept>()
  #size = 0

  /** `max` is in characters of JSON, about. */
  constructor(max = 128 * 2 ** 20) {
    this.#max = max
  }

  /** Counts what is stored under a key, in addition to what it already has. `forget` removes it from where it is stored. */
  keep(key: unknown, size: number, forget: () => void): void {
    const total = size + (this.#kept.get(key)?.size ?? entrySize)
    this.release(key)
    this.#kept.set(key, { size: total, forget })
    this.#size += total
    for (const [oldest, { forget: drop }] of this.#kept) {
      // What was stored last is kept, whatever its size.
      if (this.#size <= this.#max || oldest === key) return
      this.release(oldest)
      drop()
    }
  }

  /** Something was removed from where it was stored. */
  release(key: unknown): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}

interface Kept {
  readonly size: number
  forget(): void
}

/** What an entry takes besides its content. */
const entrySize = 500

/** The size of a value, about as many characters as its JSON has. */
export function sizeOf(value: unknown): number {
  let size = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    size += 16
    if (typeof next === 'string') size += next.length
    else if (Array.isArray(next)) for (const one of next) open.push(one)
    else if (typeof next === 'object' && next !== null)
      for (const [name, field] of Object.entries(next)) {
        size += name.length
        open.push(field)
      }
  }
  return size
}
