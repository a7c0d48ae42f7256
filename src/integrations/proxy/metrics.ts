import { Counter, Gauge, Registry } from 'prom-client'
import { createHistogram } from './histogram.ts'
import type { ProxyReport } from './proxy-options.ts'
import type { TroubleKind } from './trouble.ts'

/** Why a request is forwarded unchanged: it is signed, cannot be unpacked, its repair failed, or takes too much memory or time. */
export type UnhealedReason = 'signed' | 'packed' | 'failed' | 'limit'

/** What the proxy counts. No label holds anything of a request: each is from a list that is known beforehand. */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  start(): void
  /** Once for each start. */
  end(route: string, status: number | 'cut'): void
  report(report: ProxyReport): void
  unhealed(reason: UnhealedReason): void
  refusal(fact: string, isRetried: boolean): void
  trouble(kind: TroubleKind): void
  added(seconds: number): void
}

/** Counts in a registry of its own, so that nothing else of the process is in it. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: `antiphon_proxy_${name}`, help, labelNames, registers: [registry] })
  // What is counted for every request is counted here, and told when it is asked for.
  let inFlight = 0
  const ends = new Map<string, Map<number | 'cut', number>>()
  new Gauge({
    name: 'antiphon_proxy_in_flight',
    help: 'Requests that are under way.',
    registers: [registry],
    collect() {
      this.set(inFlight)
    },
  })
  new Counter({
    name: 'antiphon_proxy_requests_total',
    help: 'Requests by upstream and by status; "cut" has no whole answer.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [route, counts] of ends)
        for (const [status, count] of counts) this.inc({ route, status: String(status) }, count)
    },
  })
  const healed = counter('healed_total', 'Requests that were healed, or would have been (applied="false").', [
    ...(['format', 'dialect', 'applied'] as const),
  ])
  const repairs = counter('repairs_total', 'Repairs by rule.', ['rule', 'applied'])
  const unhealed = counter('unhealed_total', 'Requests that went on as they were though they may need healing.', [
    'reason',
  ])
  const refusals = counter('refusals_total', 'Answers that refuse a history in known words, by provider fact.', [
    'fact',
  ])
  const retries = counter('retries_total', 'Requests that were sent once more after a refusal.', [])
  const troubles = counter('troubles_total', 'Requests that the proxy itself had to answer, or to cut.', ['kind'])
  const added = createHistogram(registry, {
    name: 'antiphon_proxy_added_seconds',
    help: 'Time from the last byte of a request with a history to its sending on.',
    buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    start() {
      inFlight++
    },
    end(route, status) {
      inFlight--
      const counts = ends.get(route) ?? new Map<number | 'cut', number>()
      ends.set(route, counts.set(status, (counts.get(status) ?? 0) + 1))
    },
    report({ format, dialect, repairs: done, dryRun }) {
      const applied = String(dryRun !== true)
      healed.inc({ format, dialect, applied })
      for (const { rule } of done) repairs.inc({ rule, applied })
    },
    unhealed: reason => unhealed.inc({ reason }),
    refusal(fact, isRetried) {
      refusals.inc({ fact })
      if (isRetried) retries.inc()
    },
    trouble: kind => troubles.inc({ kind }),
    added,
  }
}
