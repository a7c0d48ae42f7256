import { anthropic as codec } from '../../codecs/anthropic/index.ts'
import { anthropic as home } from '../../core/dialects/anthropic.ts'
import {
  blankText,
  emptyMessage,
  emptyResult,
  foreignProviderCall,
  malformedArguments,
  malformedResult,
  misplacedThinking,
  textAfterCall,
  trailingSpace,
  trailingThinking,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
} from '../../core/rules/dialect-specific-rules.ts'
import { idRules, sharedMessageRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, stepRules, sharedMessageRules, [
  blankText,
  emptyMessage,
  emptyResult,
  foreignProviderCall,
  malformedArguments,
  malformedResult,
  misplacedThinking,
  textAfterCall,
  trailingSpace,
  trailingThinking,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
])

/** Heals Anthropic Messages API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
