import { isRecord } from '../conversation.ts'
import { isJsonObject } from './is-json-object.ts'
import { depthMax, isTooDeep } from './nesting.ts'
import { tryParseJson } from './try-parse-json.ts'

/** Parses a JSON object; undefined if the text is anything else, or nested too deep to be written again. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = tryParseJson(text)
  if (!isRecord(value)) return undefined
  return text.length > 2 * depthMax && isTooDeep(value) ? undefined : value
}

/** Parses a string that is a JSON object; returns any other value unchanged. */
export function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || !isJsonObject(value)) return value
  return parseObject(value) ?? value
}

/** A value as JSON text; empty if it cannot be serialised. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
