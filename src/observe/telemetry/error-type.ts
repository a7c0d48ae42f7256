/** A short word for an error, of which there are few: its code, its HTTP status, or its name. Never what it says. */
export function errorType(error: unknown): string {
  if (typeof error !== 'object' || error === null) return other
  const { code, status, name } = error as { code?: unknown; status?: unknown; name?: unknown }
  const own = name === undefined || name === 'Error' ? error.constructor?.name : name
  return [code, status, own === 'Object' ? name : own].map(word).find(found => found !== undefined) ?? other
}

const word = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && /^[\w.-]{1,64}$/.test(String(value))
    ? String(value)
    : undefined

const other = '_OTHER'
