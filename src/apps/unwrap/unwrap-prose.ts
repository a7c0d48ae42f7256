import type { FoundHistory } from './find-histories.ts'
import {
  beginsValue,
  expressionProblem,
  followsCode,
  lineCounter,
  mayBegin,
  nameBefore,
  nextBracket,
  startOfString,
} from './find-values.ts'
import {
  joinPlaces,
  type NotUnwrapped,
  type Unwrapped,
  unwrappedFrom,
  withoutFields,
  withProblem,
} from './found-parts.ts'
import { LeftOut } from './left-out.ts'
import { historiesIn, literalHistories } from './literal-histories.ts'
import { escapedValue } from './read-escaped.ts'
import { type Literal, LiteralError, literalAt, tooDeep } from './read-literal.ts'
import { readQuoted } from './read-quoted.ts'

type Parse = (json: string) => unknown
type UnwrapInner = (text: string) => Unwrapped | NotUnwrapped | undefined

/**
 * Values with text around them, such as log lines and code: every bracket may begin one. A value that breaks off is passed over as a whole.
 * The characters read in failed attempts are limited to a few times the length of the text. `unwrapInner` reads the text of a string.
 */
export const unwrapProse = (
  text: string,
  parse: Parse,
  unwrapInner: UnwrapInner,
): Unwrapped | NotUnwrapped | undefined => new ProseReader(text, parse, unwrapInner).unwrap()

class ProseReader {
  readonly #text: string
  readonly #parse: Parse
  readonly #unwrapInner: UnwrapInner
  /** The text was itself in quotes: quotes inside those of such a text are not read. */
  readonly #isInner: boolean
  readonly #lineOf: (at: number) => number
  readonly #found: FoundHistory[] = []
  #problem: string | undefined
  #escapesLeft = escapesMax
  #budget: number

  constructor(text: string, parse: Parse, unwrapInner: UnwrapInner, isInner = false) {
    this.#text = text
    this.#isInner = isInner
    this.#parse = parse
    this.#unwrapInner = unwrapInner
    this.#lineOf = lineCounter(text)
    this.#budget = 4 * text.length + 200_000
  }

