import fc from 'fast-check'

/** Any value at all, of which some stand often where replies are read. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  fc.constantFrom(null, undefined, '', '{}', [], {}, 0, -1, [null], [{}], '[DONE]', 'assistant', '__proto__'),
  fc.constantFrom(
    JSON.parse('{"__proto__": {"type": "text"}}'),
    [[{ type: 'text', text: 1 }]],
    { text: {} },
    { id: {} },
  ),
)

/** The same value with another one somewhere inside it. */
export function changed(value: unknown, path: number, now: unknown): unknown {
  if (typeof value !== 'object' || value === null) return now
  const keys = Object.keys(value)
  if (keys.length === 0 || path % 7 === 6) return now
  const key = keys[path % keys.length]
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value }
  copy[key] = changed(copy[key], Math.floor(path / keys.length), now)
  return copy
}

/** The value, of which nothing can be changed any more. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
