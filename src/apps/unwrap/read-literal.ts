import { type CallArguments, fieldsOf, isCode, isoText, jsonText, momentNames } from './call-values.ts'
import { LeftOut } from './left-out.ts'
import { readQuoted } from './read-quoted.ts'

/** A value that was read from a text, and where it ends. */
export interface Literal {
  readonly value: unknown
  readonly end: number
  /** The first part of it that the text does not contain. */
  readonly leftOut: LeftOut | undefined
}

/** Why a text is not a literal, where, and how far it was read. Without a stack trace, which would cost more than the attempt. */
export class LiteralError {
  readonly at: number
  readonly message: string
  readonly end: number
  constructor(at: number, message: string, end = at) {
    this.at = at
    this.message = message
    this.end = end
  }
}

/**
 * Reads the value that begins at `from`, as JSON, Python, JavaScript or Ruby print one. `Name(key=value)` is an object, `Name(value)` the
 * value, `<Name: value>` the value. Nothing is evaluated: for a name that is not a constant, and for an object that was not written out, the
 * value has a `LeftOut`. Linear, and bounded in depth.
 */
export const readLiteral = (text: string, from: number, parse: (json: string) => unknown = JSON.parse): Literal =>
  new LiteralReader(text, from, parse).read()

/** The value that begins at a place, or why there is none. */
export function literalAt(text: string, start: number, parse: (json: string) => unknown): Literal | LiteralError {
  try {
    return readLiteral(text, start, parse)
  } catch (error) {
    if (error instanceof LiteralError) return error
    throw error
  }
}

class LiteralReader {
  readonly #text: string
  readonly #parse: (json: string) => unknown
  #at: number
  #depth = 0
  /** Something that only Python writes was read. */
  #isPython = false
  #leftOut: LeftOut | undefined
  /** The next value may be a call of a function around a request: it is the whole text, or the argument of another call. */
  #mayCall = true

  constructor(text: string, from: number, parse: (json: string) => unknown) {
    this.#text = text
    this.#at = from
    this.#parse = parse
  }

  read(): Literal {
    const value = this.#value()
    return { value, end: this.#at, leftOut: this.#leftOut }
  }

  #value(): unknown {
    this.#skip()
    const character = this.#text[this.#at]
    if (character === undefined) throw this.#error('the text ends in the middle of a value')
    if (++this.#depth > depthMax) throw this.#error(tooDeep)
    const mayCall = this.#mayCall
    this.#mayCall = mayCall && character === '('
    const value = this.#valueAt(character, mayCall)
    this.#depth--
    return value
  }

  #valueAt(character: string, mayCall: boolean): unknown {
    if (character === '{') return this.#object()
    if (character === '[') return this.#listOrCut()
    if (character === '(') return this.#tuple()
    if (character === '<') return this.#angled()
    const quoted = this.#strings()
    if (quoted !== undefined) return quoted
    const date = this.#match(isoDate)
    if (date !== undefined) return date
    const number = this.#match(numberText)
    if (number !== undefined) return this.#number(number)
    const name = this.#match(nameText)
    if (name === undefined) throw this.#error(`unexpected ${JSON.stringify(character)}`)
    if (Object.hasOwn(constants, name)) {
      this.#isPython ||= pythonConstants.has(name)
      return constants[name]
    }
    return this.#named(name, mayCall)
  }

