import type { CodecId } from '../codecs/index.ts'
import type { DialectId } from '../core/dialects/index.ts'
import type { TurnStatus } from './entry.ts'

export interface ThreadOptions {
  /** The provider that the history is sent to; `openai` by default. */
  readonly for?: DialectId
  /** The format of the history, if it is not the provider's own. */
  readonly format?: CodecId
  readonly model?: string
  /** How long an owner that has stopped responding keeps the thread. */
  readonly leaseMs?: number
  /** After a crash, a call that was never started is run only if it is not older than this. */
  readonly staleMs?: number
  /** How long tools may run after an interruption. */
  readonly graceMs?: number
  /** How much of the output of one call is kept. */
  readonly outputBytesMax?: number
  /** Results that arrive after the model continued without them: kept as notes, or also sent to the model as quoted data. */
  readonly lateResults?: 'note' | 'tell'
  /**
   * How messages are returned: as copies, which the caller may change, or frozen. Frozen messages are shared by all reads, so that reading a
   * long thread costs only what is new. The list is the caller's own in both cases.
   */
  readonly messages?: 'copies' | 'frozen'
}

export interface SubmitOptions {
  /** An idempotency key: the same key with the same content is stored once, however often it is submitted. */
  readonly key?: string
  /** While the thread has a turn, running or parked: wait for the next turn, join at the next step, interrupt the turn, or throw. */
  readonly whenBusy?: 'queue' | 'steer' | 'interrupt' | 'reject'
  /** While calls wait for a decision: wait too, or deny them. */
  readonly whenApproving?: 'queue' | 'deny'
}

export interface MessagesOptions {
  readonly for?: DialectId
  readonly format?: CodecId
  readonly model?: string
  /** By default the current one. */
  readonly branch?: number
}

export interface TurnOptions {
  /** How long to wait while another process owns the thread. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
  /** Whether a call of the tool that was started can go on after a crash: it may run again with the same idempotency key, or is looked up. */
  readonly isSafe?: (tool: string) => boolean
}

export interface ThreadSummary {
  readonly state: 'idle' | 'waiting' | 'running' | 'parked'
  readonly turn?: number
  readonly last?: { readonly turn: number; readonly status: TurnStatus }
  readonly waiting: number
  readonly openCalls: number
  /** The current branch, if there is more than one. */
  readonly branch?: number
}
