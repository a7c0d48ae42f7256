import type { Diagnostic } from './rules/check.ts'
import type { Repair } from './rules/repair.ts'

/** What a repair did and what it left. */
export interface Report {
  readonly changed: boolean
  readonly repairs: readonly Repair[]
  /** What was not mended: not allowed, not possible, or only a warning. */
  readonly remaining: readonly Diagnostic[]
}

export interface RepairResult<History> extends Report {
  /** The history as it can be sent: the same reference if nothing changed. */
  readonly messages: History
}
