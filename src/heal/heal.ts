import type { RepairResult } from '../core/report.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import { detectByHead, headLength } from './detect.ts'
import { type HealOptions, planFor } from './options.ts'
import { checkWithPlan, isHealthy, repairWithPlan } from './repair-with-plan.ts'
import { warnOfLoss } from './warn.ts'

export { decodeHistory, isHealthy } from './repair-with-plan.ts'

/** Returns a history that its provider accepts: the same reference if nothing is wrong with it. */
export const heal = <History>(history: History, options: HealOptions = {}): History =>
  isLongAndHealthy(history, options)
    ? history
    : repairWithPlan(history, planFor(history, options), options.onRepair ?? warnOfLoss).messages

/** All errors that the provider would reject, and warnings. Changes nothing. */
export const check = (history: unknown, options: HealOptions = {}): Diagnostic[] =>
  isLongAndHealthy(history, options) ? [] : checkWithPlan(history, planFor(history, options))

/** Heals and reports every change. */
export const repair = <History>(history: History, options: HealOptions = {}): RepairResult<History> =>
  isLongAndHealthy(history, options)
    ? { messages: history, changed: false, repairs: [], remaining: [] }
    : repairWithPlan(history, planFor(history, options), options.onRepair)

/** The head of a long history decides the format if nothing in it is doubtful: one pass instead of two. */
function isLongAndHealthy(history: unknown, options: HealOptions): boolean {
  if (options.format !== undefined || !Array.isArray(history) || history.length <= headLength) return false
  const plan = planFor(history, options, detectByHead)
  return plan.foreign === undefined && isHealthy(history, plan)
}
