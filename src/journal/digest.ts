import { hash } from 'node:crypto'

/** A digest of JSON that does not depend on the order of keys, since a retry may write them in another order. */
export const digestOf = (value: unknown): string => hash('sha256', JSON.stringify([withSortedKeys(value)]), 'base64url')

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withSortedKeys)
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map(key => [key, withSortedKeys((value as Record<string, unknown>)[key])]))
}
