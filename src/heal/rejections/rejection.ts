import type { DialectId } from '../../core/dialects/index.ts'

/**
 * What a rejection is about. `history` is repaired by the rules, `not-healable` not at all; each other kind has its own
 * repair.
 */
export type RejectionKind =
  | 'history'
  | 'not-healable'
  | 'reasoning-signature'
  | 'reasoning-encrypted'
  | 'thought-signature'
  | 'server-state'
  | 'foreign-field'
  | 'image-pixels'
  | 'image-bytes'
  | 'image-count'
  | 'image-unreadable'
  | 'image-type'
  | 'image-url'
  | 'image-unsupported'
  | 'image-role'
  | 'document'
  | 'request-bytes'
  | 'context-overflow'
  | 'output-budget'
  | 'tool-reference'
  | 'tool-name'
  | 'tool-count'
  | 'tool-id'
  | 'tool-schema'
  | 'cache-control'
  | 'empty-text'
  | 'unicode'
  | 'role'
  | 'part-type'
  | 'parameter'
  | 'prefill'
  | 'server-tool'

/** How the rules check a history that was rejected. */
export interface HistoryReading {
  /** The dialect of the provider that uses this message; undefined if many do. */
  readonly reader?: DialectId
  /** A model whose requests are rejected with this message, if the provider uses it for some of its models only. */
  readonly model?: string
  /** It is about a result whose call is neither in the request nor in what the provider stores. */
  readonly orphan?: true
  /** The only format in which the text may be about the history, if it is about something else in others. */
  readonly format?: string
}

/** One known rejection: its message, its meaning, and where it was seen. */
export interface RejectionEntry {
  /** The name of the rejection: for those of a history, the provider fact that it broke. */
  readonly id: string
  readonly kind: RejectionKind
  /**
   * The message, without quotes and backslashes, since relays quote it. Named groups are what the text names: see
   * `Rejection`.
   */
  readonly words: RegExp
  /** The repair that resolves it; none if the rules alone resolve it, or nothing does. */
  readonly repair?: string
  readonly history?: HistoryReading
  /** The text is so general that other errors contain it, too: it counts only with the status of a rejected request. */
  readonly isGeneral?: true
  readonly provider: string
  /** The status that it was seen with. The text decides, not the status. */
  readonly status?: number
  /** Where the text was seen: `owner/repository#issue`, or a page. That of a history is recorded with the fact of the same id. */
  readonly source?: string
}

/** A rejection as it was read: what it is about, and what its text names. Indexes in `paths` count from 0. */
export interface Rejection {
  readonly kind: RejectionKind
  /** The name of the rejection in the table of known ones. */
  readonly id: string
  readonly status: number
  /** The recognised part of the message, without quotes. */
  readonly text: string
  readonly repair?: string
  readonly history?: HistoryReading
  /** The recognised text is also in the request, so that a provider may have quoted it: nothing is learnt from it. */
  readonly isEchoed?: true
  /** The error as it was given, to be read again next to a stored history: what it quotes of that does not count. */
  readonly error?: { readonly status: number; readonly body: unknown }
  /** A lesson that holds only for requests with these settings, and removes content only in this conversation: hashes. */
  readonly settings?: string
  readonly conversation?: string
  /** The places that the text names, as steps from the request down. */
  readonly paths: readonly (readonly (string | number)[])[]
  /** The largest value that the provider accepts, in the unit of the text. */
  readonly limit?: number
  /** The value that was sent. */
  readonly used?: number
  /** The tokens that were requested for the answer, if the text counts them separately. */
  readonly asked?: number
  /** By how much the value is above the limit. */
  readonly over?: number
  /** The first and last characters of a value, as the provider quotes it. */
  readonly first?: string
  readonly last?: string
  readonly index?: number
  /** The id of an item, a file or a response. */
  readonly item?: string
  readonly tool?: string
  readonly parameter?: string
  /** The replacement that the text suggests. */
  readonly successor?: string
  readonly value?: string
  /** The values that the provider accepts, as the text lists them. */
  readonly values?: readonly string[]
  readonly role?: string
  /** The type of a part, a block or a medium. */
  readonly type?: string
  readonly pattern?: string
}
