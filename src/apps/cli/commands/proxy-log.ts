import { AntiphonError } from '../../../core/errors.ts'
import { countRules } from '../../../integrations/proxy/count-rules.ts'
import type { ProxyReport } from '../../../integrations/proxy/index.ts'

/** What was done to a request, in one line: rules and their number, and nothing that was said or sent. */
export function sayReport(report: ProxyReport): string {
  const { route, format, dialect, dryRun, refusal } = report
  const done = dryRun ? 'would heal' : refusal ? `healed again, after ${refusal.status} ${refusal.fact}:` : 'healed'
  const repairs = Object.entries(countRules(report.repairs)).map(([rule, count]) => `${rule} ${count}`)
  const through = route === undefined ? '' : ` at ${route}`
  return `${done} ${format} for ${dialect}${through}  ${repairs.join(', ')}`
}

/** The same for programs. */
export function tellReport(report: ProxyReport): object {
  const { route, format, dialect, dryRun, refusal } = report
  return { route, format, dialect, repairs: countRules(report.repairs), dryRun, refusal }
}

/** What may be said of an error. The words of one that is not ours may hold a piece of the request. */
export function errorWords(error: unknown): string {
  if (AntiphonError.is(error)) return error.message
  return `healing failed (${error instanceof Error ? error.name : typeof error})`
}
