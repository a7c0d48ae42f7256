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
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(
  contentListRules,
  idRules,
  stepRules,
  orderRules,
  reasoningBlockRules,
  sharedMessageRules,
  signedReasoningRules,
)

/** Heals Bedrock Converse API histories only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
