import { elementSpans, memberSpan } from '../../core/json/json-spans.ts'
import type { Input } from './input.ts'
import { jsonLayoutOf, printJson } from './layout.ts'
import type { TextLine } from './lines.ts'
import { byteOrderMarkLength } from './source.ts'

/** The file with other messages in it: everything else, and every unchanged message, byte for byte. */
export function withMessages(input: Input, messages: readonly unknown[]): Buffer {
  const { bytes, text, lines, history, key } = input
  const origins = new Map(history.map((message, index) => [message, index]))
  const place = (message: unknown): number | undefined => origins.get(message)
  const start = (): number => (key === undefined ? text.indexOf('[') : (memberSpan(text, key)?.start ?? 0))
  const changed = lines
    ? linesWithMessages(lines, text, messages, place)
    : listWithMessages(text, start(), messages, place)
  return Buffer.concat([bytes.subarray(0, byteOrderMarkLength(bytes)), Buffer.from(changed)])
}

/** The index that a message had before; undefined for a new one. */
type PlaceOf = (message: unknown) => number | undefined

/**
 * A text with other elements in the list that begins at `start`: unchanged ones byte for byte, new ones formatted
 * alike.
 */
export function withElements(
  text: string,
  start: number,
  history: readonly unknown[],
  messages: readonly unknown[],
): string {
  const origins = new Map(history.map((message, index) => [message, index]))
  return listWithMessages(text, start, messages, message => origins.get(message))
}

function listWithMessages(text: string, start: number, messages: readonly unknown[], placeOf: PlaceOf): string {
  const spans = elementSpans(text, start)
  const texts = spans.map(span => text.slice(span.start, span.end))
  const [first, second] = spans
  const last = spans.at(-1)
  const open = text.slice(start + 1, first?.start ?? start + 1)
  const base = /\n([ \t]*)$/.exec(open)?.[1] ?? ''
  const layout = jsonLayoutOf(texts, base)
  const gap = first && second ? text.slice(first.end, second.start) : `,${open || (layout.spaced ? ' ' : '')}`
  const rest = last?.end ?? start + 1
  if (messages.length === 0) return `${text.slice(0, start + 1)}${text.slice(text.indexOf(']', rest))}`
  const pieces = messages.map(message => texts[placeOf(message) ?? -1] ?? printJson(message, layout))
  return `${text.slice(0, start + 1)}${open}${pieces.join(gap)}${text.slice(rest)}`
}

function linesWithMessages(
  lines: readonly TextLine[],
  text: string,
  messages: readonly unknown[],
  placeOf: PlaceOf,
): string {
  const layout = jsonLayoutOf(
    lines.map(line => line.text),
    '',
  )
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const ending = lines.at(-1)?.gap ?? ''
  const head = text.slice(0, text.indexOf(lines[0]?.text ?? ''))
  const pieces = messages.map((message, index) => {
    const line = lines[placeOf(message) ?? -1]
    const gap = index === messages.length - 1 ? ending : line?.gap || lineBreak
    return (line?.text ?? printJson(message, layout)) + gap
  })
  return head + pieces.join('')
}
