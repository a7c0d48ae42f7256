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

/** Collects small chunks into large blocks. The buffer of a chunk may be reused once the next one is requested. */
export function* inBlocks(pieces: Iterable<Buffer>): Generator<Buffer> {
  const block = new Block()
  for (const piece of pieces) {
    block.add(piece)
    if (block.isFull) yield block.take()
  }
  yield block.take()
}
