import { isUtf8 } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { openRegularFile } from '../files/regular-file.ts'
import { type LineMarker, loadLineMarker } from './line-marker.ts'

/**
 * A line of a JSONL file, and where its strings are. Its strings are valid as strings of JSON: no control characters,
 * no unknown escapes, and the bytes are UTF-8. Valid until the next line is read.
 */
export interface MarkedLine {
  /** The text that the line is in, from `start` up to `end`. */
  text: Buffer
  start: number
  end: number
  /** The offsets of the quotes in `text`: `quoteCount` numbers, from the index `firstQuote`. */
  words: Int32Array
  firstQuote: number
  quoteCount: number
}

/**
 * Reads the lines of a file, faster than they can be parsed. Stops and returns false if `take` returns false, at bytes
 * that may not be JSON, at a line of many megabytes, or if the file does not end with a line break.
 */
export function takeMarkedLines(path: string, take: (line: MarkedLine) => boolean): boolean {
  marker ??= loadLineMarker() ?? null
  if (marker === null) return false
  const file = openRegularFile(path)
  try {
    return takeLines(file, marker, take)
  } finally {
    closeSync(file)
  }
}

/** Shared by all files: each is read synchronously. */
let marker: LineMarker | null | undefined

function takeLines(file: number, marker: LineMarker, take: (line: MarkedLine) => boolean): boolean {
  for (let length = 0; ; ) {
    if (length === marker.capacity && !marker.grow()) return false
    const { text, capacity } = marker
    const read = readSync(file, text, length, Math.min(blockBytes, capacity - length), null)
    if (read === 0) return length === 0
    const feed = text.subarray(length, length + read).lastIndexOf(lineBreak)
    const end = feed < 0 ? 0 : length + feed + 1
    length += read
    if (end === 0) continue
    if (!takeBlock(marker, end, take)) return false
    text.copyWithin(0, end, length)
    length -= end
  }
}

/** The lines in the first bytes of the text. */
function takeBlock(marker: LineMarker, end: number, take: (line: MarkedLine) => boolean): boolean {
  const { text, words, firstQuote, firstLine } = marker
  if (!isUtf8(text.subarray(0, end))) return false
  const count = marker.mark(end)
  if (count === undefined) return false
  const line: MarkedLine = { text, start: 0, end: 0, words, firstQuote, quoteCount: 0 }
  for (let at = 0; at < count; at++) {
    const place = firstLine + 2 * at
    const next = (words[place + 1] as number) >> 2
    line.end = words[place] as number
    line.quoteCount = next - line.firstQuote
    if (!take(line)) return false
    line.start = line.end + 1
    line.firstQuote = next
  }
  return true
}

const lineBreak = 0x0a
const blockBytes = 256 * 1024
