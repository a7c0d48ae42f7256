import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { RawLine } from '../files/raw-lines.ts'
import type { RecordFields } from '../record-format.ts'

/** A line, or several lines that are one record: raw line breaks in a text have split it. */
export interface WholeLine extends RawLine {
  /** The record; absent for a single line. `bytes` has the line breaks in it then. */
  readonly joined?: RecordFields
  /** How many lines it has. */
  readonly count: number
}

/**
 * Joins the lines of a record that raw line breaks have split, if the joined text is a record of the program. Such a line break is inside
 * a text, so a line cannot both begin a record and continue one, and no line is read for more than two records.
 */
export function* withSplitRecords(
  lines: Iterable<RawLine>,
  isOfProgram: (value: RecordFields) => boolean,
): Generator<WholeLine> {
  let held: RawLine[] = []
  let bytes = 0
  let scan = new JsonScan()
  /** Together the lines are not a record. */
  function* release(): Generator<WholeLine> {
    for (const line of held) yield { ...line, count: 1 }
    held = []
  }
  for (const line of lines) {
    if (held.length > 0) {
      bytes += line.bytes.length
      const isTooLong = bytes > bytesMax || held.length === linesMax
      const state = isTooLong || isRecordLine(line, isOfProgram) ? 'wrong' : scan.read(line.bytes)
      const joined = state === 'whole' ? recordIn([...held, line]) : undefined
      if (joined && isOfProgram(joined)) {
        yield { bytes: rawBytes([...held, line]), ending: line.ending, joined, count: held.length + 1 }
        held = []
        continue
      }
      if (state === 'text' && line.ending !== '') {
        held.push(copyOf(line))
        continue
      }
      yield* release()
    }
    scan = new JsonScan()
    if (isBeginning(line) && scan.read(line.bytes) === 'text') {
      held = [copyOf(line)]
      bytes = line.bytes.length
    } else yield { ...line, count: 1 }
  }
  yield* release()
}

const [openingBrace, closingBrace, openingBracket, closingBracket, quote, backslash] = Buffer.from('{}[]"\\')
const bytesMax = 16 * 1024 * 1024
const linesMax = 100_000

const isBeginning = ({ bytes, ending }: RawLine): boolean =>
  bytes[0] === openingBrace && bytes[1] === quote && ending !== ''

const copyOf = (line: RawLine): RawLine => ({ ...line, bytes: Buffer.from(line.bytes) })

/** Reads the lines of a JSON object one after the other. */
class JsonScan {
  #isText = false
  #depth = 0

  /** Whether the line ends inside a text, or ends the object; `wrong` if neither can be. */
  read(bytes: Buffer): 'text' | 'whole' | 'wrong' {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === quote) this.#isText = !this.#isText
      else if (byte === backslash) {
        if (!this.#isText) return 'wrong'
        at++
      } else if (this.#isText) continue
      else if (byte === openingBrace || byte === openingBracket) this.#depth++
      else if ((byte === closingBrace || byte === closingBracket) && --this.#depth === 0)
        return at === bytes.length - 1 ? 'whole' : 'wrong'
    }
    return this.#isText ? 'text' : 'wrong'
  }
}

function isRecordLine({ bytes }: RawLine, isOfProgram: (value: RecordFields) => boolean): boolean {
  if (bytes[0] !== openingBrace || bytes.at(-1) !== closingBrace) return false
  const value = tryParseJson(bytes.toString())
  return isRecord(value) && isOfProgram(value)
}

const rawBytes = (lines: readonly RawLine[]): Buffer =>
  Buffer.concat(
    lines.flatMap(({ bytes, ending }, index) => (index < lines.length - 1 ? [bytes, Buffer.from(ending)] : [bytes])),
  )

function recordIn(lines: readonly RawLine[]): RecordFields | undefined {
  const bytes = rawBytes(lines)
  const value = isUtf8(bytes) ? tryParseJson(withEscapedBreaks(bytes.toString())) : undefined
  return isRecord(value) ? value : undefined
}

/** A text with its line breaks as they are written in a JSON string. */
export const withEscapedBreaks = (text: string): string =>
  text.includes('\n') ? text.replaceAll('\r\n', '\\r\\n').replaceAll('\n', '\\n') : text
