/** Whether a value is nested deeper than any real history, and deeper than the parsers of providers accept. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value].filter(isNest)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap(nest => Object.values(nest).filter(isNest))
  }
  return false
}

const depthMax = 500

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null
