import { Block } from './block.ts'

/** Collects small chunks into large blocks. The buffer of a chunk may be reused once the next one is requested. */
export function* inBlocks(pieces: Iterable<Buffer>): Generator<Buffer> {
  const block = new Block()
  for (const piece of pieces) {
    block.add(piece)
    if (block.isFull) yield block.take()
  }
  yield block.take()
}
