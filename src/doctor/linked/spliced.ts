import { closeSync, readSync } from 'node:fs'
import { openRegularFile } from '../files/regular-file.ts'

/** A range of bytes to remove, and its replacement. */
export interface Splice {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

/**
 * The bytes of a file with changes, block by block. If a whole line is removed, its line break is too. Changes must not
 * overlap; several insertions at one position keep their order, before what is replaced there.
 */
export function* spliced(path: string, splices: readonly Splice[]): Generator<Buffer> {
  const file = openRegularFile(path)
  try {
    let offset = 0
    let wasCut = false
    for (const { at, remove, insert } of inOrder(splices)) {
      if (wasCut) offset += breakAt(file, offset)
      yield* copied(file, offset, at)
      wasCut = insert === '' && (at === 0 || byteAt(file, at - 1) === lineFeed)
      if (insert !== '') yield Buffer.from(insert)
      offset = at + remove
    }
    if (wasCut) offset += breakAt(file, offset)
    yield* copied(file, offset, Number.POSITIVE_INFINITY)
  } finally {
    closeSync(file)
  }
}

const inOrder = (splices: readonly Splice[]): Splice[] =>
  splices.toSorted((a, b) => a.at - b.at || Math.sign(a.remove) - Math.sign(b.remove))

const lineFeed = 0x0a
const carriageReturn = 0x0d
const blockBytes = 1024 * 1024

function byteAt(file: number, at: number): number | undefined {
  const byte = Buffer.alloc(1)
  return readSync(file, byte, 0, 1, at) === 1 ? byte[0] : undefined
}

/** The length of the line break at a position. */
function breakAt(file: number, at: number): number {
  const first = byteAt(file, at)
  if (first === lineFeed) return 1
  return first === carriageReturn && byteAt(file, at + 1) === lineFeed ? 2 : 0
}

function* copied(file: number, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, to - at))
    const length = readSync(file, block, 0, block.length, at)
    if (length === 0) return
    yield block.subarray(0, length)
    at += length
  }
}
