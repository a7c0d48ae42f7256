import { aiSdk as codec } from '../../codecs/ai-sdk/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import {
  approvalRules,
  idRules,
  namedItemRules,
  namedResultRules,
  orderRules,
  reasoningBlockRules,
  signedReasoningRules,
  stepRules,
  systemMessageRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(
  approvalRules,
  idRules,
  stepRules,
  namedItemRules,
  namedResultRules,
  orderRules,
  reasoningBlockRules,
  signedReasoningRules,
  systemMessageRules,
)

/** Heals AI SDK model messages only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
