/**
 * Parses such that every number is written again as it was, also one that is too long for a number of the language. Such a
 * number is an object then that only `JSON.stringify` understands. Where the host cannot do that, it is a number.
 */
export function parseExactly(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON || !mayHoldLongNumbers(text)) return JSON.parse(text)
  const keep = (_key: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' && !isExact(value, source) ? rawJSON(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/** Parses such that every number is written again digit for digit: `1.0` and `1e5` too. */
export function parseVerbatim(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON) return JSON.parse(text)
  const keep = (_key: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/** Whether there may be a number in it that the language cannot hold. One inside a string counts too, which only costs time. */
export const mayHoldLongNumbers = (text: string): boolean => longNumber.test(text)

const longNumber = /[[:,\s]-?(?:\d[\d.]{15}|[\d.]+[eE])/

function isExact(value: number, source: string): boolean {
  const digits = source
    .replace(/[eE].*/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) return false
  return digits.length <= 15 || String(value) === source
}
