import type { RepairResult } from '../core/report.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import { detectByHead, headLength, isOfFormat } from './detect.ts'
import { type HealOptions, type HealPlan, planFor } from './options.ts'
import { checkWithPlan, isHealthy, repairWithPlan } from './repair-with-plan.ts'
import { SegmentScan } from './segments/scan-segments.ts'
import { warnOfLoss } from './warn.ts'

export { decodeHistory, isHealthy } from './repair-with-plan.ts'

/** Returns a history that its provider accepts: the same reference if nothing is wrong with it. */
export const heal = <History>(history: History, options: HealOptions = {}): History =>
  repairDetected(history, options, options.onRepair ?? warnOfLoss).messages

/** Everything that the provider would reject, as errors, and warnings. Changes nothing. */
export function check(history: unknown, options: HealOptions = {}): Diagnostic[] {
  const byHead = planByHead(history, options)
  return byHead && isHealthy(history as unknown[], byHead) ? [] : checkWithPlan(history, planFor(history, options))
}

/** Heals and reports every change. */
export const repair = <History>(history: History, options: HealOptions = {}): RepairResult<History> =>
  repairDetected(history, options, options.onRepair)

/** Detects the format of a long history from its first messages and those that look broken. Only if they disagree is the whole history read to detect it. */
function repairDetected<History>(
  history: History,
  options: HealOptions,
  onRepair: HealOptions['onRepair'],
): RepairResult<History> {
  const byHead = planByHead(history, options)
  if (byHead && Array.isArray(history)) {
    const scan = SegmentScan.of(history, byHead.codec, byHead.facts)
    if (!scan) return { messages: history, changed: false, repairs: [], remaining: [] }
    if (isOfFormat(history, byHead.codec.id, scan.segments())) return repairWithPlan(history, byHead, onRepair, scan)
  }
  return repairWithPlan(history, planFor(history, options), onRepair)
}

/** The plan with the format that the first messages of a long history show; undefined if they do not decide, or if `format` is given. */
export function planByHead(history: unknown, options: HealOptions): HealPlan | undefined {
  if (options.format !== undefined || !Array.isArray(history) || history.length <= headLength) return undefined
  const plan = planFor(history, options, detectByHead)
  return plan.unreadable === undefined ? plan : undefined
}
