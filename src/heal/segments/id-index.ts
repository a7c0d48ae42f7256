import type { Codec } from '../../codecs/codec.ts'

/** The indexes of the messages with an id, in order. */
export interface IdPlaces {
  get(id: string): readonly number[] | undefined
}

/** The indexes of calls and items in a history, by id. */
export interface IdIndex {
  readonly calls: IdPlaces
  readonly items: IdPlaces
}

/** Built on demand, also for a growing history: each message is read once. */
export class HistoryIdIndex implements IdIndex {
  readonly #history: readonly unknown[]
  readonly #codec: Codec
  readonly #calls = new Places()
  readonly #items = new Places()
  #length = 0

  constructor(history: readonly unknown[], codec: Codec) {
    this.#history = history
    this.#codec = codec
  }

  get calls(): IdPlaces {
    this.#update()
    return this.#calls
  }

  get items(): IdPlaces {
    this.#update()
    return this.#items
  }

  #update(): void {
    const { callIds, itemIds } = this.#codec
    for (; this.#length < this.#history.length; this.#length++) {
      const message = this.#history[this.#length]
      this.#calls.add(callIds(message), this.#length)
      if (itemIds) this.#items.add(itemIds(message), this.#length)
    }
  }
}

/** Most ids occur once: only the others need a list. */
class Places implements IdPlaces {
  readonly #indexes = new Map<string, number | number[]>()

  add(ids: readonly string[], index: number): void {
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as string
      const known = this.#indexes.get(id)
      if (known === undefined) this.#indexes.set(id, index)
      else if (typeof known === 'number') this.#indexes.set(id, [known, index])
      else known.push(index)
    }
  }

  get(id: string): readonly number[] | undefined {
    const known = this.#indexes.get(id)
    return typeof known === 'number' ? [known] : known
  }
}