  /** `Name(...)`, or `Name { ... }` and `Name(2) [ ... ]` as Node prints an instance. */
  #named(name: string, mayCall: boolean): unknown {
    const start = this.#at - name.length
    this.#skip()
    const opening = this.#text[this.#at]
    if (opening === '{') return this.#object()
    if (opening === '(') {
      const given = this.#arguments()
      const source = (): string => this.#text.slice(start, this.#at)
      if (momentNames.has(name.slice(name.lastIndexOf('.') + 1))) return isoText(given) ?? source()
      this.#match(gap)
      if (this.#text[this.#at] === '{') return this.#object()
      if (this.#text[this.#at] === '[') return this.#list(']')
      if (mayCall) return fieldsOf(name, given)
      const json = jsonText(name, given)
      if (json !== undefined || !isCode(name)) return json ?? fieldsOf(name, given)
      return this.#without(start, `${name.slice(0, 40)}(...) is code, and its value is not in the text`, name)
    }
    this.#at = start
    if (this.#depth < 2) throw this.#error(`${name.slice(0, 40)} is a name`)
    this.#at = start + name.length
    return this.#without(start, `${name.slice(0, 40)} is a name, and its value is not in the text`, name)
  }

  #without(at: number, reason: string, name?: string): LeftOut {
    const one = new LeftOut(at, reason, name)
    this.#leftOut ??= one
    return one
  }

  /** An object, or a set: values without keys. */
  #object(): unknown {
    const fields: Record<string, unknown> = {}
    const values: unknown[] = []
    this.#items('}', () => {
      const start = this.#at
      const key = this.#key()
      const isWord = /[A-Za-z_$]/.test(this.#text.charAt(start)) && this.#text[this.#at - 1] === key.at(-1)
      this.#skip()
      if (this.#match(separator) !== undefined) {
        const value = this.#value()
        if (value !== undefined) setField(fields, key, value)
      } else if (!/[,}]/.test(this.#text.charAt(this.#at))) throw this.#error('expected ":" after a key')
      else if (isWord)
        setField(fields, key, this.#without(start, `${key.slice(0, 40)} is a name, and its value is not in the text`))
      else values.push(key)
    })
    return values.length > 0 && Object.keys(fields).length === 0 ? values : fields
  }

  #key(): string {
    const quoted = this.#strings()
    if (quoted !== undefined) return quoted
    const word = this.#match(nameText) ?? this.#match(numberText) ?? this.#match(symbolText)
    if (word === undefined) throw this.#error('expected a key')
    return word.startsWith(':') ? word.slice(1) : word
  }

  /** A list, or what Node prints instead of a value: `[Object]`, `[Function: name]`. */
  #listOrCut(): unknown {
    const start = this.#at
    const cut = this.#match(cutText)
    if (cut !== undefined) return this.#without(start, `the log has left out a value: ${cut.slice(0, 40)}`)
    if (this.#match(nullPrototype) !== undefined) return this.#value()
    return this.#list(']')
  }

