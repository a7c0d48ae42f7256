import type { TaskRunner } from '../run-task.ts'
import { section } from '../section.ts'
import { figure, table } from '../table.ts'
import type { FirstPaintRow } from '../tasks/viewer/first-paint.ts'
import { atMost } from '../verdict.ts'

/** All figures of the viewer. */
export async function measureViewer(
  runner: TaskRunner,
  show: (text: string) => unknown,
): Promise<FirstPaintRow[] | undefined> {
  const rows = await runner.measure<FirstPaintRow[]>('viewer/first-paint')
  if (rows) show(report(rows))
  return rows
}

const report = (rows: readonly FirstPaintRow[]): string =>
  section(
    'viewer, the first rows on the screen',
    [
      'the time from opening the page until the first messages are painted, as a multiple of that of 100 messages;',
      'in a real browser, each time in a fresh window',
    ].join('\n'),
    table([
      ['messages', 'best', 'target', '', 'median'],
      ...rows.map(({ messages, best, median }, index) => [
        messages.toLocaleString('en'),
        ...(index === 0 ? [figure(best), '', ''] : atMost(best, 2)),
        figure(median),
      ]),
    ]),
  )
