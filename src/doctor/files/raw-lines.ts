import { constants } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { openRegularFile } from './regular-file.ts'

/** A line as its bytes, and what ended it: nothing behind the last one of some files. Valid until the next is read. */
export interface RawLine {
  readonly bytes: Buffer
  readonly ending: '' | '\n' | '\r\n'
}

/** The lines of a file, one at a time, however large it is. Empty ones are lines too; nothing behind a last break is none. */
export function* rawLines(path: string): Generator<RawLine> {
  const file = openRegularFile(path)
  try {
    yield* linesOf(blocksOf(file))
  } finally {
    closeSync(file)
  }
}

/** The lines that blocks of bytes make together. A block may be used again by its maker once the next is asked for. */
export function* linesOf(blocks: Iterable<Buffer>): Generator<RawLine> {
  let pieces: Buffer[] = []
  let length = 0
  for (const block of blocks) {
    let start = 0
    for (let end = block.indexOf(lineBreak); end >= 0; end = block.indexOf(lineBreak, start)) {
      const rest = block.subarray(start, end)
      mustFit(length + rest.length)
      yield lineOf(pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]))
      pieces = []
      length = 0
      start = end + 1
    }
    length += block.length - start
    mustFit(length)
    if (start < block.length) pieces.push(Buffer.from(block.subarray(start)))
  }
  if (pieces.length > 0) yield { bytes: Buffer.concat(pieces), ending: '' }
}

/** A record that no text can hold is unreadable; to pass it over would make its neighbours look broken. */
function mustFit(length: number): void {
  if (length > constants.MAX_STRING_LENGTH) throw new RangeError('a line of it is too long to be read')
}

const lineBreak = 0x0a
const carriageReturn = 0x0d

const lineOf = (bytes: Buffer): RawLine =>
  bytes.at(-1) === carriageReturn ? { bytes: bytes.subarray(0, -1), ending: '\r\n' } : { bytes, ending: '\n' }

function* blocksOf(file: number): Generator<Buffer> {
  const block = Buffer.allocUnsafe(blockBytes)
  for (;;) {
    const length = readSync(file, block, 0, blockBytes, null)
    if (length === 0) return
    yield block.subarray(0, length)
  }
}

const blockBytes = 1024 * 1024
