import type { Conversation, Format, Message } from '../core/conversation.ts'
import type { Facts } from '../core/dialect.ts'
import type { Envelope } from './shared/envelope.ts'

/**
 * What a message says for a format. `yes`: it has what only this format has. `likely` and `maybe`: it fits, and may fit others.
 * `odd`: it could be a damaged message of this format. `no`: it has what this format does not have.
 */
export type Recognition = 'yes' | 'likely' | 'maybe' | 'odd' | 'no'

/** How a history is written: one wire shape, read and written without loss. */
export interface Codec {
  readonly id: string
  /** The dialect of the provider whose format it is. */
  readonly home: string
  /** The dialects that can read it; any, where it names none. */
  readonly acceptedBy?: readonly string[]
  readonly format: Format
  /** What a dialect insists on once an SDK has translated this format for it; by default nothing more. */
  asSent?(facts: Facts, dialect: string): Facts
  /** How a request is built around such a history, where more than the list matters. */
  readonly envelope?: Envelope
  scan(facts: Facts): Scan
  /** Reads the messages from `from` up to `to`, with keys from `key` on; all of them by default. */
  decode(history: readonly unknown[], from?: number, to?: number, key?: number): Conversation
  /** How many messages the model has for those from `from` up to `to`. */
  count(history: readonly unknown[], from: number, to: number): number
  /** Whether a message is no part of the conversation, and stays where it stands. */
  isAside?(message: unknown): boolean
  /** Whether a message is the user's own words, with nothing else in it. */
  opensTurn(message: unknown): boolean
  /** Whether a message is the assistant's own words, with nothing else in it. */
  closesTurn(message: unknown): boolean
  /** The ids of the calls that a message makes. */
  callIds(message: unknown): readonly string[]
  /** The id that a message has of its own, where it may stand in a history only once. */
  itemId?(message: unknown): string | undefined
  /** The wire messages of `messages`, which come from `decoded`; what was not touched is the very same object. */
  encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[]
}

/**
 * Recognises a healthy history one message at a time, building nothing. It may doubt a healthy one, never the other way
 * round: what it passes has no diagnostic.
 */
export interface Scan {
  /** False on the first doubt; it is not asked again then. */
  push(message: unknown): boolean
  /** Whether the history may end here. */
  end(): boolean
  /** Goes on behind a turn that the assistant has closed, whatever came before. */
  resume(): void
}
