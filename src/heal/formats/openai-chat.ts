import { openaiChat as codec } from '../../codecs/openai-chat/index.ts'
import { openai as home } from '../../core/dialects/openai.ts'
import {
  contentKeyRules,
  idRules,
  legacyCallRules,
  plainReasoningRules,
  stepRules,
  systemMessageRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(contentKeyRules, idRules, legacyCallRules, stepRules, plainReasoningRules, systemMessageRules)

/**
 * Heals OpenAI Chat Completions histories only, the format of most other providers and local servers too, for small
 * bundles.
 */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
