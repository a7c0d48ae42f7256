/** The version of what is written. Every version that ever was can be read. */
export const tapeVersion = 1

/** The first line that a writer puts on a tape. Several writers may share one file, and each has its own. */
export interface TapeHead {
  readonly kind: 'tape'
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who writes: the `from` of the entries that follow. */
  readonly from: string
  readonly redacted: boolean
}

/** One line of a tape: what happened, when, and as which of the things that its writer has seen. */
export type TapeEntry = Taped & {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Counts from 1 for each writer, so that a line that is missing shows. */
  readonly order: number
  readonly from: string
  /** Which conversation it belongs to, where its writer knows. */
  readonly thread?: string
}

export type Taped =
  | TapedRequest
  | TapedResponse
  | TapedCallStart
  | TapedCallEnd
  | TapedInput
  | TapedInterrupt
  | TapedRepair

/** A request as the program made it, before a seam healed it. */
export interface TapedRequest {
  readonly kind: 'request'
  readonly id: string
  /** Without credentials, and without a query that could hold some. */
  readonly url?: string
  /** The codec of its history, where the writer knows. */
  readonly wire?: string
  /** Who reads it, where the writer knows. */
  readonly dialect?: string
  /** A text, if it was no JSON. */
  readonly body?: unknown
  /** Why there is no body. */
  readonly lost?: string
}

export interface TapedResponse {
  readonly kind: 'response'
  /** The id of the request; absent where the writer saw only what came back. */
  readonly request?: string
  /** Absent if none came. */
  readonly status?: number
  readonly body?: unknown
  /** What a stream came to. */
  readonly reply?: TapedReply
  /** The provider's own words for its refusal, or what kept a response from coming. */
  readonly refusal?: string
  readonly lost?: string
}

/** The messages that a reply adds to the history, in its own wire, and why it ended. */
export interface TapedReply {
  readonly messages: readonly unknown[]
  readonly finish: string
}

/** The tool runs from here on. */
export interface TapedCallStart {
  readonly kind: 'call-start'
  /** The id that the wire has for it, or its name if it has none. */
  readonly call: string
  readonly name?: string
}

export interface TapedCallEnd {
  readonly kind: 'call-end'
  readonly call: string
  readonly name?: string
  /** `made-up` is a placeholder. */
  readonly status: 'done' | 'error' | 'made-up'
}

/** Somebody said something, whether or not it was sent yet. */
export interface TapedInput {
  readonly kind: 'input'
  readonly content?: unknown
  readonly lost?: string
}

export interface TapedInterrupt {
  readonly kind: 'interrupt'
  readonly reason?: string
}

/** What a seam healed before it sent the request on. */
export interface TapedRepair {
  readonly kind: 'repair'
  readonly request?: string
  readonly repairs: readonly TapedRule[]
}

/** A rule that was broken, and where. */
export interface TapedRule {
  readonly rule: string
  readonly at: string
  readonly callId?: string
}
