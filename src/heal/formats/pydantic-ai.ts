import { pydanticAi as codec } from '../../codecs/pydantic-ai/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import { idRules, namedResultRules, sharedMessageRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, stepRules, namedResultRules, sharedMessageRules)

/** Heals histories of Pydantic AI only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
