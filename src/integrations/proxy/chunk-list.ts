/**
 * The chunks of a body. Many short ones are joined from time to time: a chunk takes about 200 bytes of memory and a write of its own,
 * whatever its length, so that a body in chunks of one byte would take hundreds of times its length.
 */
export class ChunkList {
  readonly chunks: Buffer[] = []
  /** How many of them are joined, or long enough to be kept. */
  #kept = 0
  #looseBytes = 0

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.#looseBytes += chunk.length
    if (this.chunks.length - this.#kept < looseMax) return
    if (this.#looseBytes < looseMax * shortMax) this.chunks.push(Buffer.concat(this.chunks.splice(this.#kept)))
    this.#kept = this.chunks.length
    this.#looseBytes = 0
  }

  clear(): void {
    this.chunks.length = this.#kept = this.#looseBytes = 0
  }
}

/** How many chunks are looked at together, and below which mean length they are joined. */
const [looseMax, shortMax] = [1024, 4096]
