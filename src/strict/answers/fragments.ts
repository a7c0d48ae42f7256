import { isObject, type JsonObject, jsonText, objects } from '../json.ts'

/**
 * The pieces in which this server has streamed its answers. Google's own client sends an answer back in the contents in
 * which it came, so those are one turn; contents of the model that stand side by side otherwise are two.
 */
export class Fragments {
  readonly #neighbours = new Set<string>()

  sent(chunks: readonly JsonObject[][]): void {
    for (let index = 1; index < chunks.length; index++)
      this.#neighbours.add(pairOf(said(chunks[index - 1]), said(chunks[index])))
  }

  /** Whether both came out of one answer, one right behind the other. */
  areOneTurn(before: JsonObject, after: JsonObject): boolean {
    return this.#neighbours.has(pairOf(said(objects(before.parts)), said(objects(after.parts))))
  }
}

/** What clients send back as it was: words, and who was called with what. */
const said = (parts: readonly JsonObject[]): unknown[] =>
  parts.map(({ text, functionCall }) => (isObject(functionCall) ? [functionCall.name, functionCall.args] : text))

const pairOf = (before: unknown[], after: unknown[]): string => jsonText([before, after])
