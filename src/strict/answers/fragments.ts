import { isObject, type JsonObject, objects, textOrJson } from '../json.ts'
import type { BoundedMemory } from '../server/bounded-memory.ts'

/**
 * The fragments in which this server has streamed its answers. Google's own client sends an answer back as the contents in
 * which it arrived, so these are one turn; other neighbouring contents of the model are two.
 */
export class Fragments {
  readonly #neighbours = new Set<string>()
  readonly #memory: BoundedMemory

  constructor(memory: BoundedMemory) {
    this.#memory = memory
  }

  sent(chunks: readonly JsonObject[][]): void {
    let before: readonly JsonObject[] | undefined
    for (const chunk of chunks) {
      if (before) this.#add(pairOf(echoed(before), echoed(chunk)))
      before = chunk
    }
  }

  #add(pair: string): void {
    this.#memory.release(pair)
    this.#neighbours.add(pair)
    this.#memory.keep(pair, pair.length, () => this.#neighbours.delete(pair))
  }

  /** Whether both were adjacent fragments of one answer. */
  areOneTurn(before: JsonObject, after: JsonObject): boolean {
    return this.#neighbours.has(pairOf(echoed(objects(before.parts)), echoed(objects(after.parts))))
  }
}

/** The part of a content that clients send back unchanged: text, and the names and arguments of calls. */
const echoed = (parts: readonly JsonObject[]): unknown[] =>
  parts.map(({ text, functionCall }) => (isObject(functionCall) ? [functionCall.name, functionCall.args] : text))

const pairOf = (before: unknown[], after: unknown[]): string => textOrJson([before, after])
