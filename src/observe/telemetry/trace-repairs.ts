import type { Repair } from '../../core/rules/repair.ts'
import type { TelemetryApi } from './api.ts'
import { createGuard } from './guard.ts'
import { loadTelemetryApi } from './load-api.ts'

/** The repairs of a request, and the rejection of the first attempt if this is a retry. */
interface RepairTrace {
  readonly repairs: readonly Repair[]
  readonly dialect: string
  readonly refusal?: { readonly status: number; readonly fact: string }
}

/** `false`: no events. `true`: through the installed `@opentelemetry/api`, if any. Or through the given one. */
export type EventOptions = boolean | { readonly api?: TelemetryApi }

/** Adds the repairs of a request to the active span as events, by rule, and the rejection that led to them. */
export async function traceRepairs(options: EventOptions, { repairs, dialect, refusal }: RepairTrace): Promise<void> {
  if (!options) return
  const api = (options === true ? undefined : options.api) ?? (await loadTelemetryApi())
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
