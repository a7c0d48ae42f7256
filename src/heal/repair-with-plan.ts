import type { Conversation } from '../core/conversation.ts'
import type { RepairResult } from '../core/report.ts'
import { checkRules, type Diagnostic } from '../core/rules/check.ts'
import { RuleContext } from '../core/rules/rule.ts'
import { type HealChoices, type HealPlan, unknownFormat } from './plan.ts'
import { type HealedHistory, repairSegments, repairWhole } from './segments/repair-segments.ts'
import { firstDoubt, SegmentScan, scanFor } from './segments/scan-segments.ts'

/** All errors that the provider would reject, and warnings. Changes nothing. */
export function checkWithPlan(history: unknown, plan: HealPlan): Diagnostic[] {
  if (isReadable(history, plan) && isHealthy(history, plan)) return []
  return checkRules(new RuleContext(decodeHistory(history, plan), plan), plan)
}

/** Heals and reports every change. `scan` is the scan of the history, if there is one. */
export function repairWithPlan<History>(
  history: History,
  plan: HealPlan,
  onRepair: HealChoices['onRepair'],
  scan?: SegmentScan,
): RepairResult<History> {
  if (!isReadable(history, plan)) {
    return { messages: history, changed: false, repairs: [], remaining: checkWithPlan(history, plan) }
  }
  const { messages, repairs, remaining } = repairReadable(history, plan, scan)
  if (repairs.length === 0) return { messages: history, changed: false, repairs, remaining }
  const result = { messages: messages as History, changed: true, repairs, remaining }
  onRepair?.(result)
  return result
}

/** One pass without allocation, since most histories are healthy; then the doubtful segments are repaired, or all of it. */
function repairReadable(
  history: readonly unknown[],
  plan: HealPlan,
  scan = SegmentScan.of(history, plan.codec, plan.facts),
): HealedHistory {
  if (!scan) return { messages: [], repairs: [], remaining: [] }
  return repairSegments(history, scan.segments(), scan.cuts, plan) ?? repairWhole(history, plan)
}

/** Whether one pass without allocation finds no doubt. */
export const isHealthy = (history: readonly unknown[], { codec, facts }: HealPlan): boolean =>
  firstDoubt(history, scanFor(codec, facts)) === undefined

const isReadable = (history: unknown, { unreadable }: HealPlan): history is readonly unknown[] =>
  unreadable === undefined && Array.isArray(history)

/** The decoded conversation; marked as `unreadable` if the value is not a history. */
export function decodeHistory(history: unknown, plan: HealPlan): Conversation {
  const { codec, continues } = plan
  if (!isReadable(history, plan))
    return { format: codec.format, messages: [], continues, unreadable: plan.unreadable ?? unknownFormat }
  const conversation = codec.decode(history)
  return continues ? { ...conversation, continues } : conversation
}
