import { describeWithHint } from '../../../core/describe-error.ts'
import { AntiphonError } from '../../../core/errors.ts'
import type { ProxyReport } from '../../../integrations/proxy/index.ts'

/** The repairs of a request in one line: rules and their counts, and no content of the request. */
export function reportLine(report: ProxyReport): string {
  const { route, format, dialect, dryRun, refusal } = report
  const done = dryRun ? 'would heal' : refusal ? `healed again, after ${refusal.status} ${refusal.fact}:` : 'healed'
  const repairs = Object.entries(report.rules).map(([rule, count]) => `${rule} ${count}`)
  const through = route === undefined ? '' : ` at ${route}`
  return `${done} ${format} for ${dialect}${through}  ${repairs.join(', ')}`
}

/** The same as JSON. */
export function reportJson(report: ProxyReport): object {
  const { route, format, dialect, dryRun, refusal } = report
  return { route, format, dialect, repairs: report.rules, dryRun, refusal }
}

/** The text of an error for the log. A foreign error may quote the request, so its message is not used. */
export function loggedError(error: unknown): string {
  if (AntiphonError.is(error)) return describeWithHint(error)
  return `healing failed (${error instanceof Error ? error.name : typeof error})`
}
