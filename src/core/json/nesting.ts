/** How deep a value may be nested. */
export const depthMax = 500

/**
 * Whether a value is nested deeper than any that people use. `JSON.parse` reads any depth, but `JSON.stringify` and every function that calls itself
 * for each level overflow the stack at a few thousand: such a value could be stored, and then neither shown nor sent. A value that contains
 * itself is too deep as well.
 */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(value, depthMax)

/** Whether a value has more levels than this. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: readonly object[] = isNested(value) ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return true
    const next: object[] = []
    // A value that is in a long level twice is looked at once, so that a cycle does not multiply.
    for (const outer of level.length > wide ? new Set(level) : level)
      for (const inner of Array.isArray(outer) ? outer : Object.values(outer)) if (isNested(inner)) next.push(inner)
    level = next
  }
  return false
}

const wide = 1_000

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
