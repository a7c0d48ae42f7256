import { langchain as codec } from '../../codecs/langchain/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import {
  idRules,
  listedCallRules,
  orderRules,
  plainReasoningRules,
  signedReasoningRules,
  stepRules,
  systemMessageRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(
  idRules,
  listedCallRules,
  stepRules,
  orderRules,
  plainReasoningRules,
  signedReasoningRules,
  systemMessageRules,
)

/** Healing for the shape of LangChain messages, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
