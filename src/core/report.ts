import type { Diagnostic } from './rules/check.ts'
import type { Repair } from './rules/repair.ts'

/** The repairs that were made and the diagnostics that remain. */
export interface Report {
  readonly changed: boolean
  readonly repairs: readonly Repair[]
  /** What was not repaired: not allowed, not possible, or only a warning. */
  readonly remaining: readonly Diagnostic[]
}

export interface RepairResult<History> extends Report {
  /** The repaired history: the same reference if nothing changed. */
  readonly messages: History
}
