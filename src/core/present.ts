/** A value that an invariant guarantees. Throws an error that names the invariant if the value is missing. */
export function present<T>(value: T | undefined, invariant: string): T {
  if (value === undefined) throw new Error(`broken invariant: ${invariant}; this is a bug in Antiphon`)
  return value
}
