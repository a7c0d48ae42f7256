import { hash } from '../../core/ids.ts'
import { opensTurn } from './parts.ts'

/** A fingerprint of a text in a conversation: its length, and hashes of both. */
export const markOf = (text: string, conversation: string): string =>
  `${text.length.toString(36)}${hash(text)}${conversation}`

/** What a conversation is known again by: a hash of the first message of the user. */
export const conversationOf = (history: readonly unknown[]): string =>
  hash(JSON.stringify(history.find(opensTurn)) ?? '')
