import type { Conversation } from '../core/conversation.ts'
import type { RepairResult } from '../core/report.ts'
import { checkRules as checkScene, type Diagnostic } from '../core/rules/check.ts'
import { RuleContext } from '../core/rules/rule.ts'
import { type HealChoices, type Plan, shapeless } from './plan.ts'
import { type Healed, repairStretches, repairWhole } from './segments/repair-segments.ts'
import { firstDoubt, Survey, scanFor } from './segments/scan-segments.ts'

/** Everything its reader would refuse, and what else is worth a look. Changes nothing. */
export function checkAs(history: unknown, plan: Plan): Diagnostic[] {
  if (isReadable(history, plan) && isHealthy(history, plan)) return []
  return checkScene(new RuleContext(read(history, plan), plan), plan)
}

/** Heals and reports every change. */
export function repairAs<History>(
  history: History,
  plan: Plan,
  onRepair: HealChoices['onRepair'],
): RepairResult<History> {
  if (!isReadable(history, plan)) {
    return { messages: history, changed: false, repairs: [], remaining: checkAs(history, plan) }
  }
  const { messages, repairs, remaining } = mend(history, plan)
  if (repairs.length === 0) return { messages: history, changed: false, repairs, remaining }
  const result = { messages: messages as History, changed: true, repairs, remaining }
  onRepair?.(result)
  return result
}

/** One pass that builds nothing, since most histories are healthy; then what it doubts, or all of it. */
function mend(history: readonly unknown[], plan: Plan): Healed {
  const survey = Survey.of(history, plan.codec, plan.facts)
  if (!survey) return { messages: [], repairs: [], remaining: [] }
  return repairStretches(history, survey.stretches(), survey.cuts, plan) ?? repairWhole(history, plan)
}

/** Whether one pass that builds nothing finds no doubt. */
export const isHealthy = (history: readonly unknown[], { codec, facts }: Plan): boolean =>
  firstDoubt(history, scanFor(codec, facts)) === undefined

const isReadable = (history: unknown, { foreign }: Plan): history is readonly unknown[] =>
  foreign === undefined && Array.isArray(history)

/** The conversation that a value holds; one that is marked as foreign if it holds none. */
export function read(history: unknown, plan: Plan): Conversation {
  const { codec, continues } = plan
  if (!isReadable(history, plan))
    return { format: codec.wire, messages: [], continues, foreign: plan.foreign ?? shapeless }
  const conversation = codec.decode(history)
  return continues ? { ...conversation, continues } : conversation
}
