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
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(
  idRules,
  listedCallRules,
  stepRules,
  orderRules,
  plainReasoningRules,
  signedReasoningRules,
  systemMessageRules,
)

/** Heals LangChain messages only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
