/** Collects small chunks, so that a file is written in large ones. The caller may reuse the buffer of a chunk. */
export class Block {
  #pieces: Buffer[] = []
  #length = 0

  get isFull(): boolean {
    return this.#length > blockBytes
  }

  add(piece: Buffer | string): void {
    const bytes = Buffer.from(piece as Buffer)
    this.#pieces.push(bytes)
    this.#length += bytes.length
  }

  take(): Buffer {
    const whole = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#length = 0
    return whole
  }
}

const blockBytes = 1024 * 1024
