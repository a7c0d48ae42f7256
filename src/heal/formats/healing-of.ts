import type { Codec } from '../../codecs/codec.ts'
import type { Dialect } from '../../core/dialect.ts'
import type { RepairResult } from '../../core/report.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { decide, type HealChoices, type Plan } from '../plan.ts'
import { checkAs, repairAs } from '../repair-with-plan.ts'
import { warnOfLoss } from '../warn.ts'

export interface FormatOptions extends HealChoices {
  /** The provider that will receive the history: a dialect from `antiphon/dialects`. By default the provider whose format it is. */
  readonly for?: Dialect
}

/** What the front door does, for one shape alone. Only that shape, and the dialects that are named, come along. */
export interface Healing {
  /** A history that its reader accepts: the very same one if nothing is wrong with it. */
  heal<History>(history: History, options?: FormatOptions): History
  /** Everything its reader would refuse, and what else is worth a look. Changes nothing. */
  check(history: unknown, options?: FormatOptions): Diagnostic[]
  /** Heals and reports every change. */
  repair<History>(history: History, options?: FormatOptions): RepairResult<History>
}

export function healingOf(codec: Codec, rules: readonly Rule[], home: Dialect): Healing {
  const planFor = (options: FormatOptions): Plan =>
    decide({ codec, rules, dialect: options.for ?? home, isNamed: true }, options)
  return {
    repair: (history, options = {}) => repairAs(history, planFor(options), options.onRepair),
    heal: (history, options = {}) => repairAs(history, planFor(options), options.onRepair ?? warnOfLoss).messages,
    check: (history, options = {}) => checkAs(history, planFor(options)),
  }
}
