import type { Format } from './conversation.ts'
import { type Dialect, lenientFacts } from './dialect.ts'
import { type DialectId, dialects } from './dialects/index.ts'
import type { Diagnostic } from './rules/check.ts'
import { rules } from './rules/index.ts'

/**
 * Returns a test for the diagnostics that a provider rejects a history for. Broken pairs are repaired for every
 * provider, but a provider without a known error message for them does not reject them. It rejects every other error.
 */
export function rejectedBy(dialect: DialectId, format: Format): (diagnostic: Diagnostic) => boolean {
  const { refusals }: Dialect = dialects[dialect]
  const rejectsBrokenPairs = 'unanswered-call' in refusals || 'orphan-result' in refusals
  const common = new Set(rules.filter(rule => rule.appliesTo(lenientFacts, format)).map(({ id }) => id))
  return ({ severity, rule, refusal }) =>
    severity === 'error' && (rejectsBrokenPairs || refusal !== undefined || !common.has(rule))
}
