import type { Choices, EditClass } from '../choices.ts'

/** Examples of a rule. A test runs them, and its page shows them. */
export interface Examples {
  readonly valid: readonly Example[]
  readonly invalid: readonly InvalidExample[]
}

/** A history without a defect: the rule leaves it unchanged. */
export interface Example {
  readonly name: string
  readonly format: string
  readonly dialect: string
  /** Exactly as it is sent: a history, or a whole request. */
  readonly messages: unknown
  /** It is a whole request. */
  readonly request?: true
  readonly options?: ExampleOptions
}

/** A history with the defect, and its repaired form. */
export interface InvalidExample extends Example {
  /** The paths of the diagnostics of the rule, in order. */
  readonly finds: readonly string[]
  /** Equal to `messages` where the rule has no fix. */
  readonly after: unknown
}

export interface ExampleOptions {
  readonly model?: string
  readonly allow?: readonly EditClass[]
  readonly pending?: Exclude<Choices['pending'], 'named'>
  readonly pendingCalls?: readonly string[]
  readonly orphans?: Choices['orphans']
  readonly repeats?: Choices['repeats']
  readonly continues?: boolean
  readonly cautious?: boolean
  readonly renameTools?: boolean
}
