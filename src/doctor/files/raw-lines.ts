import { constants } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { openRegularFile } from './regular-file.ts'

/** A line as bytes, and its line ending: empty for an unterminated last line. Valid until the next line is read, or the reading ends. */
export interface RawLine {
  readonly bytes: Buffer
  readonly ending: '' | '\n' | '\r\n'
}

/**
 * The lines of a file, one at a time, for files of any size. Empty lines count; there is no line after a final line
 * break.
 */
export function* rawLines(path: string): Generator<RawLine> {
  const file = openRegularFile(path)
  try {
    yield* linesOf(blocksOf(file))
  } finally {
    closeSync(file)
  }
}

/** The lines in a sequence of blocks. The buffer of a block may be reused once the next one is requested. */
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

/** A record longer than the longest string is an error; skipping it would make its neighbours look broken. */
function mustFit(length: number): void {
  if (length > constants.MAX_STRING_LENGTH) throw new RangeError('a line of it is too long to be read')
}

const lineBreak = 0x0a
const carriageReturn = 0x0d

const lineOf = (bytes: Buffer): RawLine =>
  bytes.at(-1) === carriageReturn ? { bytes: bytes.subarray(0, -1), ending: '\r\n' } : { bytes, ending: '\n' }

function* blocksOf(file: number): Generator<Buffer> {
  const block = spareBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes)
  try {
    for (;;) {
      const length = readSync(file, block, 0, blockBytes, null)
      if (length === 0) return
      yield block.subarray(0, length)
    }
  } finally {
    spareBlocks.push(block)
  }
}

/**
 * The blocks of files that were read. Small sessions are read by the thousand, and a new block for each of them costs more than reading it: memory
 * outside of the heap makes the garbage collector run.
 */
const spareBlocks: Buffer[] = []

const blockBytes = 256 * 1024
