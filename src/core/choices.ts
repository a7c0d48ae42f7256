/** The classes of edit: reorder, rename, merge; add words nobody said; drop words; put a tool's words in another role. */
export type EditClass = 'lossless' | 'synthetic' | 'lossy' | 'elevating'

export interface Choices {
  readonly allow: ReadonlySet<EditClass>
  /**
   * `answer`: the history is about to be sent. `keep`: it is being stored, so the last step may wait. `named`: it was stored
   * and nobody is at work on it, so only the calls that are named wait.
   */
  readonly pending: 'answer' | 'keep' | 'named'
  /** Ids of calls that are known to be still running. */
  readonly pendingCalls: ReadonlySet<string>
  readonly orphans: 'revive' | 'quote' | 'drop'
  readonly repeats: 'keep' | 'drop'
}

export const defaultAllow: readonly EditClass[] = ['lossless', 'synthetic', 'lossy']
