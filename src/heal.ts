import type { Diagnostic } from './core/check.ts'
import { checkAs, repairAs } from './healing.ts'
import { type HealOptions, planFor } from './options.ts'
import type { RepairResult } from './report.ts'

export { isHealthy, read } from './healing.ts'

/** A history that its reader accepts: the very same one if nothing is wrong with it. */
export const heal = <History>(history: History, options: HealOptions = {}): History => repair(history, options).messages

/** Everything its reader would refuse, and what else is worth a look. Changes nothing. */
export const check = (history: unknown, options: HealOptions = {}): Diagnostic[] =>
  checkAs(history, planFor(history, options))

/** Heals and reports every change. */
export const repair = <History>(history: History, options: HealOptions = {}): RepairResult<History> =>
  repairAs(history, planFor(history, options), options.onRepair)