  #list(close: string): unknown[] {
    const list: unknown[] = []
    this.#items(close, () => list.push(this.#value() ?? null))
    return list
  }

  /** Parentheses around one value, without a comma, do not make a tuple. */
  #tuple(): unknown {
    const list: unknown[] = []
    const hasComma = this.#items(')', () => list.push(this.#value() ?? null))
    return list.length === 1 && !hasComma ? list[0] : list
  }

  #arguments(): CallArguments {
    const named: Record<string, unknown> = {}
    const positional: unknown[] = []
    this.#items(')', () => {
      const key = this.#match(argumentName)
      this.#mayCall = key === undefined
      const value = this.#value() ?? null
      if (key === undefined) positional.push(value)
      else setField(named, key.slice(0, -1).trimEnd(), value)
    })
    return { named, positional }
  }

  /** `<Role.USER: 'user'>`, as Python prints a member of an enumeration; `<ref *1>` before a value of Node; or an object that was not written out. */
  #angled(): unknown {
    const start = this.#at
    if (this.#match(reference) !== undefined) return this.#value()
    this.#at++
    if (this.#match(enumName) !== undefined) {
      const value = this.#value()
      this.#skip()
      if (this.#text[this.#at] !== '>') throw this.#error(notWritten)
      this.#at++
      return value
    }
    this.#at = start
    if (this.#match(angledText) === undefined) throw this.#error(notWritten)
    return this.#without(start, notWritten)
  }

  /** Items between brackets, with commas between and perhaps one after the last. Returns whether there was a comma. */
  #items(close: string, item: () => void): boolean {
    this.#at++
    let hasComma = false
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === close) break
      item()
      this.#skip()
      if (this.#text[this.#at] === close) break
      if (this.#text[this.#at] !== ',') throw this.#error(`expected "," or "${close}"`)
      this.#at++
      hasComma = true
    }
    this.#at++
    return hasComma
  }

  /**
   * In Python, strings next to each other are one string: `pprint` prints long ones in this way. In JSON this means that a comma is missing. Node
   * prints a text of several lines as strings joined by `+`.
   */
  #strings(): string | undefined {
    let joined: string | undefined
    for (;;) {
      const quoted = readQuoted(this.#text, this.#at, (...given) => new LiteralError(...given))
      if (quoted === undefined) return joined
      this.#isPython ||= this.#text[quoted.end - 1] === "'"
      joined = (joined ?? '') + quoted.value
      this.#at = quoted.end
      if (!this.#hasMoreText()) return joined
    }
  }

  /** Moves to a string that follows, and stays if something else follows. */
  #hasMoreText(): boolean {
    const end = this.#at
    this.#skip()
    const isSum = this.#match(plus) !== undefined
    if (isSum) this.#skip()
    const next = this.#text.charAt(this.#at)
    if (isSum ? /["'`]/.test(next) : this.#isPython && /["'rRuUbB]/.test(next)) return true
    this.#at = end
    return false
  }

  #number(written: string): unknown {
    this.#match(bigEnd)
    if (/[\w.]/.test(this.#text.charAt(this.#at))) throw this.#error('a number is followed by other characters')
    const json = written.replaceAll('_', '').replace(/^\+/, '').replace(/\.$/, '.0')
    try {
      return (this.#parse(`[${json}]`) as unknown[])[0]
    } catch {
      throw this.#error(`${written.slice(0, 40)} is not a number of JSON`)
    }
  }

  /** Skips spaces and comments. */
  #skip(): void {
    for (;;) {
      this.#match(spaces)
      const character = this.#text[this.#at]
      const next = this.#text[this.#at + 1]
      const isBlock = character === '/' && next === '*'
      if (!isBlock && character !== '#' && !(character === '/' && next === '/')) return
      const end = this.#text.indexOf(isBlock ? '*/' : '\n', this.#at)
      this.#at = end < 0 ? this.#text.length : end + (isBlock ? 2 : 0)
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #error(reason: string): LiteralError {
    return new LiteralError(this.#at, reason)
  }
}

/** Also for a key such as `__proto__`, which an assignment would not set. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(fields, key, { value, enumerable: true, writable: true })
  else fields[key] = value
}

const constants: Readonly<Record<string, unknown>> = {
  ...{ true: true, True: true, false: false, False: false },
  ...{ null: null, None: null, nil: null, undefined: undefined },
  ...{ NOT_GIVEN: undefined, NotGiven: undefined, omit: undefined },
}

const pythonConstants = new Set(['True', 'False', 'None'])

/** The reason for which a value is not read further. */
export const tooDeep = 'it is nested too deeply'

const notWritten = 'an object that the log did not write out'
const depthMax = 200
const spaces = /[\s\uFEFF]*/y
const numberText = /[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const isoDate = /\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)?(?!\w)/y
const bigEnd = /n(?!\w)/y
const nameText = /[A-Za-z_$][\w$.]{0,300}/y
const symbolText = /:[A-Za-z_]\w{0,300}/y
const separator = /:|=>/y
const plus = /\+/y
const argumentName = /[A-Za-z_]\w{0,300}\s{0,50}=(?!=)/y
const gap = /[ \t]{0,10}/y
const cutText =
  /\[(?:Object|Array|Circular(?: \*\d{1,9})?|(?:Async)?(?:Generator)?Function\b[^\]\n]{0,200}|class\b[^\]\n]{0,200}|Getter(?:\/Setter)?|Setter)\]/y
const nullPrototype = /\[Object: null prototype\]\s{0,10}(?=\{)/y
const reference = /<ref \*\d{1,9}>\s{0,10}/y
const angledText = /<[^<>\n]{1,300}(?:<[^<>\n]{0,100}>[^<>\n]{0,100})?>/y
const enumName = /[\w.]{1,300}:/y
