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
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(
  idRules,
  stepRules,
  namedItemRules,
  orderRules,
  plainReasoningRules,
  reasoningItemRules,
  systemMessageRules,
)

/** Heals OpenAI Responses API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
