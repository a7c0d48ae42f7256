import type { Codec } from './codecs/codec.ts'

/** Tells where calls stand. */
export interface Calls {
  /** The places of the calls with these ids, and maybe of others, in order. */
  find(ids: Iterable<string>): ReadonlyMap<string, readonly number[]>
}

/** Looks through a history for the ids that it is asked for, once for each. */
export class CallPlaces implements Calls {
  readonly #history: readonly unknown[]
  readonly #codec: Codec
  readonly #places = new Map<string, number[]>()

  constructor(history: readonly unknown[], codec: Codec) {
    this.#history = history
    this.#codec = codec
  }

  find(ids: Iterable<string>): ReadonlyMap<string, readonly number[]> {
    const wanted = new Map<string, number[]>()
    for (const id of ids) if (!this.#places.has(id)) wanted.set(id, [])
    if (wanted.size === 0) return this.#places
    for (let index = 0; index < this.#history.length; index++) {
      for (const id of this.#codec.callIds(this.#history[index])) wanted.get(id)?.push(index)
    }
    for (const [id, places] of wanted) this.#places.set(id, places)
    return this.#places
  }
}
