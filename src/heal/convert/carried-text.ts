import { base64 } from '../../codecs/shared/base64.ts'
import { asRecord, isRecord } from '../../core/conversation.ts'

/** A field of a message whose text was not converted, with its path in the message. */
export interface OmittedField {
  readonly path: string
  readonly value: unknown
}

/**
 * The text that was converted or is in the report already. All other text of a message was omitted, whether or not its codec knows the
 * field. Most texts are converted as a whole; only if one was not, its lines are looked for in the lines of all.
 */
export class CarriedText {
  #added: unknown[] = ['completed', 'in_progress', 'success']
  readonly #texts = new Set<string>()
  readonly #objects = new Set<object>()
  #lines: Set<string> | undefined

  /** Adds all text in a list of values. */
  add(values: unknown[]): void {
    this.#added.push(values)
  }

  /** The fields of a message, and of the blocks in its lists, that have text which was not added. */
  omittedFields(message: unknown): OmittedField[] {
    if (this.#added.length > 0) this.#collect()
    const omitted: OmittedField[] = []
    eachField(message, (value, pathOf) => {
      if (!isEveryText(value, this.#objects, this.#has)) omitted.push({ path: pathOf(), value })
    })
    return omitted
  }

  #collect(): void {
    isEveryText(this.#added, this.#objects, text => {
      this.#texts.add(text)
      return true
    })
    this.#added = []
    this.#lines = undefined
  }

  readonly #has = (text: string): boolean => {
    if (text === '' || this.#texts.has(text)) return true
    this.#lines ??= new Set([...this.#texts].flatMap(linesOf))
    const lines = this.#lines
    return linesOf(text).every(line => lines.has(line))
  }
}

/** Whether each text in a value passes a test. Objects in `seen` are skipped, and added to it if they pass. */
function isEveryText(value: unknown, seen: Set<object>, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(textOf(value))
  if (typeof value !== 'object' || value === null) return true
  const visited = new Set<object>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      if (!test(textOf(next))) return false
    } else if (typeof next === 'object' && next && !seen.has(next) && !visited.has(next)) {
      visited.add(next)
      if (Array.isArray(next)) for (const inner of next) open.push(inner)
      else if (ArrayBuffer.isView(next)) {
        if (!test(base64(next) ?? '')) return false
      } else for (const key of Object.keys(next)) if (!isTextless(key)) open.push((next as Fields)[key])
    }
  }
  for (const object of visited) seen.add(object)
  return true
}

/** Only the data of a data URL counts: another format may store it without the rest. */
const textOf = (text: string): string => (text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text)

/** White space is ignored. */
const linesOf = (text: string): string[] =>
  text
    .replace(/[^\S\n]+/g, '')
    .split('\n')
    .filter(Boolean)

/** Visits the fields of a message, and of the blocks in its lists, that can have text. */
function eachField(message: unknown, visit: (value: unknown, pathOf: () => string) => void): void {
  const fields = asRecord(message)
  for (const key of Object.keys(fields)) {
    if (isTextless(key)) continue
    const value = fields[key]
    if (!Array.isArray(value)) visit(value, () => key)
    else
      value.forEach((block: unknown, index) => {
        if (!isRecord(block)) visit(block, () => `${key}[${index}]`)
        else
          for (const name of Object.keys(block))
            if (!isTextless(name)) visit(block[name], () => `${key}[${index}].${name}`)
      })
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Whether a field cannot have text: marks, counts, settings, ids and copies of calls. */
function isTextless(key: string): boolean {
  const known = knownKeys.get(key)
  if (known !== undefined) return known
  if (knownKeys.size > knownKeysMax) knownKeys.clear()
  const found = textless.test(key)
  knownKeys.set(key, found)
  return found
}

/** Cached: the messages of a history have the same keys. */
const knownKeys = new Map<string, boolean>()
const knownKeysMax = 1000

const textless =
  /^(type|role|state|object|model|index|phase|detail|format|execution|usage|(finish|stop|created|cache|mime|media|lc_|__|providerO|(invalid_)?tool_?call[s_]).*)$|(^|_)ids?$|Ids?$|signature$|metadata$/i
