import { bedrock as codec } from '../../codecs/bedrock/index.ts'
import { bedrock as home } from '../../core/dialects/bedrock.ts'
import {
  blankText,
  brokenAlternation,
  emptyMessage,
  emptyResult,
  forbiddenFollower,
  malformedArguments,
  malformedName,
  malformedResult,
  misplacedThinking,
  textBesideCalls,
  textBesideResults,
  trailingSpace,
  trailingThinking,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
} from '../../core/rules/dialect-specific-rules.ts'
import { contentListRules, idRules, sharedMessageRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(contentListRules, idRules, stepRules, sharedMessageRules, [
  blankText,
  brokenAlternation,
  emptyMessage,
  emptyResult,
  forbiddenFollower,
  malformedArguments,
  malformedName,
  malformedResult,
  misplacedThinking,
  textBesideCalls,
  textBesideResults,
  trailingSpace,
  trailingThinking,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
])

/** Heals Bedrock Converse API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
