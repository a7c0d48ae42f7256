import type { Diagnostic } from '../core/check.ts'
import { type Dialect, lenientFacts } from '../core/dialect.ts'
import { type DialectId, dialects } from '../core/dialects/index.ts'
import { rules } from '../core/rules/index.ts'
import { check } from '../heal.ts'
import type { HealOptions } from '../options.ts'
import type { Paint } from './paint.ts'
import { shorten } from './plain.ts'
import { isError } from './say.ts'
import type { Subject } from './subject.ts'

/** What one reader makes of a history. */
export interface Verdict {
  readonly for: DialectId
  readonly refused: boolean
  /** The first thing it refuses, or the first error that it lets pass. */
  readonly first?: Diagnostic
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Broken pairs are mended for every reader, but not every reader refuses them: one that is not known to refuse any lets
 * them pass. Whatever else is an error, its reader insists on.
 */
export function verdicts({ history, options, plan }: Subject): Verdict[] {
  const fixed = { ...options, format: plan.codec.id } as HealOptions
  const common = new Set(rules.filter(rule => rule.appliesTo(lenientFacts, plan.codec.wire)).map(({ id }) => id))
  const readers = plan.codec.readers ?? Object.keys(dialects)
  return (readers as readonly DialectId[]).map(reader => {
    const { refusals }: Dialect = dialects[reader]
    const watchesPairs = 'unanswered-call' in refusals || 'orphan-result' in refusals
    const diagnostics = check(history, { ...fixed, for: reader })
    const errors = diagnostics.filter(isError)
    const reason = errors.find(({ rule, refusal }) => watchesPairs || refusal !== undefined || !common.has(rule))
    const first = reason ?? errors[0]
    return { for: reader, refused: reason !== undefined, ...(first ? { first } : {}), diagnostics }
  })
}

/** A table of the readers, and a line that sums it up. */
export function sayReaders(readers: readonly Verdict[], paint: Paint, columns: number): string[] {
  const width = Math.max(...readers.map(({ for: reader }) => reader.length))
  const room = Math.max(columns - width - 11, 20)
  const rows = readers.map(({ for: reader, refused, first }) => {
    const word = refused ? paint('error', 'refuses') : paint('fix', 'passes ')
    const reason = first && (refused ? `${first.rule}: ${first.refusal ?? first.message}` : `hides ${first.rule}`)
    return `${reader.padEnd(width)}  ${word}  ${shorten(reason ?? '', room)}`.trimEnd()
  })
  return [...rows, `refused by ${readers.filter(({ refused }) => refused).length} of ${readers.length} readers`]
}
