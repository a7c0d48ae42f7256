import { LiteralError, readLiteral } from './read-literal.ts'
import { fromBytes, readEscape } from './read-quoted.ts'
import { expandedLines, expansionMark, isExpansion, markExpansions } from './shell-expansions.ts'

/** The words of one command of a shell, without their quotes. */
export interface ShellWords {
  readonly words: readonly string[]
  readonly end: number
  /** A caret outside of quotes escapes a quote or a line break: this is a command of the command prompt. */
  readonly hasCaret: boolean
}

/** How many characters may still be read for nothing: what looks like the beginning of a string may have no end. */
export interface ReadBudget {
  left: number
}

export const budgetFor = (text: string): ReadBudget => ({ left: 4 * text.length })

/**
 * The words of the command at `from`, up to an unquoted line break, `;`, `|` or `&`. In the command prompt two double quotes inside others stand
 * for one.
 */
export function shellWords(
  text: string,
  from: number,
  budget: ReadBudget,
  isPrompt = false,
  isSubstitution = false,
): ShellWords {
  const words: string[] = []
  let hasCaret = false
  let word: string | undefined
  let at = from
  while (at < text.length) {
    const character = text.charAt(at)
    const next = text[at + 1]
    if (character === '\\' && (next === '\n' || text.startsWith('\r\n', at + 1))) at = text.indexOf('\n', at) + 1
    else if (character === '`' && (next === '\n' || text.startsWith('\r\n', at + 1))) at = text.indexOf('\n', at) + 1
    else if (character === '\n' || ';|&'.includes(character) || (isSubstitution && character === ')')) break
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
    } else if (character === "'" || character === '"' || (character === '$' && (next === "'" || next === '('))) {
      const quoted = hereSubstitution(text, at) ?? shellQuoted(text, at, isPrompt, budget)
      word = (word ?? '') + quoted.value
      at = quoted.end
    } else if (character === '\\') {
      word = (word ?? '') + (next ?? '')
      at += 2
    } else {
      const end = nextOf(text, at + 1, isSubstitution ? substitutionEnds : unquotedEnds)
      hasCaret ||= text[end - 1] === '^' && /["\r\n]/.test(text.charAt(end))
      const plain = text.slice(at, end)
      word = (word ?? '') + (isPrompt ? plain : markExpansions(plain))
      at = end
    }
  }
  if (word !== undefined) words.push(word)
  return { words, end: at, hasCaret }
}

