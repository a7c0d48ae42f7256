import { isUtf8 } from 'node:buffer'
import { type RawLine, rawLines } from './files/raw-lines.ts'

/** A file with one JSON record per line, read as often as needed and never held as a whole. */
export interface LineFile {
  readonly path: string
  lines(): Iterable<RawLine>
  /** Compresses the bytes of the lines, where the file is compressed. */
  pack?(blocks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

export const plainLineFile = (path: string): LineFile => ({ path, lines: () => rawLines(path) })

/** The record of a line; undefined if it is blank, not JSON or not text: then it stays as it is. */
export function parseLine({ bytes }: RawLine): unknown {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
