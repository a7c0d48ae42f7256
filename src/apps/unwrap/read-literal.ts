import { readQuoted } from './read-quoted.ts'

/** A value that was read from a text, and where it ends. */
export interface Literal {
  readonly value: unknown
  readonly end: number
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
 * value, `<Name: value>` the value. Nothing is evaluated: a name that is not a constant is an error. Linear, and bounded in depth.
 */
export const readLiteral = (text: string, from: number, parse: (json: string) => unknown = JSON.parse): Literal =>
  new LiteralReader(text, from, parse).read()

class LiteralReader {
  readonly #text: string
  readonly #parse: (json: string) => unknown
  #at: number
  #depth = 0
  /** Something that only Python writes was read. */
  #isPython = false

  constructor(text: string, from: number, parse: (json: string) => unknown) {
    this.#text = text
    this.#at = from
    this.#parse = parse
  }

  read(): Literal {
    const value = this.#value()
    return { value, end: this.#at }
  }

  #value(): unknown {
    this.#skip()
    const character = this.#text[this.#at]
    if (character === undefined) throw this.#error('the text ends in the middle of a value')
    if (++this.#depth > depthMax) throw this.#error(tooDeep)
    const value = this.#valueAt(character)
    this.#depth--
    return value
  }

  #valueAt(character: string): unknown {
    if (character === '{') return this.#object()
    if (character === '[') return this.#list(']')
    if (character === '(') return this.#tuple()
    if (character === '<') return this.#enumMember()
    const quoted = this.#strings()
    if (quoted !== undefined) return quoted
    const number = this.#match(numberText)
    if (number !== undefined) return this.#number(number)
    const name = this.#match(nameText)
    if (name === undefined) throw this.#error(`unexpected ${JSON.stringify(character)}`)
    if (Object.hasOwn(constants, name)) {
      this.#isPython ||= pythonConstants.has(name)
      return constants[name]
    }
    return this.#named(name)
  }

  /** `Name(...)`, or `Name { ... }` as Node prints an instance. */
  #named(name: string): unknown {
    const start = this.#at
    this.#skip()
    if (this.#text[this.#at] === '{') return this.#object()
    if (this.#text[this.#at] === '(') return fieldsOf(name, this.#arguments())
    this.#at = start - name.length
    throw this.#error(
      cutNames.has(name)
        ? `the log has left out a value: [${name}]`
        : `${name.slice(0, 40)} is a name, and its value is not in the text`,
    )
  }

  #object(): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    this.#items('}', () => {
      const key = this.#key()
      this.#skip()
      if (this.#match(separator) === undefined) throw this.#error('expected ":" after a key')
      const value = this.#value()
      if (value !== undefined) setField(fields, key, value)
    })
    return fields
  }

  #key(): string {
    const quoted = this.#strings()
    if (quoted !== undefined) return quoted
    const word = this.#match(nameText) ?? this.#match(numberText) ?? this.#match(symbolText)
    if (word === undefined) throw this.#error('expected a key')
    return word.startsWith(':') ? word.slice(1) : word
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
      const value = this.#value() ?? null
      if (key === undefined) positional.push(value)
      else setField(named, key.slice(0, -1).trimEnd(), value)
    })
    return { named, positional }
  }

  /** `<Role.USER: 'user'>`, as Python prints a member of an enumeration. */
  #enumMember(): unknown {
    this.#at++
    if (this.#match(enumName) === undefined) throw this.#error('an object that the log did not write out')
    const value = this.#value()
    this.#skip()
    if (this.#text[this.#at] !== '>') throw this.#error('an object that the log did not write out')
    this.#at++
    return value
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

  /** Strings next to each other are one in Python, which `pprint` prints so. In JSON a comma is missing between them. */
  #strings(): string | undefined {
    let joined: string | undefined
    for (;;) {
      const quoted = readQuoted(this.#text, this.#at, (...given) => new LiteralError(...given))
      if (quoted === undefined) return joined
      this.#isPython ||= this.#text[quoted.end - 1] === "'"
      joined = (joined ?? '') + quoted.value
      this.#at = quoted.end
      if (!this.#isPython || !this.#hasMoreText()) return joined
    }
  }

  /** Moves to a string that follows, and stays if something else follows. */
  #hasMoreText(): boolean {
    const end = this.#at
    this.#skip()
    if (/["'rRuUbB]/.test(this.#text.charAt(this.#at))) return true
    this.#at = end
    return false
  }

  #number(written: string): unknown {
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
      const isComment = character === '#' || (character === '/' && this.#text[this.#at + 1] === '/')
      if (!isComment) return
      const end = this.#text.indexOf('\n', this.#at)
      this.#at = end < 0 ? this.#text.length : end
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

interface CallArguments {
  readonly named: Readonly<Record<string, unknown>>
  readonly positional: readonly unknown[]
}

/** What `Name(...)` holds. A URL among values with a name is the one of a request, as in `requests.post(url, json=...)`. */
function fieldsOf(name: string, { named, positional }: CallArguments): unknown {
  const [first] = positional
  if (Object.keys(named).length > 0) {
    const type = langChainTypes[name]
    const url = typeof first === 'string' && /^https?:/.test(first) ? { url: first } : {}
    return { ...url, ...(type === undefined ? {} : { type }), ...named }
  }
  if (name === 'OrderedDict' && Array.isArray(first) && first.every(isPair)) return Object.fromEntries(first)
  return positional.length === 0 ? {} : positional.length === 1 ? first : positional
}

const isPair = (value: unknown): value is [string, unknown] => Array.isArray(value) && value.length === 2

/** LangChain does not print the type of a message: the name of the class says it. */
const langChainTypes: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  HumanMessage: 'human',
  AIMessage: 'ai',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  HumanMessageChunk: 'human',
  AIMessageChunk: 'ai',
})

/** Also for a key such as `__proto__`, which an assignment would not set. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(fields, key, { value, enumerable: true, writable: true })
  else fields[key] = value
}

const constants: Readonly<Record<string, unknown>> = {
  ...{ true: true, True: true, false: false, False: false },
  ...{ null: null, None: null, nil: null, undefined: undefined },
}

const pythonConstants = new Set(['True', 'False', 'None'])

/** What Node prints instead of a value that is too deep. */
const cutNames = new Set(['Object', 'Array', 'Circular', 'Function'])

/** The reason for which a value is not read further. */
export const tooDeep = 'it is nested too deeply'

const depthMax = 200
const spaces = /[\s\uFEFF]*/y
const numberText = /[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const nameText = /[A-Za-z_$][\w$.]{0,300}/y
const symbolText = /:[A-Za-z_]\w{0,300}/y
const separator = /:|=>/y
const argumentName = /[A-Za-z_]\w{0,300}\s{0,50}=(?!=)/y
const enumName = /[\w.]{1,300}:/y
