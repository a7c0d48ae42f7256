import { hash } from 'node:crypto'

/** A digest of JSON that does not depend on the order of keys, since a retry may write them in another order. */
export const digestOf = (value: unknown): string => hash('sha256', JSON.stringify([inOrder(value)]), 'base64url')

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map(key => [key, inOrder((value as Record<string, unknown>)[key])]))
}
