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
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(
  stepRules,
  namedResultRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedCallRules,
  signedReasoningRules,
)

/** Healing for the shape of the Gemini API, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
