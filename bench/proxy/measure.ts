import type { TaskRunner } from '../run-task.ts'
import { section } from '../section.ts'
import { figure, table } from '../table.ts'
import type { LoadRow } from '../tasks/proxy/load.ts'
import { atLeast, atMost } from '../verdict.ts'

/** All figures of the proxy. */
export async function measureProxy(runner: TaskRunner, show: (text: string) => unknown): Promise<LoadRow[]> {
  const rows = await runner.measureAll<LoadRow>(
    'proxy/load',
    sizes.map(({ bytes, kind }) => `${bytes} ${kind}`),
  )
  if (rows.length > 0) show(report(rows))
  return rows
}

/** What the design asks for at each size. */
const sizes = [
  { bytes: 2 * 1024, kind: 'first', least: 0.9 },
  { bytes: 200 * 1024, kind: 'first', least: 0.5 },
  { bytes: 200 * 1024, kind: 'later', least: 0.8 },
  { bytes: 5 * 1024 * 1024, kind: 'first', least: 0.4 },
  { bytes: 5 * 1024 * 1024, kind: 'later', least: 0.75 },
]

function report(rows: LoadRow[]): string {
  const lines = rows.map(({ bytes, kind, best, median, control, cpu, memory, baseline }) => {
    const least = sizes.findLast(size => size.kind === kind && bytes >= size.bytes * 0.8)?.least ?? 0.9
    return [
      `${(bytes / 1024).toFixed(0)} KB, ${kind}`,
      ...atLeast(best, least),
      figure(median),
      figure(control),
      figure(cpu),
      ...atMost(memory, 1.3),
      figure(baseline),
    ]
  })
  return section(
    'proxy, healthy requests, 64 connections on this machine',
    [
      'requests a second as a part of those of a plain pass-through on the same HTTP stack: higher is better, and 0.9 throughout is the aim;',
      'beside it the same pass-through once more, the time of processors a request took there as a part of what it took in the proxy, and',
      'memory at the end as a multiple of that after half of the rounds',
    ].join('\n'),
    table([
      ['body', 'rate', 'target', '', 'median', 'control', 'processor', 'memory', 'target', '', 'pass-through'],
      ...lines,
    ]),
  )
}
