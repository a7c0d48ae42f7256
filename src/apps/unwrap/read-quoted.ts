/** A string that was read from a text, and where it ends. */
export interface Quoted {
  readonly value: string
  readonly end: number
}

/** Makes an error at a place of the text, of which everything before `end` was read. */
export type QuoteError = (at: number, reason: string, end?: number) => unknown

/**
 * Reads the string literal at `from`, as JSON, Python or JavaScript write one: in single, double or triple quotes or backticks, with a prefix
 * of Python. Bytes are read as UTF-8. Undefined if no string begins there; throws what `error` makes of a broken one.
 */
export function readQuoted(text: string, from: number, error: QuoteError): Quoted | undefined {
  opening.lastIndex = from
  const [all, prefix = '', quote = ''] = opening.exec(text) ?? []
  if (all === undefined) return undefined
  const kind = prefix.toLowerCase()
  if (kind.includes('f')) throw error(from, 'an f-string is code, and its values are not in the text')
  const isRaw = kind.includes('r')
  const isLong = quote.length === 3 || quote === '`'
  const pieces: string[] = []
  let at = from + all.length
  for (;;) {
    const end = endOfPlain(text, at, quote.charAt(0))
    if (end > at) pieces.push(text.slice(at, end))
    at = end
    const character = text[at]
    if (character === undefined) throw error(from, 'a string begins here and does not end', at)
    if (character === '\n' && !isLong) throw error(from, 'a string begins here and does not end on its line', at)
    if (text.startsWith(quote, at)) break
    if (character !== '\\') {
      pieces.push(character)
      at++
    } else if (isRaw) {
      pieces.push(text.slice(at, at + 2))
      at += 2
    } else {
      const escaped = readEscape(text, at)
      if (escaped === undefined) throw error(at, 'unknown escape')
      pieces.push(escaped.value)
      at = escaped.end
    }
  }
  const value = pieces.join('')
  if (quote === '`' && value.includes('${'))
    throw error(from, 'a template is code, and its values are not in the text', at)
  return {
    value: kind.includes('b') ? fromBytes(value, () => error(from, 'bytes that are not UTF-8', at)) : value,
    end: at + quote.length,
  }
}

const opening = /([rRuUbBfF]{0,2})("""|'''|"|'|`)/y

/** The next character that ends a piece of plain text: a quote of this kind, a backslash or a line break. */
function endOfPlain(text: string, from: number, quote: string): number {
  let at = from
  while (at < text.length) {
    const character = text[at]
    if (character === quote || character === '\\' || character === '\n') break
    at++
  }
  return at
}

/** Reads the escape at a backslash. An escape that no language has is kept with its backslash, as in Python. */
export function readEscape(text: string, at: number): Quoted | undefined {
  const letter = text[at + 1]
  if (letter === undefined) return undefined
  if (letter === '\n') return { value: '', end: at + 2 }
  const simple = simpleEscapes[letter]
  if (simple !== undefined) return { value: simple, end: at + 2 }
  numbered.lastIndex = at + 1
  const [all, hex, octal] = numbered.exec(text) ?? []
  if (all === undefined) return 'xuUN'.includes(letter) ? undefined : { value: `\\${letter}`, end: at + 2 }
  const code = octal === undefined ? Number.parseInt((hex ?? '').replace(/^[xuU]/, ''), 16) : Number.parseInt(octal, 8)
  return code > 0x10ffff ? undefined : { value: String.fromCodePoint(code), end: at + 1 + all.length }
}

const simpleEscapes: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007', e: '\u001b' },
  ...{ '\\': '\\', "'": "'", '"': '"', '/': '/', '`': '`', '?': '?' },
})

const numbered = /(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})|([0-7]{1,3})/y

/** Characters up to 255 as the bytes of a text in UTF-8. */
export function fromBytes(characters: string, error: () => unknown): string {
  const bytes = Uint8Array.from(characters, character => character.charCodeAt(0))
  try {
    if (/[^\0-\xff]/.test(characters)) throw error()
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw error()
  }
}
