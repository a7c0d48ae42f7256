import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { rejectedBy } from '../../core/rejected-by.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import { check } from '../../heal/heal.ts'
import type { HealOptions } from '../../heal/options.ts'
import { isError } from './counts.ts'
import type { Subject } from './input/subject.ts'
import type { Paint } from './paint.ts'
import { shorten } from './plain.ts'

/** Whether one provider rejects a history, and why. */
export interface DialectVerdict {
  readonly for: DialectId
  readonly refused: boolean
  /** The first diagnostic that it rejects; without one, the first error that it does not reject. */
  readonly first?: Diagnostic
  readonly diagnostics: readonly Diagnostic[]
}

export function verdictsOf({ history, options, plan }: Subject): DialectVerdict[] {
  const fixed = { ...options, format: plan.codec.id } as HealOptions
  const accepted = plan.codec.acceptedBy ?? Object.keys(dialects)
  return (accepted as readonly DialectId[]).map(dialect => {
    const diagnostics = check(history, { ...fixed, for: dialect })
    const reason = diagnostics.find(rejectedBy(dialect, plan.codec.format))
    const first = reason ?? diagnostics.find(isError)
    return { for: dialect, refused: reason !== undefined, ...(first ? { first } : {}), diagnostics }
  })
}

/** A table of the providers, and a line with the total. */
export function renderVerdicts(verdicts: readonly DialectVerdict[], paint: Paint, columns: number): string[] {
  const width = Math.max(...verdicts.map(({ for: dialect }) => dialect.length))
  const room = Math.max(columns - width - 11, 20)
  const rows = verdicts.map(({ for: dialect, refused, first }) => {
    const word = refused ? paint('error', 'rejects') : paint('fix', 'accepts')
    const reason = first && (refused ? `${first.rule}: ${first.refusal ?? first.message}` : `despite ${first.rule}`)
    return `${dialect.padEnd(width)}  ${word}  ${shorten(reason ?? '', room)}`.trimEnd()
  })
  return [...rows, `rejected by ${verdicts.filter(({ refused }) => refused).length} of ${verdicts.length} providers`]
}
