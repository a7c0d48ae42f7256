import { type CallState, placeholderTexts } from '../core/placeholder.ts'
import type { ErrorData, Outcome } from './entry.ts'

/** A placeholder: there is no result, and this is what is known of the call. */
export const madeUp = (state: CallState, reason?: string): Outcome => ({
  status: 'made-up',
  state,
  content: reason ? `${placeholderTexts[state]} Reason: ${reason}` : placeholderTexts[state],
})

/**
 * What a tool gave back. Everything ends in an outcome: an error is one, what is no JSON becomes an error that says so, what
 * is longer than `bytesMax` keeps its beginning and tells how long it was.
 */
export function outcomeOf(output: unknown, bytesMax: number): Outcome {
  if (output === undefined) return { status: 'done', content: '' }
  if (output instanceof Error) return outcomeOfError(output, bytesMax)
  let text: string
  try {
    text = typeof output === 'string' ? output : jsonOf(output)
  } catch (error) {
    return failed(`The tool ran, but its output cannot be written as JSON: ${wordsOf(error)}`)
  }
  if (text.length * 3 <= bytesMax) return { status: 'done', content: plain(output, text) }
  const bytes = Buffer.byteLength(text)
  if (bytes <= bytesMax) return { status: 'done', content: plain(output, text) }
  const beginning = Buffer.from(text)
    .subarray(0, bytesMax)
    .toString()
    .replace(/\uFFFD+$/, '')
  return {
    status: 'done',
    content: `${beginning}\n[cut: the output was ${bytes} bytes long, and these are the first ${Buffer.byteLength(beginning)}]`,
    bytes,
  }
}

/** What a tool threw. It is kept like an output. */
export const outcomeOfError = (error: unknown, bytesMax: number): Outcome => ({
  ...outcomeOf(wordsOf(error), bytesMax),
  status: 'error',
})

/** The tool failed, in these words. */
export const failed = (message: string): Outcome => ({ status: 'error', content: message })

export const errorData = (error: unknown): ErrorData => {
  const { name, message, code, status } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Partial<ErrorData>
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : wordsOf(error),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
  }
}

/** What an error says. Anything can be thrown, also what cannot be written. */
export function wordsOf(error: unknown): string {
  for (const write of [messageOf, JSON.stringify, String])
    try {
      const words: unknown = write(error)
      if (typeof words === 'string') return words
    } catch {
      // The next one may do.
    }
  return 'an error that cannot be written'
}

function messageOf(error: unknown): unknown {
  if (error instanceof Error) return error.message || error.name
  return error
}

/** JSON knows neither a Map nor a stream nor a function, and writes `{}` or nothing for them: here they are told. */
function jsonOf(output: unknown): string {
  if (isHollow(output)) throw new TypeError(`it is of the type ${typeOf(output)}`)
  const text: string | undefined = JSON.stringify(output, (_, value) => {
    if (value instanceof Error) return errorData(value)
    return isHollow(value) ? `[${typeOf(value)}: not JSON]` : value
  })
  if (text === undefined) throw new TypeError(`it is of the type ${typeOf(output)}`)
  return text
}

/** Whether it is an object of some class of which JSON would keep nothing. */
function isHollow(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const key in value) if (Object.hasOwn(value, key)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  return !isPlain && !('toJSON' in value) && typeof value.valueOf() === 'object'
}

const typeOf = (value: unknown): string => {
  const [, tag] = /^\[object (.*)\]$/.exec(Object.prototype.toString.call(value)) ?? []
  return tag === 'Object' ? ((value as object).constructor?.name ?? tag) : tag
}

/** What is stored is what a reader of JSON gets, whatever the tool does to its value later. */
const plain = (output: unknown, text: string): unknown => (typeof output === 'string' ? output : JSON.parse(text))
