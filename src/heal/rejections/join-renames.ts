/** The names that tools have after two repairs, by which the caller's are found. */
export function joinRenames(
  first: ReadonlyMap<string, string> | undefined,
  second: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> | undefined {
  if (!first || !second) return first ?? second
  const joined = new Map(first)
  for (const [fresh, name] of second) {
    joined.delete(name)
    joined.set(fresh, first.get(name) ?? name)
  }
  return joined
}
