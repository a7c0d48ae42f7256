import { agUi as codec } from '../../codecs/ag-ui/index.ts'
import { lenient as home } from '../../core/dialects/lenient.ts'
import { malformedResult } from '../../core/rules/dialect-specific-rules.ts'
import { idRules, onePartRules, stepRules } from '../../core/rules/format-specific-rules.ts'
import { rulesWith } from '../../core/rules/order.ts'
import { healSingleFormat } from './single-format.ts'

export type { FormatOptions } from './single-format.ts'

const rules = rulesWith(idRules, stepRules, onePartRules, [malformedResult])

/** Heals AG-UI messages only, for small bundles. */
export const { heal, check, repair } = healSingleFormat(codec, rules, home)
