import { scalar } from '../../core/json/is-json-object.ts'
import { skipSpace } from '../../core/json/json-spans.ts'
import { printable } from '../../core/printable.ts'

/** Where a text stops being JSON, and what was expected there. */
export interface JsonSyntaxError {
  readonly at: number
  readonly reason: string
  readonly hint?: string
}

/**
 * The first syntax error of a text that is not JSON; undefined if it is. The engine's own message lacks a position for
 * some errors.
 */
export function findSyntaxError(text: string): JsonSyntaxError | undefined {
  const reader = new SyntaxReader(text)
  for (;;) {
    const found = reader.step()
    if (found !== undefined) return found === 'end' ? undefined : found
  }
}

type Next = 'value' | 'first-value' | 'first-key' | 'key' | 'colon' | 'more'

/** `#open` has the open brackets, the innermost last; `#next` is what may follow. */
class SyntaxReader {
  readonly #text: string
  readonly #open: string[] = []
  #next: Next = 'value'
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads one token, or says why it cannot be read. */
  step(): JsonSyntaxError | 'end' | undefined {
    this.#at = skipSpace(this.#text, this.#at)
    const character = this.#text[this.#at]
    if (this.#next === 'more') return this.#afterValue(character)
    if (this.#next === 'colon') return character === ':' ? this.#move(1, 'value') : this.#expected('":"')
    const isKey = this.#next === 'key' || this.#next === 'first-key'
    if (character === '}' && this.#next === 'first-key') return this.#close()
    if (character === '"') {
      const end = endOfString(this.#text, this.#at)
      return typeof end === 'number' ? this.#move(end - this.#at, isKey ? 'colon' : 'more') : end
    }
    if (isKey) return this.#expected('a key in double quotes')
    if (character === ']' && this.#next === 'first-value') return this.#close()
    if (character === '{' || character === '[') {
      this.#open.push(character)
      return this.#move(1, character === '{' ? 'first-key' : 'first-value')
    }
    scalar.lastIndex = this.#at
    return scalar.test(this.#text) ? this.#move(scalar.lastIndex - this.#at, 'more') : this.#expected('a value')
  }

  #afterValue(character: string | undefined): JsonSyntaxError | 'end' | undefined {
    if (this.#open.length === 0) return this.#at >= this.#text.length ? 'end' : this.#expected('the end')
    const inObject = this.#open.at(-1) === '{'
    const close = inObject ? '}' : ']'
    if (character === close) return this.#close()
    return character === ',' ? this.#move(1, inObject ? 'key' : 'value') : this.#expected(`"," or "${close}"`)
  }

  #close(): undefined {
    this.#open.pop()
    return this.#move(1, 'more')
  }

  #move(length: number, next: Next): undefined {
    this.#at += length
    this.#next = next
  }

  #expected(what: string): JsonSyntaxError {
    return explain(this.#text, this.#at, what, this.#open.length)
  }
}

/** The line and column of a position, both from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: at - start + 1 }
}

function endOfString(text: string, start: number): number | JsonSyntaxError {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    if (unit < 0x20) {
      const what = unit === 0x0a || unit === 0x0d ? 'a line break' : 'a control character'
      return { at, reason: `expected a closing quote before ${what}`, hint: 'inside a string it is written as \\n' }
    }
    if (unit !== 0x5c) continue
    escaped.lastIndex = at
    if (!escaped.test(text) && at + 1 < text.length)
      return { at, reason: `expected a valid JSON escape but found ${shown(text.slice(at, at + 2))}` }
    at++
  }
  return { at: start, reason: 'expected a closing quote but the text ends', hint: 'the string that begins here is cut' }
}

const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

function explain(text: string, at: number, expected: string, open: number): JsonSyntaxError {
  if (at >= text.length) {
    const hint = open === 1 ? 'one bracket is still open' : `${open} brackets are still open`
    return { at, reason: `expected ${expected} but the text ends`, ...(open === 0 ? {} : { hint }) }
  }
  const found = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const rest = text.slice(at, at + 12)
  const known = commonMistakes.find(({ pattern }) => pattern.test(rest))
  const comma = (found === ']' || found === '}') && /,\s*$/.test(text.slice(Math.max(at - 80, 0), at))
  const hint = comma ? 'remove the comma before it' : known?.hint
  return { at, reason: `expected ${expected} but found ${shown(found)}`, ...(hint === undefined ? {} : { hint }) }
}

const shown = (characters: string): string => (characters === '"' ? `'"'` : `"${printable(characters)}"`)

const commonMistakes = [
  { pattern: /^'/, hint: 'JSON requires double quotes' },
  { pattern: /^(None|True|False)\b/, hint: 'this is Python, not JSON' },
  { pattern: /^(NaN|-?Infinity|undefined)\b/, hint: 'JSON has no such value' },
  { pattern: /^\/[/*]/, hint: 'JSON has no comments' },
]
