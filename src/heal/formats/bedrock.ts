import { bedrock as codec } from '../../codecs/bedrock/index.ts'
import { bedrock as home } from '../../core/dialects/bedrock.ts'
import {
  contentListRules,
  idRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedReasoningRules,
  stepRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(
  contentListRules,
  idRules,
  stepRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedReasoningRules,
)

/** Healing for the shape of Bedrock's Converse API, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
