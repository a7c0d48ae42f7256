import type { Codec } from '../../codecs/codec.ts'
import type { Diagnostic } from '../../core/check.ts'
import { type Dialect, lenientFacts } from '../../core/dialect.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { rules } from '../../core/rules/index.ts'
import type { Verdict } from '../desk.ts'

/**
 * What a reader makes of what is found. Broken pairs are mended for every reader, but not every reader refuses them: one
 * that is not known to refuse any lets them pass. Whatever else is an error, its reader insists on.
 */
export function verdictOf(reader: DialectId, found: readonly Diagnostic[], { wire }: Codec): Verdict {
  const { title, refusals }: Dialect = dialects[reader]
  const watchesPairs = 'unanswered-call' in refusals || 'orphan-result' in refusals
  const common = new Set(rules.filter(rule => rule.appliesTo(lenientFacts, wire)).map(({ id }) => id))
  const isRefused = ({ severity, rule, refusal }: Diagnostic): boolean =>
    severity === 'error' && (watchesPairs || refusal !== undefined || !common.has(rule))
  return { reader, title, rules: countByRule(found), refused: found.some(isRefused) }
}

function countByRule(found: readonly Diagnostic[]): Verdict['rules'] {
  const counts: Record<string, { errors: number; warnings: number }> = {}
  for (const { rule, severity } of found) {
    counts[rule] ??= { errors: 0, warnings: 0 }
    if (severity === 'error') counts[rule].errors++
    else counts[rule].warnings++
  }
  return counts
}
