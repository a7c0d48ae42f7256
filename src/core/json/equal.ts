/** Deep equality of JSON values, and of the bytes and addresses that stand among them in memory. It keeps its own stack, so depth costs memory and never the call stack. */
export function equal(left: unknown, right: unknown): boolean {
  const stack: unknown[] = [left, right]
  while (stack.length > 0) {
    const b = stack.pop()
    const a = stack.pop()
    if (Object.is(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
      if (!sameBytes(a, b)) return false
      continue
    }
    if (isAddress(a) && isAddress(b)) {
      if (a.href !== b.href) return false
      continue
    }
    if (isOpaque(a) || isOpaque(b)) return false
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
    if (widths && !Array.isArray(a) && widthOf(a, widths) !== widthOf(b, widths)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      stack.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])
    }
  }
  return true
}

let widths: WeakMap<object, number> | undefined

/**
 * Within `run` the keys of an object are counted once, so that one large object is compared with many small ones in the time that
 * the small ones are worth. Nothing may change the objects meanwhile; afterwards their counts are forgotten.
 */
export function comparing<T>(run: () => T): T {
  const before = widths
  widths = new WeakMap()
  try {
    return run()
  } finally {
    widths = before
  }
}

function widthOf(value: object, known: WeakMap<object, number>): number {
  const width = known.get(value)
  if (width !== undefined) return width
  const { length } = Object.keys(value)
  if (length > narrow) known.set(value, length)
  return length
}

/** So few keys are counted as fast as they are looked up. */
const narrow = 16

/** A URL, known by its tag: where there is nothing but the language, there is no class to ask for. */
export const isAddress = (value: unknown): value is { readonly href: string } =>
  Object.prototype.toString.call(value) === '[object URL]'

/** What shows nothing of itself: two of them are the same only if they are one. */
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
