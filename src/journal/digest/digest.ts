import { base64UrlOf, sha256 } from './sha256.ts'

/** A digest of JSON that does not depend on the order of keys, since a retry may write them in another order. */
export const digestOf = (value: unknown): string => base64UrlOf(sha256(JSON.stringify([withSortedKeys(value)])))

/** The value with the keys of all objects in order. */
export function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withSortedKeys)
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map(key => [key, withSortedKeys((value as Record<string, unknown>)[key])]))
}
