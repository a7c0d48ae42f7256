import { unreadable } from './complaint.ts'
import { findFault, placeOf } from './json-fault.ts'

export type Parse = (text: string) => unknown

/** Parses, and throws where and why it cannot. `line` is the line of the file that the text begins at. */
export function parseJson(text: string, name: string, parse: Parse, line = 1): unknown {
  try {
    return parse(text)
  } catch (error) {
    const fault = findFault(text)
    if (!fault) throw unreadable(name, (error as Error).message)
    const place = placeOf(text, fault.at)
    throw unreadable(`${name}:${place.line + line - 1}:${place.column}`, fault.reason, fault.hint)
  }
}

/** Parses such that every number is written again as it was, also one that is too long for a number of the language. */
export function parseExactly(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  const keep = (_key: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' && !isExact(value, source) ? rawJSON(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/** It may match inside a string too, which only costs time. */
const longNumber = /[[:,\s]-?(?:\d[\d.]{15}|[\d.]+[eE])/

function isExact(value: number, source: string): boolean {
  const digits = source
    .replace(/[eE].*/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) return false
  return digits.length <= 15 || String(value) === source
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
