import { base64 } from '../../codecs/shared/base64.ts'
import { asRecord, type Fields, isRecord } from '../../core/conversation.ts'
import { isCallsOfNone, isTextless } from './textless.ts'

/** A field of a message whose text was not converted, with its path in the message. */
export interface OmittedField {
  /** The index of the message. */
  readonly origin: number
  readonly path: string
  readonly value: unknown
}

/**
 * The text that was converted or is in the report already. All other text of a message was omitted, whether or not its codec knows the
 * field. Nearly every text is converted unchanged. So each value of a message is first looked up among the values that were converted from
 * that message, by identity. Only for values that are not found, each line is searched in all converted text.
 */
export class CarriedText {
  readonly #values: unknown[] = [...usualWords]
  /** Where the values of a message begin and end, by its index. Of a message that is added to again later, only the last are known. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #last: number | undefined
  /** Arguments of calls. A format may have them as JSON text in addition to the value. */
  readonly #inputs: object[] = []

  /** Adds all text in a value. `origin` is the index of the message that has it, or undefined if none has. */
  add(value: unknown, origin?: number): void {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return
    if (origin !== this.#last && origin !== undefined) this.#starts[origin] = this.#values.length
    this.#last = origin
    this.#values.push(value)
    if (origin !== undefined) this.#ends[origin] = this.#values.length
  }

  /** Adds the arguments of a call. */
  addInput(input: unknown, origin?: number): void {
    this.add(input, origin)
    if (typeof input === 'object' && input !== null) this.#inputs.push(input)
  }

  /** The fields of messages, and of the blocks in their lists, that have text which was not added. */
  omittedFields(history: readonly unknown[]): OmittedField[] {
    const doubtful: (OmittedField & { lines: string[] })[] = []
    const known = new KnownValues(this.#values)
    let origin = 0
    const visit: VisitField = (value, key, index, name) => {
      if (known.hasAll(value, depthMax)) return
      const path = index === undefined ? key : `${key}[${index}]${name === undefined ? '' : `.${name}`}`
      doubtful.push({ origin, path, value, lines: textsIn(value).flatMap(linesOf) })
    }
    for (; origin < history.length; origin++) {
      const start = this.#starts[origin]
      // An item that is decoded into the message of an earlier one has no values of its own.
      if (start !== undefined) known.selectRange(start, this.#ends[origin] ?? start)
      eachField(history[origin], visit)
    }
    if (doubtful.length === 0) return []
    const missing = this.#missingLines(new Set(doubtful.flatMap(({ lines }) => lines)))
    return doubtful.filter(({ lines }) => lines.some(line => missing.has(line)))
  }

  /** Removes the lines of all added text from a set of lines. */
  #missingLines(lines: Set<string>): Set<string> {
    const ends = new Set([...lines].map(line => endsOf(line, 0, line.length)))
    const inputs = this.#inputs.map(input => JSON.stringify(input))
    for (const text of textsIn([this.#values, inputs])) {
      for (let start = 0, end = 0; start < text.length && lines.size > 0; start = end + 1) {
        end = text.indexOf('\n', start)
        if (end < 0) end = text.length
        if (ends.has(endsOf(text, start, end))) lines.delete(withoutSpace(text.slice(start, end)))
      }
    }
    return lines
  }
}

/** States and kinds of content that every format has in some way. */
const usualWords: ReadonlySet<unknown> = new Set(['completed', 'in_progress', 'success', 'text', 'json'])

/** More values than this are searched as a set. */
const listMax = 16
const depthMax = 4

/** The values of one message: a range of the list with the values of all messages. */
class KnownValues {
  readonly #values: readonly unknown[]
  #start = 0
  #end = 0
  #set: Set<unknown> | undefined

  constructor(values: readonly unknown[]) {
    this.#values = values
  }

  selectRange(start: number, end: number): void {
    this.#start = start
    this.#end = end
    this.#set = end - start > listMax ? new Set(this.#values.slice(start, end)) : undefined
  }

  /**
   * Whether a value, or all that is in it, is one of the values. May return false although it is: deep values and long lists are not read,
   * which bounds the work for values that share others.
   */
  hasAll(value: unknown, depth: number): boolean {
    if (typeof value === 'string')
      return value === '' || this.#has(value) || usualWords.has(value) || this.#hasData(value)
    if (typeof value !== 'object' || value === null || this.#has(value)) return true
    if (depth === 0 || ArrayBuffer.isView(value)) return false
    if (Array.isArray(value)) return value.length <= listMax && value.every(inner => this.hasAll(inner, depth - 1))
    const keys = Object.keys(value)
    if (keys.length > listMax) return false
    for (const key of keys) if (!isTextless(key) && !this.hasAll((value as Fields)[key], depth - 1)) return false
    return true
  }

  #hasData(text: string): boolean {
    return text.startsWith('data:') && this.#has(dataOf(text))
  }

  #has(value: unknown): boolean {
    if (this.#set) return this.#set.has(value)
    for (let index = this.#start; index < this.#end; index++) if (this.#values[index] === value) return true
    return false
  }
}

/** The texts in a value, each object read once. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const visited = new Set<object>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(dataOf(next))
    else if (typeof next === 'object' && next && !visited.has(next)) {
      visited.add(next)
      if (Array.isArray(next)) for (const inner of next) open.push(inner)
      else if (ArrayBuffer.isView(next)) texts.push(base64(next) ?? '')
      else for (const key of Object.keys(next)) if (!isTextless(key)) open.push((next as Fields)[key])
    }
  }
  return texts
}

/** Only the data of a data URL counts: another format may store it without the rest. */
const dataOf = (text: string): string => (text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text)

/** White space is ignored. */
const linesOf = (text: string): string[] => text.split('\n').map(withoutSpace).filter(Boolean)

const withoutSpace = (line: string): string => line.replace(/\s+/g, '')

/** The first and the last character of a line that are not white space, as one number. */
function endsOf(text: string, start: number, end: number): number {
  let first = start
  let last = end - 1
  while (first < last && isSpace(text.charCodeAt(first))) first++
  while (last > first && isSpace(text.charCodeAt(last))) last--
  return text.charCodeAt(first) * 0x10000 + text.charCodeAt(last)
}

const isSpace = (code: number): boolean => code <= 32 || (code >= 128 && /\s/.test(String.fromCharCode(code)))

type VisitField = (value: unknown, key: string, index?: number, name?: string) => void

/** Visits the fields of a message, and of the blocks in its lists, that can have text. */
function eachField(message: unknown, visit: VisitField): void {
  const fields = asRecord(message)
  for (const key of Object.keys(fields)) {
    if (isTextless(key) && !isCallsOfNone(key, fields)) continue
    const value = fields[key]
    if (!Array.isArray(value)) visit(value, key)
    else
      for (let index = 0; index < value.length; index++) {
        const block: unknown = value[index]
        if (!isRecord(block)) visit(block, key, index)
        else for (const name of Object.keys(block)) if (!isTextless(name)) visit(block[name], key, index, name)
      }
  }
}
