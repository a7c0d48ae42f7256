import { aiSdkUi as codec } from '../../codecs/ai-sdk-ui/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import { idRules, onePartRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, onePartRules)

/** Heals AI SDK UI messages only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
