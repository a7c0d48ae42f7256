import type { Choices, EditClass } from '../choices.ts'

/** How a rule shows itself. The examples are run by a test, and printed on the rule's page. */
export interface Examples {
  readonly valid: readonly Example[]
  readonly invalid: readonly InvalidExample[]
}

/** A history that the rule has nothing to say about: it comes back as it is. */
export interface Example {
  readonly name: string
  /** The id of a codec. */
  readonly format: string
  /** The id of a dialect. */
  readonly dialect: string
  /** Exactly as on the wire: a history, or a whole request around one. */
  readonly messages: unknown
  /** It is a whole request. */
  readonly request?: true
  readonly options?: ExampleOptions
}

/** A history that the rule finds broken, and what a repair makes of it. */
export interface InvalidExample extends Example {
  /** The places of the rule's diagnostics, in order. */
  readonly finds: readonly string[]
  /** The same as `messages` where there is no fix. */
  readonly after: unknown
}

/** What a caller may choose. */
export interface ExampleOptions {
  readonly model?: string
  readonly allow?: readonly EditClass[]
  readonly pending?: Exclude<Choices['pending'], 'named'>
  readonly pendingCalls?: readonly string[]
  readonly orphans?: Choices['orphans']
  readonly repeats?: Choices['repeats']
  readonly continues?: boolean
  readonly cautious?: boolean
}
