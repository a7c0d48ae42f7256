import { HeldText } from './held-text.ts'

/** Whether a content type is that of JSON values in lines of their own, as Ollama streams them. */
export const isJsonLines = (type: string): boolean => /ndjson|jsonl/i.test(type)

/**
 * Parses a stream of lines in chunks, and returns every complete line that is not empty. A line longer than `max` characters
 * is dropped, and returned as undefined.
 */
export class JsonLines {
  readonly #max: number
  /** The chunks of a line that has no end yet. */
  readonly #rest = new HeldText()
  #isSkipping = false

  constructor(max: number) {
    this.#max = max
  }

  push(text: string): (string | undefined)[] {
    const found: (string | undefined)[] = []
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      this.#rest.push(line)
      const whole = this.#rest.take().trim()
      if (this.#isSkipping || whole.length > this.#max) found.push(undefined)
      else if (whole !== '') found.push(whole)
      this.#isSkipping = false
    }
    if (!this.#isSkipping) this.#rest.push(last)
    if (this.#rest.length > this.#max) {
      this.#isSkipping = true
      this.#rest.take()
    }
    return found
  }

  /** Ends the last line if its end is missing. */
  end(): (string | undefined)[] {
    return this.push('\n')
  }
}
