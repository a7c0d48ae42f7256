import { base64 } from '../../codecs/shared/base64.ts'
import { asRecord, isRecord } from '../../core/conversation.ts'

/** A field of a message whose words did not go along, with its path in the message. */
export interface LeftOut {
  readonly path: string
  readonly value: unknown
}

/**
 * What went along to another format, or is in the report already: lines of text, and whole values. What a message says
 * beside that was left out, whether or not its codec knows the field.
 */
export class CarriedWords {
  readonly #known = new Set<unknown>(['completed', 'in_progress', 'success'])

  /** Takes every line of text in a list of values. */
  add(values: unknown[]): void {
    for (const line of linesIn(values, this.#known)) this.#known.add(line)
  }

  /** The fields of a message, and of the blocks in its lists, that say something which is not known. */
  leftOut(message: unknown): LeftOut[] {
    return fieldsOf(message).filter(({ value }) => {
      for (const line of linesIn([value], new Set(), this.#known)) if (!this.#known.has(line)) return true
      return false
    })
  }
}

/** The lines of text in values, but not in objects that were seen or are known. */
function* linesIn(values: unknown[], seen: Set<unknown>, known = seen): Generator<string> {
  const waiting = [values]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const value of next) {
      if (typeof value === 'string') yield* linesOf(value)
      else if (typeof value === 'object' && value) {
        if (known.has(value) || seen.has(value)) continue
        seen.add(value)
        if (ArrayBuffer.isView(value)) yield base64(value) ?? ''
        else waiting.push(fieldsIn(value).map(([, inner]) => inner))
      }
    }
  }
}

/** White space says nothing. Of a data URL the data counts: another format may have it without the rest. */
const linesOf = (text: string): string[] =>
  (text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text)
    .split('\n')
    .map(line => line.replace(/\s+/g, ''))
    .filter(Boolean)

function fieldsOf(message: unknown): LeftOut[] {
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

/** The fields of a value, without those that say nothing: marks, counts, settings, and the ids and copies of calls. */
const fieldsIn = (value: object): [string, unknown][] => Object.entries(value).filter(([key]) => !silent.test(key))

const silent =
  /^(type|role|state|object|model|index|phase|detail|format|execution|usage|(finish|stop|created|cache|mime|media|lc_|__|providerO|(invalid_)?tool_?call[s_]).*)$|(^|_)ids?$|Ids?$|signature$|metadata$/i
