import type { RolloutItem } from './item.ts'

/** A defect in the history of a rollout. `item` is where it is. */
export type HistoryDefect =
  /** An item that was written twice. */
  | { readonly kind: 'repeated'; readonly item: RolloutItem }
  /** Its item id is also that of another item. */
  | { readonly kind: 'taken-id'; readonly item: RolloutItem }
  /** A call without an id. `results` are its results without this id, `answers` is the one that answers it. */
  | Nameless
  /** A call with the id of an earlier one, and the result that gets the new id with it. */
  | {
      readonly kind: 'reused'
      readonly item: RolloutItem
      readonly id: string
      readonly answers: readonly RolloutItem[]
    }
  | { readonly kind: 'unanswered'; readonly item: RolloutItem; readonly seat?: RolloutItem }
  | { readonly kind: 'misplaced'; readonly item: RolloutItem; readonly call: RolloutItem; readonly seat: RolloutItem }
  | { readonly kind: 'mismatched'; readonly item: RolloutItem; readonly call: RolloutItem }
  | { readonly kind: 'duplicate'; readonly item: RolloutItem; readonly call: RolloutItem }
  | { readonly kind: 'orphan'; readonly item: RolloutItem }
  /** Reasoning with an id that no output of the model follows. */
  | { readonly kind: 'lone'; readonly item: RolloutItem }

export interface Nameless {
  readonly kind: 'nameless'
  readonly item: RolloutItem
  readonly id: string
  readonly results: readonly RolloutItem[]
  readonly answers: readonly RolloutItem[]
}
