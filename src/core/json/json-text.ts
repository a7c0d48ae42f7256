import { isRecord } from '../conversation.ts'
import { parseLongNumbersAsText } from './exact-json.ts'
import { isJsonObject } from './is-json-object.ts'
import { depthMax, isTooDeep } from './nesting.ts'
import { tryParseJson } from './try-parse-json.ts'

/** Parses a JSON object; undefined if the text is anything else, or nested too deep to be written again. */
export function parseObject(
  text: string,
  parse: (text: string) => unknown = tryParseJson,
): Readonly<Record<string, unknown>> | undefined {
  const value = parse(text)
  if (!isRecord(value)) return undefined
  return text.length > 2 * depthMax && isTooDeep(value) ? undefined : value
}

/**
 * Parses a string that is a JSON object; returns any other value unchanged. A number beyond the precision of a double
 * becomes a text, so that no digit is lost.
 */
export function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || !isJsonObject(value)) return value
  return parseObject(value, tryParseWithDigits) ?? value
}

/** Parses JSON, with numbers beyond the precision of a double as texts; undefined if it is not JSON. */
export function tryParseWithDigits(text: string): unknown {
  try {
    return parseLongNumbersAsText(text)
  } catch {
    // Deep values can be parsed, but not with a look at each number.
    return tryParseJson(text)
  }
}

/** A value as JSON text; empty if it cannot be serialised. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
