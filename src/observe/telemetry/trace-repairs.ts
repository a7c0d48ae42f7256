import type { Repair } from '../../core/rules/repair.ts'
import type { TelemetryApi } from './api.ts'
import { createGuard } from './guard.ts'
import { loadApi } from './load-api.ts'

/** What was done to a request, and what the provider refused before if this is the second try. */
interface Done {
  readonly repairs: readonly Repair[]
  readonly dialect: string
  readonly refusal?: { readonly status: number; readonly fact: string }
}

/** Where the events go: nowhere, to the package that is installed if it is, or to this one. */
export type EventOptions = boolean | { readonly api?: TelemetryApi }

/** Puts the repairs of a request into the active span, by rule; a refusal that led to them too. Without a span, nothing. */
export async function traceRepairs(options: EventOptions, { repairs, dialect, refusal }: Done): Promise<void> {
  if (!options) return
  const api = (options === true ? undefined : options.api) ?? (await loadApi())
  guard(() => {
    const span = api?.trace.getActiveSpan()
    if (!span?.isRecording()) return
    if (refusal)
      span.addEvent('antiphon.refusal', {
        'antiphon.refusal.fact': refusal.fact,
        'antiphon.dialect': dialect,
        'http.response.status_code': refusal.status,
      })
    for (const { rule, class: kind, count } of byRule(repairs))
      span.addEvent('antiphon.repair', {
        'antiphon.repair.rule': rule,
        'antiphon.repair.class': kind,
        'antiphon.repair.count': count,
        'antiphon.dialect': dialect,
      })
  })
}

const guard = createGuard()

function byRule(repairs: readonly Repair[]): { rule: string; class: string; count: number }[] {
  const groups = new Map<string, { rule: string; class: string; count: number }>()
  for (const { rule, class: kind } of repairs) {
    const { count } = groups.get(`${rule} ${kind}`) ?? { count: 0 }
    groups.set(`${rule} ${kind}`, { rule, class: kind, count: count + 1 })
  }
  return [...groups.values()]
}
