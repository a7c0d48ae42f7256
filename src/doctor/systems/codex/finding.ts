import type { Item } from './item.ts'

/** Something wrong with the history of a rollout. `item` is where it shows. */
export type Finding =
  /** An item that was written twice. */
  | { readonly kind: 'repeated'; readonly item: Item }
  /** The id of its item is that of another item. */
  | { readonly kind: 'taken-id'; readonly item: Item }
  /** A call without an id. `results` are those that do not have this one either, `answers` the one that answers it. */
  | Nameless
  /** A call with the id of an earlier one, and the result that goes with it to an id of its own. */
  | { readonly kind: 'reused'; readonly item: Item; readonly id: string; readonly answers: readonly Item[] }
  | { readonly kind: 'unanswered'; readonly item: Item; readonly seat?: Item }
  | { readonly kind: 'misplaced'; readonly item: Item; readonly call: Item; readonly seat: Item }
  | { readonly kind: 'mismatched'; readonly item: Item; readonly call: Item }
  | { readonly kind: 'duplicate'; readonly item: Item; readonly call: Item }
  | { readonly kind: 'orphan'; readonly item: Item }
  /** Reasoning with an id that nothing of the model follows. */
  | { readonly kind: 'lone'; readonly item: Item }

export interface Nameless {
  readonly kind: 'nameless'
  readonly item: Item
  readonly id: string
  readonly results: readonly Item[]
  readonly answers: readonly Item[]
}
