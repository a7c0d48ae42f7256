import { gemini as codec } from '../../codecs/gemini/index.ts'
import { gemini as home } from '../../core/dialects/gemini.ts'
import {
  namedResultRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedCallRules,
  signedReasoningRules,
  stepRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(
  stepRules,
  namedResultRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedCallRules,
  signedReasoningRules,
)

/** Heals Gemini API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
