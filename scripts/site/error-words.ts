/**
 * Writes the texts that a regular expression of the table of rejections matches, the most usual first. What differs from
 * error to error is written as `blank` says. It knows the syntax that the table uses, and throws on any other.
 */
export function textsOf({ source }: RegExp, blank: Blank = named): string[] {
  return [...new Set(readChoice({ source, at: 0, blank }).map(text => text.replaceAll(/ +/g, ' ').trim()))]
}

/** What is written for a part that differs: by the class of its characters, the name of its group, and how many there are at least. */
export type Blank = (charClass: string, name: string | undefined, least: number) => string

const named: Blank = (charClass, name) => {
  if (/^\\d$|^\[[\\d,.]+\]$/.test(charClass)) return 'N'
  return name === undefined ? '…' : `{${name}}`
}

interface Reading {
  readonly source: string
  at: number
  readonly blank: Blank
  /** The name of the group that is read. */
  readonly name?: string
}

/** At most this many wordings are listed per rejection. */
const textsMax = 8

/** Alternatives, up to the end of the group. */
function readChoice(reading: Reading): string[] {
  const texts = readSequence(reading)
  while (reading.source[reading.at] === '|') {
    reading.at++
    texts.push(...readSequence(reading))
  }
  return texts.slice(0, textsMax)
}

function readSequence(reading: Reading): string[] {
  let texts = ['']
  while (reading.at < reading.source.length && !'|)'.includes(reading.source[reading.at])) {
    const pieces = repeated(reading, readPiece(reading))
    texts = pieces.flatMap(piece => texts.map(text => text + piece)).slice(0, textsMax)
  }
  return texts
}

interface Piece {
  readonly texts: string[]
  /** The class of its characters, if it is one that differs. */
  readonly charClass?: string
}

function readPiece(reading: Reading): Piece {
  const { source } = reading
  const character = source[reading.at++]
  if (character === '(') return readGroup(reading)
  if (character === '[') return readClass(reading)
  if (character === '.') return { texts: [], charClass: '.' }
  if (character === '^' || character === '$') return literal('')
  if (character !== '\\') return literal(character)
  const escaped = source[reading.at++]
  if (escaped === 'b') return literal('')
  if (/[dwsSDW]/.test(escaped)) return escaped === 's' ? literal(' ') : { texts: [], charClass: `\\${escaped}` }
  if (/\w/.test(escaped)) throw new Error(`\\${escaped} of ${source} is not known here`)
  return literal(escaped)
}

const literal = (text: string): Piece => ({ texts: [text] })

function readGroup(reading: Reading): Piece {
  const { source } = reading
  const [opening, kind, name] = /^\?(?:(<?[=!]|:)|<(\w+)>)/.exec(source.slice(reading.at)) ?? ['']
  reading.at += opening.length
  const inner: Reading = { ...reading, ...(name !== undefined && { name }) }
  const texts = readChoice(inner)
  reading.at = inner.at + 1
  // Lookaheads and lookbehinds match no text.
  return kind !== undefined && kind !== ':' ? literal('') : { texts }
}

function readClass(reading: Reading): Piece {
  const { source } = reading
  let end = reading.at
  while (source[end] !== ']') end += source[end] === '\\' ? 2 : 1
  const inside = source.slice(reading.at, end)
  reading.at = end + 1
  // Two letters, or two kinds of space: the first one is written for both.
  const characters = inside.replaceAll(/\\u[\da-f]{4}/g, 'u').replaceAll(/\\(\W)/g, '$1')
  const isOneOf = characters.length <= 4 && !/[\\^]|\w-\w/.test(characters)
  return isOneOf ? literal(characters[0]) : { texts: [], charClass: `[${inside}]` }
}

/** What may be absent is shown; what is repeated is shown once. */
function repeated(reading: Reading, { texts, charClass }: Piece): string[] {
  const quantifier = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(reading.source.slice(reading.at))?.[0] ?? ''
  reading.at += quantifier.length
  const least = Number(/\d+/.exec(quantifier)?.[0] ?? 1)
  if (charClass !== undefined) return [reading.blank(charClass, reading.name, least)]
  if (quantifier === '' || !/^[?*]|^\{0/.test(quantifier)) return texts
  // A single letter that may be absent, as in a plural, is left out.
  return texts.every(text => text.length <= 1 && text !== ' ') ? [''] : texts
}
