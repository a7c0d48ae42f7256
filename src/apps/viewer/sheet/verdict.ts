import type { Codec } from '../../../codecs/codec.ts'
import { type DialectId, dialects } from '../../../core/dialects/index.ts'
import { rejectedBy } from '../../../core/rejected-by.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Verdict } from '../desk.ts'

/** What a reader makes of what is found. */
export const verdictOf = (reader: DialectId, found: readonly Diagnostic[], { format: wire }: Codec): Verdict => ({
  reader,
  title: dialects[reader].title,
  rules: countByRule(found),
  refused: found.some(rejectedBy(reader, wire)),
})

function countByRule(found: readonly Diagnostic[]): Verdict['rules'] {
  const counts: Record<string, { errors: number; warnings: number }> = {}
  for (const { rule, severity } of found) {
    counts[rule] ??= { errors: 0, warnings: 0 }
    if (severity === 'error') counts[rule].errors++
    else counts[rule].warnings++
  }
  return counts
}
