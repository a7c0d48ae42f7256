/**
 * Deep equality of JSON values, and of byte arrays and URL objects among them. It uses its own stack, so deep nesting
 * cannot overflow the call stack.
 */
export function equal(left: unknown, right: unknown): boolean {
  const stack: unknown[] = [left, right]
  while (stack.length > 0) {
    const b = stack.pop()
    const a = stack.pop()
    if (Object.is(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const isSame = compareWhole(a, b)
    if (isSame === false) return false
    if (isSame) continue
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
    if (keyCounts && !Array.isArray(a) && countKeys(a, keyCounts) !== countKeys(b, keyCounts)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      stack.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])
    }
  }
  return true
}

/** Whether two objects are equal that are compared as a whole; undefined if their keys decide. */
function compareWhole(a: object, b: object): boolean | undefined {
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return sameBytes(a, b)
  if (isUrlObject(a) && isUrlObject(b)) return a.href === b.href
  return isOpaque(a) || isOpaque(b) ? false : undefined
}

let keyCounts: WeakMap<object, number> | undefined

/**
 * Within `run` the keys of an object are counted once, so comparing one large object with many small ones costs only
 * the size of the small ones. The objects must not change meanwhile; afterwards the counts are dropped.
 */
export function withCountedKeys<T>(run: () => T): T {
  const before = keyCounts
  keyCounts = new WeakMap()
  try {
    return run()
  } finally {
    keyCounts = before
  }
}

function countKeys(value: object, known: WeakMap<object, number>): number {
  const width = known.get(value)
  if (width !== undefined) return width
  const { length } = Object.keys(value)
  if (length > uncachedMax) known.set(value, length)
  return length
}

/** Objects with so few keys are counted as fast as a cache lookup. */
const uncachedMax = 16

/** A URL object, recognised by its tag: the language alone has no URL class to test for. */
export const isUrlObject = (value: unknown): value is { readonly href: string } =>
  Object.prototype.toString.call(value) === '[object URL]'

/** An object of a class without enumerable keys: two of them are equal only if they are identical. */
function isOpaque(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return (
    prototype !== null && prototype !== Object.prototype && !Array.isArray(value) && Object.keys(value).length === 0
  )
}

function sameBytes(a: unknown, b: unknown): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.byteLength !== b.byteLength) return false
  const left = new Uint8Array(a.buffer, a.byteOffset, a.byteLength)
  const right = new Uint8Array(b.buffer, b.byteOffset, b.byteLength)
  return left.every((byte, index) => byte === right[index])
}
