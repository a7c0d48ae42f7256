import { describeError } from '../core/describe-error.ts'
import { depthMax, isTooDeep } from '../core/json/nesting.ts'
import { type CallState, placeholderTexts } from '../core/placeholder.ts'
import type { ErrorData, Outcome } from './entry.ts'

/** A placeholder for a missing result. It says what is known of the call. */
export const placeholderOutcome = (state: CallState, reason?: string): Outcome => ({
  status: 'made-up',
  state,
  content: reason ? `${placeholderTexts[state]} Reason: ${reason}` : placeholderTexts[state],
})

/**
 * The outcome of a tool's output. An Error becomes an error outcome, and so does a value that cannot be written as JSON. An
 * output longer than `bytesMax` is cut, with a note that says how long it was.
 */
export function outcomeOfOutput(output: unknown, bytesMax: number): Outcome {
  if (output === undefined) return { status: 'done', content: '' }
  if (output instanceof Error) return outcomeOfError(output, bytesMax)
  let text: string
  try {
    text = typeof output === 'string' ? output : jsonOf(output)
  } catch (error) {
    return errorOutcome(`The tool ran, but its output cannot be written as JSON: ${describeError(error)}`)
  }
  if (text.length * 3 <= bytesMax) return outcomeOf(output, text)
  const encoded = new TextEncoder().encode(text)
  const bytes = encoded.length
  if (bytes <= bytesMax) return outcomeOf(output, text)
  const beginning = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(encoded.subarray(0, bytesMax))
    .replace(/\uFFFD+$/, '')
  return {
    status: 'done',
    content: `${beginning}\n[cut: the output was ${bytes} bytes long, and these are the first ${new TextEncoder().encode(beginning).length}]`,
    bytes,
  }
}

/** The outcome of an error that a tool threw. It is cut like an output. */
export const outcomeOfError = (error: unknown, bytesMax: number): Outcome => ({
  ...outcomeOfOutput(describeError(error), bytesMax),
  status: 'error',
})

/** The tool failed with this message. */
export const errorOutcome = (message: string): Outcome => ({ status: 'error', content: message })

export const errorData = (error: unknown): ErrorData => {
  const { name, message, code, status } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Partial<ErrorData>
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : describeError(error),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
  }
}

/** JSON.stringify writes `{}` or nothing for a Map, a stream or a function. Here they are named instead. */
function jsonOf(output: unknown): string {
  if (isOpaqueObject(output)) throw new TypeError(`it is of type ${typeOf(output)}`)
  const text: string | undefined = JSON.stringify(output, (_, value) => {
    if (value instanceof Error) return errorData(value)
    return isOpaqueObject(value) ? `[${typeOf(value)}: not JSON]` : value
  })
  if (text === undefined) throw new TypeError(`it is of type ${typeOf(output)}`)
  return text
}

/** Whether it is a class instance of which JSON would keep nothing. */
function isOpaqueObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const key in value) if (Object.hasOwn(value, key)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  return !isPlain && !('toJSON' in value) && typeof value.valueOf() === 'object'
}

const typeOf = (value: unknown): string => {
  const [, tag = 'Object'] = /^\[object (.*)\]$/.exec(Object.prototype.toString.call(value)) ?? []
  return tag === 'Object' ? ((value as object).constructor?.name ?? tag) : tag
}

/** The content is a copy through JSON, so that later changes of the tool's value do not reach what is stored. */
function outcomeOf(output: unknown, text: string): Outcome {
  const content: unknown = typeof output === 'string' ? output : JSON.parse(text)
  return isTooDeep(content)
    ? errorOutcome(`The tool ran, but its output is nested deeper than ${depthMax} levels.`)
    : { status: 'done', content }
}
