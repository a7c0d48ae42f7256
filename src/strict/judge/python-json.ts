/** Python's error message for a text that is not JSON; undefined if it is JSON. */
export function pythonJsonError(text: string): string | undefined {
  try {
    const end = skip(text, value(text, skip(text, 0)))
    return end === text.length ? undefined : told(text, { words: 'Extra data', at: end })
  } catch (error) {
    if (error instanceof Stop) return told(text, error)
    // Nested deeper than can be read here. Python's message for that was not seen.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A parse error. */
class Stop extends Error {
  readonly words: string
  readonly at: number

  constructor(words: string, at: number) {
    super(words)
    this.words = words
    this.at = at
  }
}

function told(text: string, { words, at }: { words: string; at: number }): string {
  const before = text.slice(0, at).split('\n')
  return `${words}: line ${before.length} column ${(before.at(-1) ?? '').length + 1} (char ${at})`
}

const skip = (text: string, at: number): number => matched(text, at, /[ \t\n\r]*/y) ?? at

function matched(text: string, at: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Each parser returns the position after what it read. */
function value(text: string, at: number): number {
  if (text[at] === '"') return string(text, at)
  if (text[at] === '{') return list(text, at, '}', member)
  if (text[at] === '[') return list(text, at, ']', value)
  const end = matched(text, at, /null|true|false|NaN|-?Infinity|-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y)
  if (end === undefined) throw new Stop('Expecting value', at)
  return end
}

function list(text: string, start: number, close: string, item: typeof value): number {
  let at = skip(text, start + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    at = skip(text, item(text, at))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throw new Stop("Expecting ',' delimiter", at)
    at = skip(text, at + 1)
  }
}

function member(text: string, start: number): number {
  if (text[start] !== '"') throw new Stop('Expecting property name enclosed in double quotes', start)
  const at = skip(text, string(text, start))
  if (text[at] !== ':') throw new Stop("Expecting ':' delimiter", at)
  return value(text, skip(text, at + 1))
}

function string(text: string, start: number): number {
  const at =
    matched(text, start + 1, /([^"\\\p{Cc}]+|[\x7f-\x9f]+|\\["\\/bfnrt]|\\u[\da-fA-F]{4}(?!$))*/uy) ?? start + 1
  if (text[at] === '"') return at + 1
  if (text[at] === undefined || (text[at] === '\\' && at + 1 === text.length))
    throw new Stop('Unterminated string starting at', start)
  if (text[at] !== '\\') throw new Stop('Invalid control character at', at)
  throw text[at + 1] === 'u' ? new Stop('Invalid \\uXXXX escape', at + 1) : new Stop('Invalid \\escape', at)
}
