/** Whether a value is nested as deep as no conversation is, and as the parsers of no provider go. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNest)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap(nest => Object.values(nest).filter(isNest))
  }
  return false
}

const depthMax = 500

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null
