import { aiSdkUi as codec } from '../../codecs/ai-sdk-ui/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import {
  idRules,
  namedItemRules,
  onePartRules,
  orderRules,
  reasoningBlockRules,
  signedReasoningRules,
  systemMessageRules,
} from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

const rules = rulesWith(
  idRules,
  namedItemRules,
  onePartRules,
  orderRules,
  reasoningBlockRules,
  signedReasoningRules,
  systemMessageRules,
)

/** Healing for the shape of UI messages of the AI SDK, and no other. */
export const { heal, check, repair } = healingOf(codec, rules, home)
