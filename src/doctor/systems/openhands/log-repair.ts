import type { EditClass } from '../../../core/choices.ts'
import type { Repair } from '../../../core/rules/repair.ts'

/** A defect of the log or its tree, which no message shows, and its repair. */
export const logRepair = (
  rule: string,
  at: string,
  message: string,
  help: string,
  type: EditClass = 'lossless',
): Repair => ({
  rule,
  severity: 'error',
  at,
  message,
  help: `${help} (${type})`,
  class: type,
  edits: [],
})
