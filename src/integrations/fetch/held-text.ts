/**
 * Text that arrives in pieces and is held until it is complete. Many pieces are joined from time to time: a text that grows by `+=` takes
 * 32 bytes for each piece, whatever its length.
 */
export class HeldText {
  #blocks: string[] = []
  #pieces: string[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#pieces.length < piecesMax) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** The whole text. Nothing is held afterwards. */
  take(): string {
    const text = [...this.#blocks, ...this.#pieces].join('')
    this.#blocks = []
    this.#pieces = []
    this.#length = 0
    return text
  }
}

const piecesMax = 1024
