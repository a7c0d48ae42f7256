import { langchain as codec } from '../../codecs/langchain/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import { malformedArguments } from '../../core/rules/dialect-specific-rules.ts'
import { callKindRules, idRules, listedCallRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, listedCallRules, stepRules, callKindRules, [malformedArguments])

/** Heals LangChain messages only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
