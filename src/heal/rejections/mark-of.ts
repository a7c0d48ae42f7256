import { shortHash } from '../../core/ids.ts'
import { opensTurn } from '../../core/request/parts.ts'

/** A fingerprint of a text in a conversation: its length, and hashes of both. */
export const markOf = (text: string, conversation: string): string =>
  `${text.length.toString(36)}${shortHash(text)}${conversation}`

/** What a conversation is known again by: a hash of the first message of the user. */
export const conversationOf = (history: readonly unknown[]): string =>
  shortHash(JSON.stringify(history.find(opensTurn)) ?? '')

/**
 * A fingerprint of the first `count` messages. A request whose history begins with them is at least as long as one that had no others.
 * Cache marks are left out, since clients move them from turn to turn.
 */
export const beginningOf = (history: readonly unknown[], count = history.length): string =>
  shortHash(JSON.stringify(history.slice(0, count), (key, value) => (key === 'cache_control' ? undefined : value)))
