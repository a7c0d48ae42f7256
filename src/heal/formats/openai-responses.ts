import { openaiResponses as codec } from '../../codecs/openai-responses/index.ts'
import { openaiResponses as home } from '../../core/dialects/openai-responses.ts'
import {
  idRules,
  namedItemRules,
  orderRules,
  plainReasoningRules,
  reasoningItemRules,
  stepRules,
  systemMessageRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(
  idRules,
  stepRules,
  namedItemRules,
  orderRules,
  plainReasoningRules,
  reasoningItemRules,
  systemMessageRules,
)

/** Healing for the shape of OpenAI's Responses API, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
