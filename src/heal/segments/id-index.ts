import type { Codec } from '../../codecs/codec.ts'

/** The indexes of calls and items in a history, by id, in order. */
export interface IdIndex {
  readonly calls: ReadonlyMap<string, readonly number[]>
  readonly items: ReadonlyMap<string, readonly number[]>
}

/** Built on demand, also for a growing history: each message is read once. */
export class HistoryIdIndex implements IdIndex {
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
    this.#update()
    return this.#calls
  }

  get items(): ReadonlyMap<string, readonly number[]> {
    this.#update()
    return this.#items
  }

  #update(): void {
    for (; this.#length < this.#history.length; this.#length++) {
      const message = this.#history[this.#length]
      for (const id of this.#codec.callIds(message)) this.#add(this.#calls, id)
      for (const id of this.#codec.itemIds?.(message) ?? []) this.#add(this.#items, id)
    }
  }

  #add(indexes: Map<string, number[]>, id: string): void {
    const known = indexes.get(id)
    if (known) known.push(this.#length)
    else indexes.set(id, [this.#length])
  }
}