/** What may end a run of plain characters in a word. */
const unquotedEnds = /[\s;|&'"$`\\]/g
const substitutionEnds = /[\s;|&'"$`\\)]/g

function shellQuoted(
  text: string,
  from: number,
  isPrompt: boolean,
  budget: ReadBudget,
): { readonly value: string; readonly end: number } {
  if (text.startsWith('$(', from)) return { value: markExpansions('$('), end: from + 2 }
  if (text[from] === '$') return ansiQuoted(text, from + 2)
  if (text[from] === "'") {
    const printed = printedValue(text, from + 1, budget)
    if (printed !== undefined) return printed
    const end = text.indexOf("'", from + 1)
    return end < 0
      ? { value: text.slice(from + 1), end: text.length }
      : { value: text.slice(from + 1, end), end: end + 1 }
  }
  const pieces: string[] = []
  let at = from + 1
  let start = at
  for (; at < text.length; at++) {
    if (text[at] === '"') {
      if (!isPrompt || text[at + 1] !== '"') break
      pieces.push(text.slice(start, ++at))
      start = at + 1
    }
    const isSpecial = text[at] === '$' || text[at] === '`'
    if (isSpecial && !isPrompt && isExpansion(text, at)) {
      pieces.push(text.slice(start, at), expansionMark)
      start = at
    }
    if (text[at] !== '\\') continue
    const next = text.charAt(at + 1)
    // Before any other character a backslash stays.
    if ('"\\$`\n'.includes(next)) {
      pieces.push(text.slice(start, at), next === '\n' ? '' : next)
      start = at + 2
    }
    at++
  }
  return { value: pieces.join('') + text.slice(start, at), end: at + 1 }
}

/** `$'...'`, with the escapes of C. Escapes of single bytes are read as UTF-8. */
function ansiQuoted(text: string, from: number): { readonly value: string; readonly end: number } {
  const pieces: string[] = []
  let bytes = ''
  const flush = (): void => {
    if (bytes !== '') pieces.push(textOfBytes(bytes))
    bytes = ''
  }
  let at = from
  while (at < text.length && text[at] !== "'") {
    if (text[at] !== '\\') {
      flush()
      const end = nextOf(text, at, ansiEnds)
      pieces.push(text.slice(at, end))
      at = end
      continue
    }
    const escaped = readEscape(text, at) ?? { value: text.slice(at, at + 2), end: at + 2 }
    if (/[x0-7]/.test(text.charAt(at + 1))) bytes += escaped.value
    else {
      flush()
      pieces.push(escaped.value)
    }
    at = escaped.end
  }
  flush()
  return { value: pieces.join(''), end: at + 1 }
}

function textOfBytes(bytes: string): string {
  try {
    return fromBytes(bytes, () => new Error('not UTF-8'))
  } catch {
    return bytes
  }
}

const ansiEnds = /['\\]/g

function nextOf(text: string, from: number, ends: RegExp): number {
  ends.lastIndex = from
  return ends.exec(text)?.index ?? text.length
}

/** `'{'model': 'gpt-5'}'`: a value of Python between single quotes, as LiteLLM logs its requests. No shell would read it so. */
function printedValue(
  text: string,
  from: number,
  budget: ReadBudget,
): { readonly value: string; readonly end: number } | undefined {
  printedStart.lastIndex = from
  if (budget.left < 0 || !printedStart.test(text)) return undefined
  let end: number
  try {
    end = readLiteral(text, from).end
    if (text[end] === "'") return { value: text.slice(from, end), end: end + 1 }
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error
    end = error.end
  }
  budget.left -= end - from
  return undefined
}

const printedStart = /[[{]\s{0,100}'[^"]/y

/** `"$(cat <<'EOF'`, lines, `EOF` and `)"`: the lines. */
function hereSubstitution(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  substitutionStart.lastIndex = at
  const [start, quote = '', word = ''] = substitutionStart.exec(text) ?? []
  if (start === undefined) return undefined
  const { body, end } = hereLines(text, at + start.length, word)
  substitutionEnd.lastIndex = end
  return { value: quote === '' ? expandedLines(body) : body, end: end + (substitutionEnd.exec(text)?.[0].length ?? 0) }
}

const substitutionStart = /"?\$\(\s{0,20}cat\s{0,20}<<-?[ \t]{0,20}(["']?)(\w{1,100})\1[^\n]{0,200}\n/y
const substitutionEnd = /\s{0,100}\)"?/y

/**
 * The variables of a script: `BODY='...'`. Any number of commands may use one, and its value may have no end. Therefore the total length of values
 * that are read and returned is limited to a few times the length of the text.
 */
export class ShellVariables {
  readonly #text: string
  readonly #values = new Map<number, string | undefined>()
  readonly #budget: ReadBudget
  #assignments: ReadonlyMap<string, Assignments> | undefined

  constructor(text: string) {
    this.#text = text
    this.#budget = budgetFor(text)
  }

  /** The value that is assigned last before a place, or else first. Places are asked for in the order of the text. */
  valueOf(name: string, before: number): string | undefined {
    this.#assignments ??= assignmentsIn(this.#text)
    const found = this.#assignments.get(name)
    if (found === undefined || this.#budget.left < 0) return undefined
    const { places } = found
    while ((places[found.current + 1] ?? Number.POSITIVE_INFINITY) <= before) found.current++
    const at = places[found.current] as number
    if (!this.#values.has(at)) {
      const { words, end } = shellWords(this.#text, at, this.#budget)
      this.#budget.left -= end - at
      this.#values.set(at, words[0])
    }
    const value = this.#values.get(at)
    this.#budget.left -= value?.length ?? 0
    return this.#budget.left < 0 ? undefined : value
  }
}

interface Assignments {
  /** Where the values of a variable begin. */
  readonly places: number[]
  current: number
}

function assignmentsIn(text: string): Map<string, Assignments> {
  const found = new Map<string, Assignments>()
  for (const { 0: whole, 1: name = '', index } of text.matchAll(assignment)) {
    const place = index + whole.length
    const known = found.get(name)
    if (known) known.places.push(place)
    else found.set(name, { places: [place], current: 0 })
  }
  return found
}

const assignment = /(?:^|[\n;])[ \t]{0,50}(?:export |local |readonly |set )?[ \t]{0,50}([A-Za-z_]\w{0,99})=/g

/**
 * The body of `-d @- <<EOF` in the command from `start` to `from`: the lines up to the word, or up to the end of the text as in a shell. Each line
 * is read for one command only. Of `<<< '...'` it is the word.
 */
export function hereDocument(
  words: readonly string[],
  text: string,
  start: number,
  from: number,
): { readonly body: string; readonly end: number } | undefined {
  const at = words.findIndex(word => word.startsWith('<<'))
  const mark = words[at]
  if (mark === undefined) return undefined
  if (mark.startsWith('<<<')) return { body: mark.slice(3) || (words[at + 1] ?? ''), end: from }
  const word = (mark === '<<' || mark === '<<-' ? words[at + 1] : mark.replace(/^<<-?/, '')) ?? ''
  const { body, end } = hereLines(text, endOfLine(text, from), word)
  return { body: quotedHere.test(text.slice(start, from)) ? body : expandedLines(body), end }
}

/** The word of a here-document is quoted, so that its lines are text. */
const quotedHere = /<<-?[ \t]{0,20}["'\\]/

function hereLines(text: string, start: number, word: string): { readonly body: string; readonly end: number } {
  for (let line = start, end = start; line < text.length; line = end) {
    end = endOfLine(text, line)
    if (text.slice(line, end).trim() === word) return { body: text.slice(start, line), end }
  }
  return { body: text.slice(start), end: text.length }
}

/** Where the next line begins. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}
