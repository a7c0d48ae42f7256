import type { CallPlace, Outcome, ParkReason, ResponseRecord } from '../entry.ts'

/** One piece of the history of a thread. */
export type ThreadItem =
  | { readonly kind: 'input'; readonly seq: number; readonly inputs: readonly SubmittedInput[] }
  | { readonly kind: 'step'; readonly step: RecordedStep }
  | { readonly kind: 'notes'; readonly seq: number; readonly notes: readonly LateResult[] }
  | HistorySummary
  | { readonly kind: 'expand'; readonly seq: number; readonly summary: number }

/** A summary of the items up to a position. It is shown instead of them, unless it is undone later. */
export interface HistorySummary {
  readonly kind: 'summary'
  readonly seq: number
  readonly upTo: number
  readonly text: string
}

export interface SubmittedInput {
  readonly seq: number
  readonly at: number
  readonly content: unknown
  readonly format?: string
  readonly when: 'queue' | 'steer' | 'interrupt'
  /** The branch that it waits for, if it does not join the current one. */
  readonly branch?: number
  /** The input that it is an edited version of. */
  readonly replaces?: number
}

/** A response and the calls that it made. */
export interface RecordedStep {
  readonly seq: number
  readonly at: number
  readonly response: ResponseRecord
  readonly calls: readonly JournalCall[]
}

export interface JournalCall {
  /** The journal's own id, unique across threads. */
  readonly id: string
  readonly place: CallPlace
  readonly providerId: string
  readonly name: string
  readonly turn: number
  readonly recordedAt: number
  startedAt?: number
  parked?: { readonly why: ParkReason; readonly until?: number }
  /** What a person changed its input to. */
  edited?: { readonly input: unknown }
  decision?: { readonly approved: boolean; readonly reason?: string; readonly seq: number; readonly at: number }
  /** Its result in the history, which may be a placeholder. */
  outcome?: Outcome
  /** The sequence number of its settlement. */
  settledSeq?: number
  /** A real result came after the placeholder. */
  late?: true
}

export interface LateResult {
  readonly seq: number
  readonly at: number
  readonly call: JournalCall
  readonly outcome: Outcome
  told: boolean
}

/** Whether the call may have had effects: its tool was started, or its agent. */
export const hasBegun = ({ startedAt, parked }: JournalCall): boolean =>
  startedAt !== undefined || parked?.why === 'agent'

/** Whether the outcome is final. A placeholder, unless it is a denial, is replaced by the first real result. */
export const isSettledForGood = ({ outcome, late }: JournalCall): boolean =>
  outcome !== undefined && (outcome.status !== 'made-up' || outcome.state === 'denied' || late === true)

/** The sequence number of the entry that made the item. */
export const seqOf = (item: ThreadItem): number => (item.kind === 'step' ? item.step.seq : item.seq)

/** Binary search: the number of items at the beginning for which the condition holds. It must fail for all items after the first for which it fails. */
export function countWhile<T extends object>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item && holds(item)) low = middle + 1
    else high = middle
  }
  return low
}
