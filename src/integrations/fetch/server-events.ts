import { HeldText } from './held-text.ts'

/**
 * Parses a stream of server-sent events in chunks, and returns the data of every complete event. An event longer than `max`
 * characters is dropped, and returned as undefined.
 */
export class ServerEvents {
  readonly #max: number
  /** The chunks of a line that has no end yet. */
  readonly #rest = new HeldText()
  #data: string[] = []
  #dataLength = 0

  constructor(max: number) {
    this.#max = max
  }

  push(text: string): (string | undefined)[] {
    const events: (string | undefined)[] = []
    this.#rest.push(text)
    if (!/[\r\n]/.test(text)) {
      if (this.#rest.length + this.#dataLength > this.#max) this.#skip()
      return events
    }
    const lines = this.#rest.take().split(lineEnd)
    this.#rest.push(lines.pop() ?? '')
    for (const line of lines) {
      if (line.startsWith('data:')) this.#take(line)
      else if (line === '' && this.#dataLength > 0) {
        events.push(this.#dataLength > this.#max ? undefined : this.#data.join('\n'))
        this.#data = []
        this.#dataLength = 0
      }
    }
    return events
  }

  /** Ends the last event if the empty line after it is missing. */
  end(): (string | undefined)[] {
    return this.push('\n\n')
  }

  #take(line: string): void {
    this.#dataLength += line.length
    if (this.#dataLength > this.#max) this.#data = []
    else this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
  }

  /** Drops an event that is too long. The rest of its line is then read as a comment. */
  #skip(): void {
    this.#data = []
    this.#dataLength = this.#max + 1
    this.#rest.take()
    this.#rest.push(':')
  }
}

/** A carriage return at the end of a chunk may be the first part of a line end. */
const lineEnd = /\r\n|\n|\r(?!$)/
