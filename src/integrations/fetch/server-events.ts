/** Takes a stream of server-sent events in pieces, and gives the data of every event that has come whole. */
export class ServerEvents {
  /** The pieces of a line that has no end yet. They are joined once, however many there are. */
  #rest: string[] = []
  readonly #data: string[] = []

  push(text: string): string[] {
    const events: string[] = []
    this.#rest.push(text)
    if (!/[\r\n]/.test(text)) return events
    const lines = this.#rest.join('').split(lineEnd)
    this.#rest = [lines.pop() ?? '']
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line === '' && this.#data.length > 0) events.push(this.#data.splice(0).join('\n'))
    }
    return events
  }

  /** What stands at the end without the empty line that should follow it. */
  end(): string[] {
    return this.push('\n\n')
  }
}

/** A carriage return at the end of a piece may be half of a line end. */
const lineEnd = /\r\n|\n|\r(?!$)/
