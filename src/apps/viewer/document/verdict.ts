import type { Codec } from '../../../codecs/codec.ts'
import { type DialectId, dialects } from '../../../core/dialects/index.ts'
import { rejectedBy } from '../../../core/rejected-by.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { ProviderVerdict } from '../document-service.ts'

/** The verdict of a provider on these diagnostics. */
export const verdictOf = (dialect: DialectId, found: readonly Diagnostic[], { format }: Codec): ProviderVerdict => ({
  dialect,
  title: dialects[dialect].title,
  rules: countByRule(found),
  rejected: found.some(rejectedBy(dialect, format)),
})

function countByRule(found: readonly Diagnostic[]): ProviderVerdict['rules'] {
  const counts: Record<string, { errors: number; warnings: number }> = {}
  for (const { rule, severity } of found) {
    counts[rule] ??= { errors: 0, warnings: 0 }
    if (severity === 'error') counts[rule].errors++
    else counts[rule].warnings++
  }
  return counts
}
