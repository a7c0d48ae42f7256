import { Counter, Gauge, type Histogram, Registry } from 'prom-client'
import type { ProxyErrorKind } from './proxy-error.ts'
import type { ProxyReport } from './proxy-options.ts'

/** Why a request is forwarded unchanged: it is signed, cannot be decompressed, its repair failed, or takes too much memory or time. */
export type UnhealedReason = 'signed' | 'packed' | 'failed' | 'limit'

/** The metrics of the proxy. No label contains anything from a request: each value is from a fixed list. */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  start(): void
  /** Called once for each start. */
  end(route: string, status: number | 'cut'): void
  report(report: ProxyReport): void
  unhealed(reason: UnhealedReason): void
  rejection(fact: string, isRetried: boolean): void
  proxyError(kind: ProxyErrorKind): void
  recordAddedTime(seconds: number): void
}

/** Uses its own registry, so that it contains no other metrics of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: `antiphon_proxy_${name}`, help, labelNames, registers: [registry] })
  // Counters of every request are kept here, and passed to `prom-client` when metrics are read.
  let inFlight = 0
  const ends = new Map<string, Map<number | 'cut', number>>()
  new Gauge({
    name: 'antiphon_proxy_in_flight',
    help: 'Requests in progress.',
    registers: [registry],
    collect() {
      this.set(inFlight)
    },
  })
  new Counter({
    name: 'antiphon_proxy_requests_total',
    help: 'Requests by upstream and status; "cut" means that the answer was not complete.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [route, counts] of ends)
        for (const [status, count] of counts) this.inc({ route, status: String(status) }, count)
    },
  })
  const healed = counter(
    'healed_total',
    'Repaired requests; with applied="false", requests that would have been repaired.',
    [...(['format', 'dialect', 'applied'] as const)],
  )
  const repairs = counter('repairs_total', 'Repairs by rule.', ['rule', 'applied'])
  const unhealed = counter('unhealed_total', 'Requests forwarded unchanged although they may need repair.', ['reason'])
  const refusals = counter(
    'rejections_total',
    'Answers that reject a history with a known error, by the id of the error.',
    ['fact'],
  )
  const retries = counter('retries_total', 'Requests that were retried after a rejection.', [])
  const proxyErrors = counter('errors_total', 'Requests that the proxy itself answered with an error or cut off.', [
    'kind',
  ])
  const added = createHistogram(registry, {
    name: 'antiphon_proxy_added_seconds',
    help: 'Time from the last byte of a request with a history until it is forwarded.',
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
    report({ format, dialect, rules, dryRun }) {
      const applied = String(dryRun !== true)
      healed.inc({ format, dialect, applied })
      for (const [rule, count] of Object.entries(rules)) repairs.inc({ rule, applied }, count)
    },
    unhealed: reason => unhealed.inc({ reason }),
    rejection(fact, isRetried) {
      refusals.inc({ fact })
      if (isRetried) retries.inc()
    },
    proxyError: kind => proxyErrors.inc({ kind }),
    recordAddedTime: added,
  }
}

/** Counts durations. Counting costs next to nothing: `prom-client` gets the numbers only when metrics are read. */
function createHistogram(
  registry: Registry,
  { name, help, buckets }: { name: string; help: string; buckets: readonly number[] },
): (seconds: number) => void {
  const counts: number[] = Array(buckets.length + 1).fill(0)
  let sum = 0
  const values = () => {
    let below = 0
    const rows = counts.map((count, index) => {
      below += count
      return { metricName: `${name}_bucket`, labels: { le: buckets[index] ?? '+Inf' }, value: below }
    })
    const whole = (part: string, value: number) => ({ metricName: `${name}_${part}`, labels: {}, value })
    return [...rows, whole('sum', sum), whole('count', below)]
  }
  const metric = {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', values: values() }),
  }
  registry.registerMetric(metric as unknown as Histogram)
  return seconds => {
    sum += seconds
    let index = 0
    while (seconds > (buckets[index] ?? Infinity)) index++
    counts[index] = (counts[index] ?? 0) + 1
  }
}
