import { base64 } from '../../codecs/shared/base64.ts'
import { asRecord, isRecord } from '../../core/conversation.ts'

/** A field of a message whose text was not converted, with its path in the message. */
export interface OmittedField {
  readonly path: string
  readonly value: unknown
}

/**
 * The text that was converted or is in the report already: lines of text, and whole values. All other text of a message
 * was omitted, whether or not its codec knows the field.
 */
export class CarriedText {
  readonly #known = new Set<unknown>(['completed', 'in_progress', 'success'])

  /** Adds every line of text in a list of values. */
  add(values: unknown[]): void {
    for (const line of linesIn(values, this.#known)) this.#known.add(line)
  }

  /** The fields of a message, and of the blocks in its lists, that have text which was not added. */
  omittedFields(message: unknown): OmittedField[] {
    return fieldsOf(message).filter(({ value }) => {
      for (const line of linesIn([value], new Set(), this.#known)) if (!this.#known.has(line)) return true
      return false
    })
  }
}

/** The lines of text in values, except in objects that were seen or added. */
function* linesIn(values: unknown[], seen: Set<unknown>, known = seen): Generator<string> {
  const queue = [values]
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const value of next) {
      if (typeof value === 'string') yield* linesOf(value)
      else if (typeof value === 'object' && value) {
        if (known.has(value) || seen.has(value)) continue
        seen.add(value)
        if (ArrayBuffer.isView(value)) yield base64(value) ?? ''
        else queue.push(fieldsIn(value).map(([, inner]) => inner))
      }
    }
  }
}

/** White space is ignored. Only the data of a data URL counts: another format may store it without the rest. */
const linesOf = (text: string): string[] =>
  (text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text)
    .split('\n')
    .map(line => line.replace(/\s+/g, ''))
    .filter(Boolean)

function fieldsOf(message: unknown): OmittedField[] {
  return fieldsIn(asRecord(message)).flatMap(([key, value]) =>
    !Array.isArray(value)
      ? { path: key, value }
      : value.flatMap((block, index) => {
          const path = `${key}[${index}]`
          return isRecord(block)
            ? fieldsIn(block).map(([name, inner]) => ({ path: `${path}.${name}`, value: inner }))
            : { path, value: block as unknown }
        }),
  )
}

/** The fields of a value that can have text: not marks, counts, settings, ids or copies of calls. */
const fieldsIn = (value: object): [string, unknown][] => Object.entries(value).filter(([key]) => !textless.test(key))

const textless =
  /^(type|role|state|object|model|index|phase|detail|format|execution|usage|(finish|stop|created|cache|mime|media|lc_|__|providerO|(invalid_)?tool_?call[s_]).*)$|(^|_)ids?$|Ids?$|signature$|metadata$/i
