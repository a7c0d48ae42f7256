import type { Histogram, Registry } from 'prom-client'

/** Counts durations. Counting costs next to nothing: `prom-client` gets the numbers only when metrics are read. */
export function createHistogram(
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
