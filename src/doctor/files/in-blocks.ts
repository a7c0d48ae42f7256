import { Block } from './block.ts'

/** Gathers small pieces into large blocks. A piece may be used again by its maker once the next is asked for. */
export function* inBlocks(pieces: Iterable<Buffer>): Generator<Buffer> {
  const block = new Block()
  for (const piece of pieces) {
    block.add(piece)
    if (block.isFull) yield block.take()
  }
  yield block.take()
}
