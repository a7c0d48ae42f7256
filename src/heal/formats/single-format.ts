import type { Codec } from '../../codecs/codec.ts'
import type { Dialect } from '../../core/dialect.ts'
import type { RepairResult } from '../../core/report.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import { rulesWith } from '../../core/rules/order.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { type HealChoices, type HealPlan, makePlan } from '../plan.ts'
import { checkWithPlan, repairWithPlan } from '../repair-with-plan.ts'
import { warnOfLoss } from '../warn.ts'

export interface FormatOptions extends HealChoices {
  /** The provider that will receive the history: a dialect from `antiphon/dialects`. By default the provider whose format it is. */
  readonly for?: Dialect
}

/** `heal`, `check` and `repair` for one format. A bundle contains only that format and the dialects that are named. */
export interface SingleFormat {
  /** Returns a history that its provider accepts: the same reference if nothing is wrong with it. */
  heal<History>(history: History, options?: FormatOptions): History
  /** All errors that the provider would reject, and warnings. Changes nothing. */
  check(history: unknown, options?: FormatOptions): Diagnostic[]
  /** Heals and reports every change. */
  repair<History>(history: History, options?: FormatOptions): RepairResult<History>
}

/** `own` are the rules for the provider whose format it is, `home`; another one brings those that it needs as well. */
export function healSingleFormat(codec: Codec, own: readonly Rule[], home: Dialect): SingleFormat {
  const rulesOf = new WeakMap([[home, own]])
  const planFor = (options: FormatOptions): HealPlan => {
    const dialect = options.for ?? home
    const rules = rulesOf.get(dialect) ?? rulesWith(own, (dialect.rules ?? []) as readonly Rule[])
    rulesOf.set(dialect, rules)
    return makePlan({ codec, rules, dialect, isNamed: true }, options)
  }
  return {
    repair: (history, options = {}) => repairWithPlan(history, planFor(options), options.onRepair),
    heal: (history, options = {}) => repairWithPlan(history, planFor(options), options.onRepair ?? warnOfLoss).messages,
    check: (history, options = {}) => checkWithPlan(history, planFor(options)),
  }
}
