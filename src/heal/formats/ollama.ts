import { ollama as codec } from '../../codecs/ollama/index.ts'
import { ollama as home } from '../../core/dialects/ollama.ts'
import {
  brokenAlternation,
  foreignRole,
  malformedArguments,
  malformedName,
  malformedResult,
  unreadRefusal,
} from '../../core/rules/dialect-specific-rules.ts'
import { callKindRules, stepRules, textContentRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(textContentRules, stepRules, callKindRules, [
  brokenAlternation,
  foreignRole,
  malformedArguments,
  malformedName,
  malformedResult,
  unreadRefusal,
])

/** Heals histories of Ollama's own chat API only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
