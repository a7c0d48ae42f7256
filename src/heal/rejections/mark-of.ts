import { shortHash } from '../../core/ids.ts'
import { asFields } from '../../core/request/body-draft.ts'

/** A fingerprint of a text: its length and its hash. */
export const markOf = (text: string): string => `${text.length.toString(36)}.${shortHash(text)}`

/**
 * A fingerprint of a history after each of its messages. A later request of the same conversation begins with the messages of an earlier
 * one, so that it has all of its fingerprints. System messages are left out, since many programs write the time into them, and so are
 * cache marks, which move from turn to turn.
 */
export function beginningsOf(history: readonly unknown[]): string[] {
  const beginnings: string[] = []
  let hash = ''
  for (const message of history) {
    const role = asFields(message)?.role
    if (role === 'system' || role === 'developer') continue
    const text = JSON.stringify(message) ?? ''
    hash = shortHash(hash + (text.includes('"cache_control"') ? JSON.stringify(message, withoutCacheMarks) : text))
    beginnings.push(`${beginnings.length + 1}.${hash}`)
  }
  return beginnings
}

const withoutCacheMarks = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value)
