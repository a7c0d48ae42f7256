import type { Diagnostic } from '../../core/rules/check.ts'
import type { CallCounts } from '../../heal/count.ts'
import { plain } from './plain.ts'

export const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

export const callCountsText = ({ calls, results, orphans, unanswered }: CallCounts): string =>
  `${plural(calls, 'call')}, ${plural(results, 'result')}, ${plural(orphans, 'orphan')}, ${unanswered} unanswered`

/** How many errors and warnings there are; nothing if there are none. */
export function diagnosticCountsText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length
  const warnings = diagnostics.length - errors
  return [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
    .filter(words => words !== '')
    .join(', ')
}

export const isError = ({ severity }: Diagnostic): boolean => severity === 'error'

/** The diagnostic with control characters escaped. */
export const escapeDiagnostic = <T extends Diagnostic>(diagnostic: T): T => ({
  ...diagnostic,
  message: plain(diagnostic.message),
  help: plain(diagnostic.help),
  ...(diagnostic.refusal === undefined ? {} : { refusal: plain(diagnostic.refusal) }),
})

export const sumCounts = (all: readonly CallCounts[]): CallCounts => ({
  calls: sum(all.map(({ calls }) => calls)),
  results: sum(all.map(({ results }) => results)),
  orphans: sum(all.map(({ orphans }) => orphans)),
  unanswered: sum(all.map(({ unanswered }) => unanswered)),
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
