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
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(contentKeyRules, idRules, legacyCallRules, stepRules, plainReasoningRules, systemMessageRules)

/** Healing for the shape of OpenAI Chat Completions, which most other providers and local servers speak too, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
