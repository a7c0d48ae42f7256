import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { rejectedBy } from '../../core/rejected-by.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import { check } from '../../heal/heal.ts'
import type { HealOptions } from '../../heal/options.ts'
import type { Subject } from './input/subject.ts'
import type { Paint } from './paint.ts'
import { shorten } from './plain.ts'
import { isError } from './say.ts'

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
  const readers = plan.codec.acceptedBy ?? Object.keys(dialects)
  return (readers as readonly DialectId[]).map(reader => {
    const diagnostics = check(history, { ...fixed, for: reader })
    const reason = diagnostics.find(rejectedBy(reader, plan.codec.format))
    const first = reason ?? diagnostics.find(isError)
    return { for: reader, refused: reason !== undefined, ...(first ? { first } : {}), diagnostics }
  })
}

/** A table of the providers, and a line with the total. */
export function sayVerdicts(readers: readonly DialectVerdict[], paint: Paint, columns: number): string[] {
  const width = Math.max(...readers.map(({ for: reader }) => reader.length))
  const room = Math.max(columns - width - 11, 20)
  const rows = readers.map(({ for: reader, refused, first }) => {
    const word = refused ? paint('error', 'rejects') : paint('fix', 'accepts')
    const reason = first && (refused ? `${first.rule}: ${first.refusal ?? first.message}` : `despite ${first.rule}`)
    return `${reader.padEnd(width)}  ${word}  ${shorten(reason ?? '', room)}`.trimEnd()
  })
  return [...rows, `rejected by ${readers.filter(({ refused }) => refused).length} of ${readers.length} providers`]
}
