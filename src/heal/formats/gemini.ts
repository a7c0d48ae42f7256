import { gemini as codec } from '../../codecs/gemini/index.ts'
import { gemini as home } from '../../core/dialects/gemini.ts'
import {
  blankText,
  brokenAlternation,
  emptyMessage,
  foreignRole,
  malformedArguments,
  malformedName,
  malformedResult,
  unreadRefusal,
  wrongFirstRole,
  wrongLastRole,
} from '../../core/rules/dialect-specific-rules.ts'
import {
  namedResultRules,
  sharedMessageRules,
  signedCallRules,
  stepRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(stepRules, namedResultRules, sharedMessageRules, signedCallRules, [
  blankText,
  brokenAlternation,
  emptyMessage,
  foreignRole,
  malformedArguments,
  malformedName,
  malformedResult,
  unreadRefusal,
  wrongFirstRole,
  wrongLastRole,
])

/** Heals Gemini API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
