import { isRecord } from '../conversation.ts'
import { isJsonObject } from './is-json-object.ts'

/** The object that a text is as JSON, or undefined if it is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The object that a text is as JSON; anything else as it is. */
export function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || !isJsonObject(value)) return value
  return parseObject(value) ?? value
}

/** A value as JSON text; the empty text if it has none. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
