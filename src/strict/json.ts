import { isNestedTooDeep } from './answers/nesting.ts'

export type JsonObject = { [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects of a list; empty if the value is not a list. */
export const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The value as text: a string unchanged, everything else as JSON. */
export const textOrJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** The parsed value, or undefined if the text is not JSON, or nested too deep. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}
