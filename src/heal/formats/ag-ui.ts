import { agUi as codec } from '../../codecs/ag-ui/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import {
  idRules,
  onePartRules,
  reasoningBlockRules,
  stepRules,
  systemMessageRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(idRules, stepRules, onePartRules, reasoningBlockRules, systemMessageRules)

/** Healing for the shape of the AG-UI protocol, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
