/** The chunks of an OpenAI response that says these pieces. */
export const chunk = (content: string) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
})

export const lastChunk = {
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
}

/** A stream that is written to from outside. */
export class ChunkStream {
  readonly #waiting: unknown[] = []
  #wake = (): void => {}
  #end: { readonly error?: unknown } | undefined

  say(...pieces: string[]): void {
    for (const piece of pieces) this.#waiting.push(chunk(piece))
    this.#wake()
  }

  /** The whole response was sent. */
  finish(): void {
    this.#waiting.push(lastChunk)
    this.#end = {}
    this.#wake()
  }

  fail(error: unknown): void {
    this.#end = { error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift()
      if (this.#end && 'error' in this.#end) throw this.#end.error
      if (this.#end) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
