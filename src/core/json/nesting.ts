/**
 * Whether a value is nested deeper than any that people use. `JSON.parse` reads any depth, but `JSON.stringify` and every function that calls itself
 * for each level overflow the stack at a few thousand: such a value could be stored and never shown again. Uses lists of its own.
 */
export function isNestedTooDeep(value: unknown): boolean {
  // A value that is part of a level twice is looked at once, so that a cycle does not multiply.
  let level = new Set<object>(isNested(value) ? [value] : [])
  for (let depth = 0; level.size > 0; depth++) {
    if (depth === nestingMax) return true
    const next = new Set<object>()
    for (const outer of level)
      for (const inner of Array.isArray(outer) ? outer : Object.values(outer)) if (isNested(inner)) next.add(inner)
    level = next
  }
  return false
}

/** How many levels a value may have. */
export const nestingMax = 1_000

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