  unwrap(): Unwrapped | NotUnwrapped | undefined {
    const text = this.#text
    let at = nextBracket(text, 0)
    while (at < text.length && this.#budget > 0) at = nextBracket(text, this.#readAt(at))
    if (at < text.length) this.#problem ??= `it was not searched after line ${this.#lineOf(at)}`
    const problem = this.#problem
    if (this.#found.length > 0) return withProblem(unwrappedFrom('text', this.#found), problem)
    return problem === undefined ? undefined : { problem: /^[[{]/.test(text) ? '' : problem }
  }

  /** Reads the value that may begin with this bracket. Returns where the search goes on. */
  #readAt(at: number): number {
    const text = this.#text
    if (!mayBegin(text, at)) return at + 1
    const escaped = this.#escapesLeft > 0 ? escapedValue(text, at, this.#parse) : undefined
    if (escaped && escaped.value !== undefined) {
      this.#add(at, historiesIn(escaped.value, this.#parse))
      return escaped.end
    }
    if (escaped) this.#escapesLeft--
    const word = joinedWord(text, at)
    const found = word && this.#inWord(word)
    if (found && found.length > 0) return this.#addString(at, { found, end: word.end })
    if (word) this.#budget -= word.end - at + attemptCost
    const string = stringAround(text, at, this.#unwrapInner)
    const start = text[at] === '(' ? nameBefore(text, at) : at
    const literal = string?.isCertain ? undefined : literalAt(text, start, this.#parse)
    if (string?.holds && (literal === undefined || literal instanceof LiteralError)) return this.#addString(at, string)
    if (string && !string.holds) this.#budget -= string.end - at
    if (literal === undefined) return at + 1
    if (literal instanceof LiteralError) return this.#passOver(at, start, literal)
    if (word && literal.end > word.firstEnd) this.#problem ??= `line ${this.#lineOf(start)}: ${unclearQuote}`
    else this.#addLiteral(at, start, literal, string)
    return Math.max(literal.end, at + 1)
  }

  #inWord({ value, isNested }: JoinedWord): readonly FoundHistory[] {
    if (isNested) {
      const inner = !this.#isInner && new ProseReader(value, this.#parse, this.#unwrapInner, true).unwrap()
      return inner && 'found' in inner && inner.problem === undefined ? inner.found : []
    }
    try {
      return historiesIn(this.#parse(value), this.#parse)
    } catch {
      return []
    }
  }

  #add(at: number, found: readonly FoundHistory[]): void {
    for (const one of found) this.#found.push({ ...one, at: joinPlaces(`line ${this.#lineOf(at)}`, one.at) })
  }

  #addString(at: number, string: Pick<StringAround, 'end' | 'found' | 'problem'>): number {
    this.#add(at, string.found)
    if (string.problem !== undefined) this.#problem ??= `line ${this.#lineOf(at)}: ${string.problem}`
    if (string.found.length === 0) this.#budget -= string.end - at + attemptCost
    return Math.max(string.end, at + 1)
  }

  #addLiteral(at: number, start: number, literal: Literal, string: StringAround | undefined): void {
    const line = this.#lineOf(start)
    const { found, missing, fields } = literalHistories(literal, this.#parse)
    const doubt =
      found.length > 0 ? (doubtAbout(found, string) ?? expressionProblem(this.#text, start, literal.end)) : undefined
    if (doubt !== undefined) {
      this.#problem ??= `line ${line}: ${doubt}`
      return
    }
    this.#add(start, found)
    if (missing && (found.length > 0 || beginsValue(this.#text, at)))
      this.#problem ??= `${withoutFields(fields)}line ${line}: ${LeftOut.reason(missing)}`
  }

  /** A value that cannot be read to its end is not searched for complete values inside. */
  #passOver(at: number, start: number, error: LiteralError): number {
    const isTooDeep = error.message === tooDeep
    const isValue = beginsValue(this.#text, at)
    this.#budget -= error.end - start + (isTooDeep ? deepCost : attemptCost)
    if (isValue) this.#problem ??= `a value begins on line ${this.#lineOf(start)} and cannot be read: ${error.message}`
    return isValue || isTooDeep ? Math.max(error.at, at + 1) : at + 1
  }
}

/** A string of Python or JavaScript with histories, as in `send: b'{"messages": ...}'`. */
interface StringAround {
  readonly end: number
  readonly found: readonly FoundHistory[]
  readonly problem?: string | undefined
  /** Whether it is one and has histories. Otherwise what is in it is read as it is. */
  readonly holds: boolean
  /** It is code. Otherwise its quotes may be those of a shell or of prose, which have no escapes. */
  readonly isCertain: boolean
}

/** A word of a shell in single quotes, with quotes in it. */
interface JoinedWord {
  readonly value: string
  readonly end: number
  /** Where its first piece ends. */
  readonly firstEnd: number
  /** It is in quotes that are themselves in quotes, as in `bash -c '...'`: the value begins with the inner one. */
  readonly isNested: boolean
}

/** The word in whose quotes a value begins at `at`: `'{"content": "it'\''s"}'`. In no other language is this one text. */
function joinedWord(text: string, at: number): JoinedWord | undefined {
  if (text[at - 1] !== "'") return undefined
  const pieces: string[] = []
  const firstEnd = text.indexOf("'", at)
  let [start, end] = [at, firstEnd]
  for (let quote = quoteAt(text, end); quote !== undefined; quote = quoteAt(text, end)) {
    pieces.push(text.slice(start, end))
    start = end + quote.length
    end = text.indexOf("'", start)
  }
  if (pieces.length === 0) return undefined
  if (end < 0) end = text.length
  pieces.push(text.slice(start, end))
  const isNested = shellQuotes.some(one => text.startsWith(one, at - one.length))
  return { value: (isNested ? "'" : '') + pieces.join("'"), end: end + 1, firstEnd, isNested }
}

/** How a quote is written between two pieces in single quotes. */
const shellQuotes = ["'\\''", `'"'"'`]

const quoteAt = (text: string, at: number): string | undefined =>
  at < 0 ? undefined : shellQuotes.find(one => text.startsWith(one, at))

const unclearQuote = 'a value in the quotes of a shell cannot be read for certain'

/** The string whose first character is at `at`, if one may begin there. With a prefix of Python it is one in any case. */
function stringAround(text: string, at: number, unwrapInner: UnwrapInner): StringAround | undefined {
  const start = startOfString(text, at)
  if (start === undefined) return undefined
  const hasPrefix = /[rRuUbB]/.test(text.charAt(start))
  const isCertain = hasPrefix || followsCode(text, start)
  try {
    const quoted = readQuoted(text, start, (...given) => new LiteralError(...given))
    if (quoted === undefined) return undefined
    const { value, end } = quoted
    const inner = unwrapInner(value)
    if (inner && 'found' in inner) return { end, found: inner.found, problem: inner.problem, holds: true, isCertain }
    return { end, found: [], problem: inner?.problem || undefined, holds: hasPrefix, isCertain: hasPrefix }
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error
    return { end: error.end, found: [], problem: error.message, holds: hasPrefix, isCertain: hasPrefix }
  }
}

/** Why a history between quotes is not certainly the one that was meant: read with its escapes it is another. */
const doubtAbout = (found: readonly FoundHistory[], string: StringAround | undefined): string | undefined =>
  string?.holds &&
  JSON.stringify(found.map(({ value }) => value)) !== JSON.stringify(string.found.map(({ value }) => value))
    ? 'a value in quotes has two readings, as it is and with the escapes of a string'
    : undefined

/** How many attempts to read a value with escaped quotes may fail. */
const escapesMax = 10

/**
 * What a failed attempt costs besides the characters that it has read: the exception costs as much as many of them. At the limit of depth, the
 * exception unwinds hundreds of calls.
 */
const [attemptCost, deepCost] = [200, 20_000]
