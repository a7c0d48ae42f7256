import type { RepairResult } from '../core/report.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import { detectByHead, headLength } from './detect.ts'
import { type HealOptions, planFor } from './options.ts'
import { checkAs, isHealthy, repairAs } from './repair-with-plan.ts'
import { warnOfLoss } from './warn.ts'

export { isHealthy, read } from './repair-with-plan.ts'

/** A history that its reader accepts: the very same one if nothing is wrong with it. */
export const heal = <History>(history: History, options: HealOptions = {}): History =>
  isLongAndHealthy(history, options)
    ? history
    : repairAs(history, planFor(history, options), options.onRepair ?? warnOfLoss).messages

/** Everything its reader would refuse, and what else is worth a look. Changes nothing. */
export const check = (history: unknown, options: HealOptions = {}): Diagnostic[] =>
  isLongAndHealthy(history, options) ? [] : checkAs(history, planFor(history, options))

/** Heals and reports every change. */
export const repair = <History>(history: History, options: HealOptions = {}): RepairResult<History> =>
  isLongAndHealthy(history, options)
    ? { messages: history, changed: false, repairs: [], remaining: [] }
    : repairAs(history, planFor(history, options), options.onRepair)

/** Of a long history the head tells the format, as long as nothing in it is doubtful: that is one pass instead of two. */
function isLongAndHealthy(history: unknown, options: HealOptions): boolean {
  if (options.format !== undefined || !Array.isArray(history) || history.length <= headLength) return false
  const plan = planFor(history, options, detectByHead)
  return plan.foreign === undefined && isHealthy(history, plan)
}
