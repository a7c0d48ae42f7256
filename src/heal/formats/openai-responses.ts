import { openaiResponses as codec } from '../../codecs/openai-responses/index.ts'
import { openaiResponses as home } from '../../core/dialects/openai-responses.ts'
import {
  blankText,
  emptyMessage,
  emptyResult,
  malformedArguments,
  malformedResult,
  reasoningWithoutFollower,
  repeatedItem,
  textAfterCall,
} from '../../core/rules/dialect-specific-rules.ts'
import { callKindRules, idRules, reasoningItemRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, stepRules, callKindRules, reasoningItemRules, [
  blankText,
  emptyMessage,
  emptyResult,
  malformedArguments,
  malformedResult,
  reasoningWithoutFollower,
  repeatedItem,
  textAfterCall,
])

/** Heals OpenAI Responses API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
