/**
 * Parses JSON so that numbers beyond the precision of a double are serialised unchanged. Such a number becomes a raw
 * JSON object that only `JSON.stringify` understands; where the host lacks `JSON.rawJSON`, it is an ordinary number.
 */
export const parseExactly = (text: string): unknown =>
  mayHoldLongNumbers(text) ? parseNumbers(text, isExact, (source, raw) => raw(source)) : JSON.parse(text)

/** Whether a value is such a raw JSON object: a number, although its type is that of an object. */
export const isRawNumber = (value: unknown): boolean => isRaw?.(value) === true

const { isRawJSON: isRaw } = JSON as { isRawJSON?: (value: unknown) => boolean }

/** Parses JSON so that every number is serialised digit for digit, also `1.0` and `1e5`. */
export const parseVerbatim = (text: string): unknown =>
  parseNumbers(
    text,
    (value, source) => String(value) === source,
    (source, raw) => raw(source),
  )

/**
 * Parses JSON with numbers beyond the precision of a double as texts of their digits. Unlike raw JSON objects, these can
 * be copied, and written by any serializer.
 */
export const parseLongNumbersAsText = (text: string): unknown =>
  mayHoldLongNumbers(text) ? parseNumbers(text, isExact, source => source) : JSON.parse(text)

/** A host without `JSON.rawJSON` does not tell how a number was written either. */
function parseNumbers(
  text: string,
  isKept: (value: number, source: string) => boolean,
  replace: (source: string, rawJSON: (text: string) => unknown) => unknown,
): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON) return JSON.parse(text)
  const revive = (_key: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' && !isKept(value, source) ? replace(source, rawJSON) : value
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown)
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
