import type { Wire } from './conversation.ts'
import { type Dialect, lenientFacts } from './dialect.ts'
import { type DialectId, dialects } from './dialects/index.ts'
import type { Diagnostic } from './rules/check.ts'
import { rules } from './rules/index.ts'

/**
 * Which diagnostics a reader refuses a history for. Broken pairs are mended for every reader, but not every reader refuses
 * them: one that is not known to refuse any lets them pass. Whatever else is an error, its reader insists on.
 */
export function refusedBy(reader: DialectId, wire: Wire): (found: Diagnostic) => boolean {
  const { refusals }: Dialect = dialects[reader]
  const watchesPairs = 'unanswered-call' in refusals || 'orphan-result' in refusals
  const common = new Set(rules.filter(rule => rule.appliesTo(lenientFacts, wire)).map(({ id }) => id))
  return ({ severity, rule, refusal }) =>
    severity === 'error' && (watchesPairs || refusal !== undefined || !common.has(rule))
}
