import { isTooDeep } from '../../core/json/nesting.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { isWellFormed } from '../../core/rules/request/broken-character.ts'
import type { MovedMessage } from './moved-session.ts'

/**
 * Messages without lone surrogates, which a cut leaves: a JSON parser in Rust rejects a record with one, and so do
 * most providers. `repairs` gets an entry for each message that changes.
 */
export const withoutLoneSurrogates = (messages: readonly MovedMessage[], repairs: Repair[]): MovedMessage[] =>
  messages.map((message, index) => {
    if (isWellFormed(message) || isTooDeep(message)) return message
    repairs.push({
      ...{ rule: 'broken-character', severity: 'error', at: `messages[${index}]`, class: 'lossy', edits: [] },
      message: 'a lone surrogate (half a character) becomes U+FFFD',
      help: 'done in the new session',
    })
    return replaced(message) as MovedMessage
  })

/** A text without lone surrogates. */
export const wholeText = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD')

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value)
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== 'object' || value === null) return value
  const written = new Map<string, unknown>()
  for (const [key, inner] of Object.entries(value)) {
    let name = wholeText(key)
    while (name !== key && (written.has(name) || name in value)) name += '_'
    written.set(name, replaced(inner))
  }
  return Object.fromEntries(written)
}
