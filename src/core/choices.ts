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
}

export const defaultAllow: readonly EditClass[] = ['lossless', 'synthetic', 'lossy']
