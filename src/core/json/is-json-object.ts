import { skipSpace } from './json-spans.ts'
import { tryParseJson } from './try-parse-json.ts'

/**
 * Whether a text is exactly one JSON object, found without building it. Strings are skipped from quote to quote, so
 * long ones cost almost nothing. Of the control characters that JSON forbids in strings it checks those that occur in
 * practice: see docs/decisions/0002-json-without-parsing.md. `depth` counts open brackets; `objects` has one bit per
 * open bracket, set for an object; texts nested deeper than 31 levels are passed to `JSON.parse`. `special` is the
 * index of the next character that a string may not contain unescaped.
 */
export const isJsonObject = (text: string): boolean => isPlainObject(text) || scanObject(text)

/** The most common arguments: strings without escapes, written without white space. */
function isPlainObject(text: string): boolean {
  if (text.charCodeAt(0) !== braceOpen || text.charCodeAt(1) !== quote) return false
  for (let start = 2; ; ) {
    const colonAt = text.indexOf('"', start) + 1
    if (text.charCodeAt(colonAt) !== colon || text.charCodeAt(colonAt + 1) !== quote) return false
    const after = text.indexOf('"', colonAt + 2) + 1
    if (after === 0) return false
    const unit = text.charCodeAt(after)
    if (unit === braceClose) return after + 1 === text.length && nextSpecial(text, 2) > after
    if (unit !== comma || text.charCodeAt(after + 1) !== quote) return false
    start = after + 2
  }
}

function scanObject(text: string): boolean {
  let at = text.charCodeAt(0) === braceOpen ? 0 : skipSpace(text, 0)
  if (text.charCodeAt(at) !== braceOpen) return false
  at++
  let depth = 1
  let objects = 1
  let special = nextSpecial(text, at)
  let state = firstKey
  for (;;) {
    let unit = text.charCodeAt(at)
    if (unit <= space) {
      at = skipSpace(text, at)
      unit = text.charCodeAt(at)
    }
    if (state & 1 && unit === (objects & 1 ? braceClose : bracketClose)) {
      objects >>>= 1
      if (--depth === 0) return at + 1 === text.length || skipSpace(text, at + 1) === text.length
      state = next
      at++
    } else if (state === next) {
      if (unit !== comma) return false
      state = objects & 1 ? key : value
      at++
    } else if (unit === quote) {
      let end = text.indexOf('"', at + 1)
      if (special < at) special = nextSpecial(text, at)
      while (end > special) {
        const after = skipEscape(text, special)
        if (after < 0) return false
        special = nextSpecial(text, after)
        if (end < after) end = text.indexOf('"', after)
      }
      if (end < 0) return false
      at = end + 1
      if (state < value) {
        if (text.charCodeAt(at) !== colon) at = skipSpace(text, at)
        if (text.charCodeAt(at) !== colon) return false
        at++
        state = value
      } else state = next
    } else if (state < value) return false
    else if (unit === braceOpen || unit === bracketOpen) {
      if (++depth > 31) return tryParseJson(text) !== undefined
      objects = (objects << 1) | (unit === braceOpen ? 1 : 0)
      state = unit === braceOpen ? firstKey : firstValue
      at++
    } else {
      scalar.lastIndex = at
      if (!scalar.test(text)) return false
      at = scalar.lastIndex
      state = next
    }
  }
}

/** The states of the scanner: what may come next. The states of keys are the lowest; in odd ones a bracket may close. */
const key = 0
const firstKey = 1
const value = 2
const firstValue = 3
const next = 5

const braceOpen = 0x7b
const braceClose = 0x7d
const bracketOpen = 0x5b
const bracketClose = 0x5d
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const space = 0x20
const backslash = 0x5c

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const specials = /[\0\t\n\r\x1b\\]/g

/** A number, `true`, `false` or `null`. */
export const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

function nextSpecial(text: string, from: number): number {
  specials.lastIndex = from
  return specials.test(text) ? specials.lastIndex - 1 : Number.MAX_SAFE_INTEGER
}

/** The index after the escape at `at`, or -1 if it is not a valid JSON escape. */
function skipEscape(text: string, at: number): number {
  if (text.charCodeAt(at) !== backslash) return -1
  if (text.charCodeAt(at + 1) !== 0x75) return escapes.includes(text[at + 1] ?? ' ') ? at + 2 : -1
  for (let index = at + 2; index < at + 6; index++) if (!isHex(text.charCodeAt(index))) return -1
  return at + 6
}

const escapes = '"\\/bfnrt'

const isHex = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66)
