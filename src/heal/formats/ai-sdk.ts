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
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

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

/** Healing for the shape of model messages of the AI SDK, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
