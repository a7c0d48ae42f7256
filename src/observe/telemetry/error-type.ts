/** A low-cardinality name for an error: its code, its HTTP status, or its name. Never its message. */
export function errorType(error: unknown): string {
  if (typeof error !== 'object' || error === null) return other
  const { code, status, name } = error as { code?: unknown; status?: unknown; name?: unknown }
  const own = name === undefined || name === 'Error' ? error.constructor?.name : name
  return [code, status, own === 'Object' ? name : own].map(shortName).find(found => found !== undefined) ?? other
}

const shortName = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && /^[\w.-]{1,64}$/.test(String(value))
    ? String(value)
    : undefined

const other = '_OTHER'
