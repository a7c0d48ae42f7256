import { openaiChat as codec } from '../../codecs/openai-chat/index.ts'
import { openai as home } from '../../core/dialects/openai.ts'
import {
  emptyCalls,
  emptyMessage,
  emptyResult,
  malformedArguments,
  malformedName,
  malformedResult,
  parallelCalls,
} from '../../core/rules/dialect-specific-rules.ts'
import { callKindRules, contentKeyRules, idRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(contentKeyRules, idRules, stepRules, callKindRules, [
  emptyCalls,
  emptyMessage,
  emptyResult,
  malformedArguments,
  malformedName,
  malformedResult,
  parallelCalls,
])

/**
 * Heals OpenAI Chat Completions histories only, the format of most other providers and local servers too, for small
 * bundles.
 */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
