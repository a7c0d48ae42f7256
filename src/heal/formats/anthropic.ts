import { anthropic as codec } from '../../codecs/anthropic/index.ts'
import { anthropic as home } from '../../core/dialects/anthropic.ts'
import {
  idRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedReasoningRules,
  stepRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(idRules, stepRules, orderRules, reasoningBlockRules, sharedMessageRules, signedReasoningRules)

/** Healing for the shape of Anthropic's Messages API, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
