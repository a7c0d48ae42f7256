import type { CallState } from '../core/placeholder.ts'
import type { Rejection } from '../heal/rejections/rejection.ts'

/** The position of a call: its response, and its index among the calls of that response. */
export interface CallPlace {
  /** The sequence number of the response that made it. */
  readonly step: number
  readonly index: number
}

/** One record of the journal: what happened, where in the thread, when, and under which epoch. */
export type Entry = EntryData & {
  readonly seq: number
  /** Milliseconds, by the clock of the store. */
  readonly at: number
  readonly epoch: number
}

/** The data of an entry, by its kind. Kinds are noun-verb; the data is JSON. */
export type EntryData =
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
  | CallEdit
  | CallDecide
  | CallSettle
  | CallLate
  | NoteTell
  | RejectionLearn
  | BranchFork
  | BranchSwitch
  | HistoryCompact
  | HistoryExpand

export type EntryKind = EntryData['kind']

/** Input was stored. It becomes part of the history when it is admitted. */
export interface InputSubmit {
  readonly kind: 'input-submit'
  readonly key?: string
  /** A text, or a user message in `format`. */
  readonly content: unknown
  readonly format?: string
  readonly when: 'queue' | 'steer' | 'interrupt'
  /** It waits for this branch only, before input without a branch. */
  readonly branch?: number
  /** The sequence number of the input that it is an edited version of. */
  readonly replaces?: number
}

/** Waiting inputs, by their sequence numbers, become user messages at this position. */
export interface InputAdmit {
  readonly kind: 'input-admit'
  readonly inputs: readonly number[]
}

export interface TurnStart {
  readonly kind: 'turn-start'
  readonly turn: number
}

/** Another owner continues the turn. */
export interface TurnResume {
  readonly kind: 'turn-resume'
  readonly turn: number
}

/** The turn waits for a decision or a result from outside, and has no owner until then. */
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

/** How a turn ended. `limit`: it would have needed more steps than allowed. */
export type TurnStatus = 'done' | 'interrupted' | 'failed' | 'refused' | 'length' | 'limit'

/** An error as it is stored. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly status?: number
}

/** A response of the model, with all its calls. */
export interface ResponseRecord {
  readonly kind: 'response-record'
  readonly turn: number
  /** The format of `messages`, and the dialect and model that produced them. */
  readonly format: string
  readonly dialect: string
  readonly model?: string
  /** The model name of the request, if known. Providers may answer with a longer or another name. */
  readonly asked?: string
  readonly finish: 'stop' | 'length' | 'refusal' | 'pause' | 'cut'
  /** Verbatim, as the provider accepts them in the next request. */
  readonly messages: readonly unknown[]
  readonly calls: readonly RecordedCall[]
  /** Kept as data, and not sent to a provider again. */
  readonly left?: readonly unknown[]
  readonly usage?: unknown
}

export interface RecordedCall {
  /** The id that the provider gave the call; empty if the format has no call ids. */
  readonly id: string
  readonly name: string
  /** The response contains its result. */
  readonly answered?: true
}

/** Stored before the tool runs, so that after a crash it is known that the tool may have run. */
export interface CallStart {
  readonly kind: 'call-start'
  readonly call: CallPlace
}

export type ParkReason = 'approval' | 'outside' | 'agent'

/** The call waits for a decision, for a result from outside, or for its agent, which works in a thread of its own. */
export interface CallPark {
  readonly kind: 'call-park'
  readonly call: CallPlace
  readonly why: ParkReason
  /** When it expires, in milliseconds. */
  readonly until?: number
}

/** A person changed the input of the call. It is written with the approval, and the call runs with it. The response keeps what the model asked for. */
export interface CallEdit {
  readonly kind: 'call-edit'
  readonly call: CallPlace
  readonly input: unknown
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

/** A result that came when the call already had a placeholder. */
export interface CallLate {
  readonly kind: 'call-late'
  readonly call: CallPlace
  readonly outcome: Outcome
}

/** Late results, by their sequence numbers, are sent to the model at this position. */
export interface NoteTell {
  readonly kind: 'note-tell'
  readonly notes: readonly number[]
}

/**
 * The provider rejected the messages of a request, and after a repair it accepted them, or rejected something else in them. What is
 * rendered for the same target is repaired in the same way from then on. No message content is stored here.
 */
export interface RejectionLearn {
  readonly kind: 'rejection-learn'
  readonly turn: number
  /** What the messages were rendered for. */
  readonly dialect: string
  readonly format: string
  readonly model?: string
  /** Fingerprints of what was removed. */
  readonly marks: readonly string[]
  /** Limits, and other faults that every request would have again. */
  readonly rejections: readonly Rejection[]
}

/** A branch begins with the history that another one has at a position. Branches are numbered in the order of their forks; 1 is the main branch. */
export interface BranchFork {
  readonly kind: 'branch-fork'
  readonly branch: number
  /** The branch that it leaves. */
  readonly from: number
  /** The last sequence number of `from` that belongs to both. */
  readonly after: number
  /** Inputs of `from` after that position, by their sequence numbers, which wait again on the new branch. */
  readonly inputs?: readonly number[]
}

/** The branch is the current one from here on, or from the end of the turn that runs. What follows belongs to it. */
export interface BranchSwitch {
  readonly kind: 'branch-switch'
  readonly branch: number
}

/** From here on the model is shown the summary instead of the history up to a position. The log keeps that history. */
export interface HistoryCompact {
  readonly kind: 'history-compact'
  /** The sequence number of the last entry that the summary covers. Inputs, responses and notes up to it are not shown. */
  readonly upTo: number
  readonly summary: string
}

/** The summary no longer counts: from here on the model is shown what it covered. */
export interface HistoryExpand {
  readonly kind: 'history-expand'
  /** The sequence number of the summary. */
  readonly summary: number
}

/** The result of a call. */
export interface Outcome {
  /** `made-up` is a placeholder: only `state` is known. */
  readonly status: 'done' | 'error' | 'made-up'
  readonly state?: CallState
  /** A text, or any JSON value. */
  readonly content: unknown
  /** The size of the output, if it was longer than allowed. `content` then has its beginning. */
  readonly bytes?: number
}

/** The newest version of stored entries. All earlier versions can be read. */
export const entryVersion = 5

/** The version that a kind of entry is stored with: the first release that knows the kind. Earlier releases refuse to read it. */
export const entryVersionOf = (kind: EntryKind): number => laterKinds[kind] ?? 1

/** The same for an entry, which may be sealed, be stored as bytes, or have a value that earlier releases do not know. */
export function storedVersionOf(entry: EntryData, asBytes = false): number {
  const known = isAgentPark(entry) ? agentVersion : entryVersionOf(entry.kind)
  return known + (asBytes ? sealedBytesVersions : 'sealed' in entry ? sealedVersions : 0)
}

/** An earlier release would park the turn although the thread of the agent may be missing. */
const isAgentPark = (entry: EntryData): boolean => entry.kind === 'call-park' && entry.why === 'agent'
const agentVersion = 5

/** Sealed entries are stored with versions above this one, so that releases that know no seal refuse to read them. */
const sealedVersions = 1_000

/** The same for sealed entries that are stored as bytes: releases that read them as text only refuse them. */
const sealedBytesVersions = 1_500

/** The version of an entry without how it is sealed. */
export const readVersion = (stored: number): number => stored % 500

const laterKinds: { readonly [Kind in EntryKind]?: number } = {
  'rejection-learn': 2,
  'branch-fork': 3,
  'branch-switch': 3,
  'history-compact': 4,
  'history-expand': 4,
  'call-edit': 4,
}
