/**
 * Reads JSON such that writing it again keeps numbers of any length, where the host can do that; it takes longer, and
 * numbers that a program could not hold are then objects that only `JSON.stringify` understands.
 */
export function parseExactly(text: string): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON) return JSON.parse(text)
  const revive = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && isLong.test(source) && String(value) !== source
      ? rawJSON(source)
      : value
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1])
}

/** Whether a text may hold a number that a program cannot. */
export const mayHoldLongNumbers = (text: string): boolean => isLong.test(text)

const isLong = /\d[\d.]{15}|\d[eE][-+]?\d{3}/
