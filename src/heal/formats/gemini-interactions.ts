import { geminiInteractions as codec } from '../../codecs/gemini-interactions/index.ts'
import { geminiInteractions as home } from '../../core/dialects/gemini-interactions.ts'
import {
  blankText,
  emptyMessage,
  emptyResult,
  malformedArguments,
  malformedName,
  malformedResult,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
} from '../../core/rules/dialect-specific-rules.ts'
import {
  callKindRules,
  idRules,
  namedResultRules,
  signedCallRules,
  stepRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, stepRules, namedResultRules, callKindRules, signedCallRules, [
  blankText,
  emptyMessage,
  emptyResult,
  malformedArguments,
  malformedName,
  malformedResult,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
])

/** Heals histories of Gemini's Interactions API only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
