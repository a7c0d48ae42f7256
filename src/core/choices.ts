import type { CallPart, Part } from './conversation.ts'

/** The classes of edit: reorder, rename or merge; add made-up content; remove content; move tool output to another role. */
export type EditClass = 'lossless' | 'synthetic' | 'lossy' | 'elevating'

export interface Choices {
  readonly allow: ReadonlySet<EditClass>
  /**
   * `answer`: the history is about to be sent. `keep`: it is being stored, so calls of the last step may stay open.
   * `named`: it was stored and no process works on it, so only the calls in `pendingCalls` may stay open.
   */
  readonly pending: 'answer' | 'keep' | 'named'
  /** Ids of calls that are known to be still running. */
  readonly pendingCalls: ReadonlySet<string>
  readonly orphans: 'revive' | 'quote' | 'drop'
  readonly repeats: 'keep' | 'drop'
  /**
   * The new id of a call that has none or that of another call, where a store prescribes its form: the same whenever it
   * is asked for. Without one the defect remains.
   */
  readonly freshId?: (call: CallPart) => string | undefined
  /** Parts that cannot be changed here: a fix that changes one is not made, and its defect remains. */
  readonly isFixed?: (part: Part) => boolean
}

export const defaultAllow: readonly EditClass[] = ['lossless', 'synthetic', 'lossy']
