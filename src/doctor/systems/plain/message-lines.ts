import { type RawLine, rawLines } from '../../files/raw-lines.ts'

/** A line, and the index of its message; undefined if it is blank, or not JSON. */
export interface MessageLine {
  readonly line: RawLine
  readonly index: number | undefined
}

/** The lines of a file, without parsing them: `bad` has the numbers, from 1, of those that are not JSON. */
export function* messageLines(path: string, bad: ReadonlySet<number>): Generator<MessageLine> {
  let [number, index] = [0, 0]
  for (const line of rawLines(path)) {
    number++
    const isMessage = !isBlankLine(line.bytes) && !bad.has(number)
    yield { line, index: isMessage ? index++ : undefined }
  }
}

export const isBlankLine = (bytes: Buffer): boolean => bytes.length < 64 && bytes.toString().trim() === ''
