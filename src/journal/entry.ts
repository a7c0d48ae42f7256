import type { CallState } from '../core/placeholder.ts'

/** Where a call stands: in which response, and as which of its calls. */
export interface CallPlace {
  /** The sequence number of the response that made it. */
  readonly step: number
  readonly index: number
}

/** One record of the journal: what happened, where in the thread, when, and under which epoch. */
export type Entry = Happening & {
  readonly seq: number
  /** Milliseconds, by the clock of the store. */
  readonly at: number
  readonly epoch: number
}

/** What can happen in a thread. Kinds are noun-verb; their data is JSON. */
export type Happening =
  | InputSubmit
  | InputAdmit
  | TurnStart
  | TurnResume
  | TurnPark
  | TurnInterrupt
  | TurnEnd
  | ResponseRecord
  | CallStart
  | CallPark
  | CallDecide
  | CallSettle
  | CallLate
  | NoteTell

export type EntryKind = Happening['kind']

/** Input was accepted. It is said when it is admitted. */
export interface InputSubmit {
  readonly kind: 'input-submit'
  readonly key?: string
  /** Words, or content as `format` writes it. */
  readonly content: unknown
  readonly format?: string
  readonly when: 'queue' | 'steer' | 'interrupt'
}

/** Waiting inputs, by their sequence numbers, are said by the user here. */
export interface InputAdmit {
  readonly kind: 'input-admit'
  readonly inputs: readonly number[]
}

export interface TurnStart {
  readonly kind: 'turn-start'
  readonly turn: number
}

/** Another owner goes on with a turn. */
export interface TurnResume {
  readonly kind: 'turn-resume'
  readonly turn: number
}

/** Nothing can go on before somebody outside decides or settles a call. The turn has no owner until then. */
export interface TurnPark {
  readonly kind: 'turn-park'
  readonly turn: number
}

export interface TurnInterrupt {
  readonly kind: 'turn-interrupt'
  readonly turn: number
  readonly reason?: string
}

export interface TurnEnd {
  readonly kind: 'turn-end'
  readonly turn: number
  readonly status: TurnStatus
  readonly error?: ErrorData
}

/** How a turn ended. `limit`: the model had more to do than it was allowed steps. */
export type TurnStatus = 'done' | 'interrupted' | 'failed' | 'refused' | 'length' | 'limit'

/** What is kept of an error. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly status?: number
}

/** What a model answered, with all its calls. */
export interface ResponseRecord {
  readonly kind: 'response-record'
  readonly turn: number
  /** The wire shape of `messages`, and the dialect and the model that they are proven to. */
  readonly format: string
  readonly dialect: string
  readonly model?: string
  /** The name by which the model was asked, if it is known: providers answer with a fuller one, or with another. */
  readonly asked?: string
  readonly finish: 'stop' | 'length' | 'refusal' | 'pause' | 'cut'
  /** Verbatim, as the provider takes them back. */
  readonly messages: readonly unknown[]
  readonly calls: readonly RecordedCall[]
  /** Kept as data, and never sent again. */
  readonly left?: readonly unknown[]
  readonly usage?: unknown
}

export interface RecordedCall {
  /** The call id of the wire; empty if it has none. */
  readonly id: string
  readonly name: string
  /** Its result came along with the response. */
  readonly answered?: true
}

/** Stored before the tool runs, so that after a crash it is known that it may have run. */
export interface CallStart {
  readonly kind: 'call-start'
  readonly call: CallPlace
}

/** The call waits for a decision, or for a result from outside. */
export interface CallPark {
  readonly kind: 'call-park'
  readonly call: CallPlace
  readonly why: 'approval' | 'outside'
  /** When it expires, in milliseconds. */
  readonly until?: number
}

export interface CallDecide {
  readonly kind: 'call-decide'
  readonly call: CallPlace
  readonly approved: boolean
  readonly reason?: string
}

/** The one result of a call. */
export interface CallSettle {
  readonly kind: 'call-settle'
  readonly call: CallPlace
  readonly outcome: Outcome
}

/** A result that came when the call had a placeholder already. */
export interface CallLate {
  readonly kind: 'call-late'
  readonly call: CallPlace
  readonly outcome: Outcome
}

/** A late result, by its sequence number, is told to the model here. */
export interface NoteTell {
  readonly kind: 'note-tell'
  readonly notes: readonly number[]
}

/** What came of a call. */
export interface Outcome {
  /** `made-up` is a placeholder: nothing is known but `state`. */
  readonly status: 'done' | 'error' | 'made-up'
  readonly state?: CallState
  /** A text, or any JSON value. */
  readonly content: unknown
  /** The output was longer than allowed, by so many bytes in all; `content` has its beginning. */
  readonly bytes?: number
}

/** The version of what is stored. Every version that ever was can be read. */
export const entryVersion = 1
