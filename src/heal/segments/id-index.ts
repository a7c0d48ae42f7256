import type { Codec } from '../../codecs/codec.ts'

/** Where calls and items stand in a history, by their ids, in order. */
export interface Places {
  readonly calls: ReadonlyMap<string, readonly number[]>
  readonly items: ReadonlyMap<string, readonly number[]>
}

/** Looks for them when it is asked, also in a history that has grown since: at each message once. */
export class PlacesIn implements Places {
  readonly #history: readonly unknown[]
  readonly #codec: Codec
  readonly #calls = new Map<string, number[]>()
  readonly #items = new Map<string, number[]>()
  #length = 0

  constructor(history: readonly unknown[], codec: Codec) {
    this.#history = history
    this.#codec = codec
  }

  get calls(): ReadonlyMap<string, readonly number[]> {
    this.#look()
    return this.#calls
  }

  get items(): ReadonlyMap<string, readonly number[]> {
    this.#look()
    return this.#items
  }

  #look(): void {
    for (; this.#length < this.#history.length; this.#length++) {
      const message = this.#history[this.#length]
      for (const id of this.#codec.callIds(message)) this.#add(this.#calls, id)
      const item = this.#codec.itemId?.(message)
      if (item !== undefined) this.#add(this.#items, item)
    }
  }

  #add(places: Map<string, number[]>, id: string): void {
    const known = places.get(id)
    if (known) known.push(this.#length)
    else places.set(id, [this.#length])
  }
}
