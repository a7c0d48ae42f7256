/** The version of the file format that is written. All earlier versions can be read. */
export const tapeVersion = 1

/** The first line that a writer puts on a tape. Several writers may share one file; each writes its own head. */
export interface TapeHead {
  readonly kind: 'tape'
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** The id of the writer: the `from` of its entries. */
  readonly from: string
  readonly redacted: boolean
}

/** One line of a tape: an event, its time, and its number among the events of its writer. */
export type TapeEntry = TapedEvent & {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Counts from 1 for each writer, so that missing lines can be detected. */
  readonly order: number
  readonly from: string
  /** The conversation it belongs to, if known. */
  readonly thread?: string
}

export type TapedEvent =
  | TapedRequest
  | TapedResponse
  | TapedCallStart
  | TapedCallEnd
  | TapedInput
  | TapedInterrupt
  | TapedRepair

/** A request as the program made it, before it was repaired. */
export interface TapedRequest {
  readonly kind: 'request'
  readonly id: string
  /** Without credentials, and without query parameters that could contain some. */
  readonly url?: string
  /** The format of its history, if known. */
  readonly wire?: string
  /** The dialect of the provider, if known. */
  readonly dialect?: string
  /** A string, if it was not JSON. */
  readonly body?: unknown
  /** Why the body is missing. */
  readonly lost?: string
}

export interface TapedResponse {
  readonly kind: 'response'
  /** The id of the request; absent if only the response was recorded. */
  readonly request?: string
  /** Absent if there was no response. */
  readonly status?: number
  readonly body?: unknown
  /** The complete reply of a stream. */
  readonly reply?: TapedReply
  /** The provider's error message, or the network error. */
  readonly refusal?: string
  readonly lost?: string
}

/** The messages that a reply adds to the history, in their own format, and why it ended. */
export interface TapedReply {
  readonly messages: readonly unknown[]
  readonly finish: string
}

/** A tool started to run. */
export interface TapedCallStart {
  readonly kind: 'call-start'
  /** The id of the call in the history; its name, in formats without ids. */
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

/** User input, whether or not it was sent yet. */
export interface TapedInput {
  readonly kind: 'input'
  readonly content?: unknown
  readonly lost?: string
}

export interface TapedInterrupt {
  readonly kind: 'interrupt'
  readonly reason?: string
}

/** What was repaired in a request before it was sent. */
export interface TapedRepair {
  readonly kind: 'repair'
  readonly request?: string
  readonly repairs: readonly TapedRule[]
}

/** A violated rule, and where. */
export interface TapedRule {
  readonly rule: string
  readonly at: string
  readonly callId?: string
}
