import { isTooDeep } from '../../core/json/nesting.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { MovedMessage } from './moved-session.ts'

/**
 * Messages without lone surrogates, which a cut leaves: a JSON parser in Rust rejects a record with one, and so do
 * most providers. `repairs` gets an entry for each message that changes.
 */
export const withoutLoneSurrogates = (messages: readonly MovedMessage[], repairs: Repair[]): MovedMessage[] =>
  messages.map((message, index) => {
    if (isTooDeep(message) || isWhole(message)) return message
    repairs.push({
      ...{ rule: 'broken-character', severity: 'error', at: `messages[${index}]`, class: 'lossy', edits: [] },
      message: 'a lone surrogate (half a character) becomes U+FFFD',
      help: 'done in the new session',
    })
    return replaced(message) as MovedMessage
  })

/** A text without lone surrogates. */
export const wholeText = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD')

/** Whether no text has one, keys included. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Array.isArray(value) ? value.every(isWhole) : Object.entries(value).every(pair => pair.every(isWhole))
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value)
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== 'object' || value === null) return value
  const written = new Map<string, unknown>()
  /** The next number for a name: many keys may become the same one. */
  const numbers = new Map<string, number>()
  for (const [key, inner] of Object.entries(value)) {
    const whole = wholeText(key)
    let name = whole
    for (let number = numbers.get(whole) ?? 1; name !== key && (written.has(name) || name in value); number++) {
      name = `${whole}_${number}`
      numbers.set(whole, number + 1)
    }
    written.set(name, replaced(inner))
  }
  return Object.fromEntries(written)
}
