import { geminiInteractions as codec } from '../../codecs/gemini-interactions/index.ts'
import { geminiInteractions as home } from '../../core/dialects/gemini-interactions.ts'
import {
  idRules,
  namedItemRules,
  namedResultRules,
  orderRules,
  plainReasoningRules,
  reasoningItemRules,
  signedCallRules,
  signedReasoningRules,
  stepRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(
  idRules,
  stepRules,
  namedItemRules,
  namedResultRules,
  orderRules,
  plainReasoningRules,
  reasoningItemRules,
  signedCallRules,
  signedReasoningRules,
)

/** Heals histories of Gemini's Interactions API only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
