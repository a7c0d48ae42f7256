import { tryParseJson } from '../../core/json/try-parse-json.ts'
/** A line that is not blank. */
export interface TextLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** The text up to the next line: the line break, and blank lines. */
  readonly gap: string
}

/** The non-blank lines of a text, at most `linesMax`; leading blank lines are left out. */
export function splitLines(text: string, linesMax = Number.POSITIVE_INFINITY): TextLine[] {
  const found: { number: number; start: number; end: number }[] = []
  let start = 0
  for (let number = 1; start < text.length && found.length <= linesMax; number++) {
    const feed = text.indexOf('\n', start)
    const next = feed < 0 ? text.length : feed + 1
    const end = start + text.slice(start, next).trimEnd().length
    if (end > start) found.push({ number, start, end })
    start = next
  }
  return found.slice(0, linesMax).map(({ number, start, end }, index) => ({
    number,
    text: text.slice(start, end),
    gap: text.slice(end, found[index + 1]?.start),
  }))
}

/** Whether the first line is one JSON object and more lines follow, so that the whole text is not JSON. */
export function isLines(text: string): boolean {
  const [first, second] = splitLines(text, 2)
  return (
    first !== undefined &&
    second !== undefined &&
    first.text.trimStart().startsWith('{') &&
    tryParseJson(first.text) !== undefined
  )
}
