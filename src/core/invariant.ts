/** A value that an invariant guarantees. Throws an error that names the invariant if the value is missing. */
export function present<T>(value: T | undefined, invariant: string): T {
  if (value === undefined) throw broken(invariant)
  return value
}

/** The element of a list at an index that is within it. */
export const valueAt = <T>(list: readonly T[], index: number): T => present(list[index], 'an index is within its list')

/** Throws an error that names the invariant if it does not hold. */
export function ensure(holds: boolean, invariant: string): void {
  if (!holds) throw broken(invariant)
}

const broken = (invariant: string): Error => new Error(`broken invariant: ${invariant}; this is a bug in Antiphon`)
