import type { Conversation, Format, Message } from '../core/conversation.ts'
import type { Facts } from '../core/dialect.ts'
import type { Envelope } from './shared/envelope.ts'

/**
 * How well a message fits a format. `yes`: it has what only this format has. `likely` and `maybe`: it fits, and may fit
 * others. `odd`: it could be a damaged message of this format. `no`: it has what this format does not have.
 */
export type Recognition = 'yes' | 'likely' | 'maybe' | 'odd' | 'no'

/** Reads and writes one format without loss. */
export interface Codec {
  readonly id: string
  /** The dialect of the provider whose format it is. */
  readonly home: string
  /** The dialects that accept it; all, if it is absent. */
  readonly acceptedBy?: readonly string[]
  /** Other formats whose messages it reads as damaged messages of this format, and writes in this format. */
  readonly alsoReads?: readonly string[]
  readonly format: Format
  /** What a dialect insists on once an SDK has translated this format for it; by default nothing more. */
  asSent?(facts: Facts, dialect: string): Facts
  /** How a request is built around such a history, where more than the list matters. */
  readonly envelope?: Envelope
  scan(facts: Facts): Scan
  /** Reads the messages from `from` up to `to`, with keys from `key` on; all of them by default. */
  decode(history: readonly unknown[], from?: number, to?: number, key?: number): Conversation
  /** How many messages of a decoded conversation the messages from `from` up to `to` become. */
  count(history: readonly unknown[], from: number, to: number): number
  /** For formats whose messages are not plain objects with a role and content: reads such an object, and writes its content back. */
  readonly plain?: {
    read(message: unknown): unknown
    write(message: unknown, plain: Readonly<Record<string, unknown>>): unknown
  }
  /** Whether a message is not part of the conversation and keeps its place. */
  isAside?(message: unknown): boolean
  /** Whether a message is user text and nothing else. */
  opensTurn(message: unknown): boolean
  /** Whether a message is assistant text and nothing else. */
  closesTurn(message: unknown): boolean
  /** The ids of the calls that a message makes. */
  callIds(message: unknown): readonly string[]
  /** The ids of the items in a message, in formats where an item may occur only once in a history. */
  itemIds?(message: unknown): readonly string[]
  /** Writes `messages`, which come from `decoded`, in this format. What was not changed is the same object as before. */
  encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[]
}

/**
 * Recognises a healthy history one message at a time, building nothing. It may doubt a healthy one, never the other way
 * round: what it passes has no diagnostic.
 */
export interface Scan {
  /** False as soon as anything is in doubt; it is not called again after that. */
  push(message: unknown): boolean
  /** Whether the history may end here. */
  end(): boolean
  /** Continues after a turn that the assistant has closed, whatever came before. */
  resume(): void
  /**
   * A scan that continues from here on its own, and holds no text of the messages so far. Undefined where that is impossible: while calls
   * are open, or after a user message, which the next one must not repeat.
   */
  fork?(): Scan | undefined
}
