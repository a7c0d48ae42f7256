/**
 * The ids of a history so far. Those from before a fork are kept as hashes of 32 bits: two ids with the same hash are taken for one, so
 * that a healthy history may be doubted, never the other way round.
 */
export class SeenIds {
  readonly #ids = new Set<string>()
  /** In ascending order. */
  readonly #hashes: Uint32Array

  constructor(hashes = none) {
    this.#hashes = hashes
  }

  /** False if the id is there already. */
  add(id: string): boolean {
    if (this.#hashes !== none && includes(this.#hashes, hashOf(id))) return false
    const { size } = this.#ids
    return this.#ids.add(id).size > size
  }

  /** The same ids without their text. Undefined if they are too many to be kept. */
  fork(): SeenIds | undefined {
    const size = this.#hashes.length + this.#ids.size
    if (size > hashesMax) return undefined
    const all = new Uint32Array(size)
    all.set(this.#hashes)
    let at = this.#hashes.length
    for (const id of this.#ids) all[at++] = hashOf(id)
    return new SeenIds(all.sort())
  }
}

const none = new Uint32Array(0)

const hashesMax = 8192

/** FNV-1a. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function includes(sorted: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return sorted[low] === wanted
}
