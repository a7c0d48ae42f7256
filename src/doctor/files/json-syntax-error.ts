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
 * some errors. `open` has the open brackets, the innermost last; `next` is what may follow.
 */
export function findSyntaxError(text: string): JsonSyntaxError | undefined {
  const open: string[] = []
  let next = 'value' as 'value' | 'first-value' | 'first-key' | 'key' | 'colon' | 'more'
  let at = 0
  const syntaxError = (expected: string): JsonSyntaxError => explain(text, at, expected, open.length)
  for (;;) {
    at = skipSpace(text, at)
    const character = text[at]
    const inObject = open.at(-1) === '{'
    const isKey = next === 'key' || next === 'first-key'
    if (next === 'more') {
      if (open.length === 0) return at >= text.length ? undefined : syntaxError('the end')
      const close = inObject ? '}' : ']'
      if (character === close) open.pop()
      else if (character === ',') next = inObject ? 'key' : 'value'
      else return syntaxError(`"," or "${close}"`)
      at++
    } else if (next === 'colon') {
      if (character !== ':') return syntaxError('":"')
      next = 'value'
      at++
    } else if (character === '}' && next === 'first-key') {
      open.pop()
      next = 'more'
      at++
    } else if (character === '"') {
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      next = isKey ? 'colon' : 'more'
      at = end
    } else if (isKey) return syntaxError('a key in double quotes')
    else if (character === ']' && next === 'first-value') {
      open.pop()
      next = 'more'
      at++
    } else if (character === '{' || character === '[') {
      open.push(character)
      next = character === '{' ? 'first-key' : 'first-value'
      at++
    } else {
      scalar.lastIndex = at
      if (!scalar.test(text)) return syntaxError('a value')
      next = 'more'
      at = scalar.lastIndex
    }
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
      return { at, reason: `expected an escape that JSON has but found ${shown(text.slice(at, at + 2))}` }
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
  const known = habits.find(({ pattern }) => pattern.test(rest))
  const comma = (found === ']' || found === '}') && /,\s*$/.test(text.slice(Math.max(at - 80, 0), at))
  const hint = comma ? 'there is a comma too many' : known?.hint
  return { at, reason: `expected ${expected} but found ${shown(found)}`, ...(hint === undefined ? {} : { hint }) }
}

const shown = (characters: string): string => (characters === '"' ? `'"'` : `"${printable(characters)}"`)

const habits = [
  { pattern: /^'/, hint: 'JSON takes double quotes' },
  { pattern: /^(None|True|False)\b/, hint: 'this is Python, not JSON' },
  { pattern: /^(NaN|-?Infinity|undefined)\b/, hint: 'JSON has no such value' },
  { pattern: /^\/[/*]/, hint: 'JSON has no comments' },
]
