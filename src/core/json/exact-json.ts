/**
 * Parses JSON so that numbers beyond the precision of a double are serialised unchanged. Such a number becomes a raw
 * JSON object that only `JSON.stringify` understands; where the host lacks `JSON.rawJSON`, it is an ordinary number.
 */
export function parseExactly(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON || !mayHoldLongNumbers(text)) return JSON.parse(text)
  const keep = (_key: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' && !isExact(value, source) ? rawJSON(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/** Parses JSON so that every number is serialised digit for digit, also `1.0` and `1e5`. */
export function parseVerbatim(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON) return JSON.parse(text)
  const keep = (_key: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/**
 * Whether the text may contain a number beyond the precision of a double. A number inside a string counts too, which
 * costs only time.
 */
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
