/** Deep equality of JSON values. It keeps its own stack, so depth costs memory and never the call stack. */
export function equal(left: unknown, right: unknown): boolean {
  const stack: unknown[] = [left, right]
  while (stack.length > 0) {
    const b = stack.pop()
    const a = stack.pop()
    if (Object.is(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      stack.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])
    }
  }
  return true
}
