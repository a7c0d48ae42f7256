/** Gathers small pieces into large blocks. A piece may be used again by its maker once the next is asked for. */
export function* inBlocks(pieces: Iterable<Buffer>): Generator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for (const piece of pieces) {
    held.push(Buffer.from(piece))
    length += piece.length
    if (length < blockBytes) continue
    yield Buffer.concat(held)
    held = []
    length = 0
  }
  yield Buffer.concat(held)
}

const blockBytes = 1024 * 1024
