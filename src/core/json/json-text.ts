import { isRecord } from '../conversation.ts'
import { parseExactly } from './exact-json.ts'
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
 * Parses a string that is a JSON object; returns any other value unchanged. The object is for a message, not for a tool: a
 * number beyond the precision of a double is written again as it was.
 */
export function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || !isJsonObject(value)) return value
  return parseObject(value, tryParseExactly) ?? value
}

/** Deep values can be parsed, but not exactly. */
function tryParseExactly(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
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
