import type { EditClass } from '../../../core/choices.ts'
import type { Repair } from '../../../core/rules/repair.ts'

/** Something wrong with the log or its tree, which no message shows, and what is done about it. */
export const fault = (
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
