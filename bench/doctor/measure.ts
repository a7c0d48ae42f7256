import type { TaskRunner } from '../run-task.ts'
import { section } from '../section.ts'
import { figure, table } from '../table.ts'
import type { DoctorRow } from '../tasks/doctor/visit.ts'

/** All figures of the doctor. */
export async function measureDoctor(runner: TaskRunner, show: (text: string) => unknown): Promise<DoctorRow[]> {
  const rows = await runner.measureAll<DoctorRow>('doctor/visit', ['many', 'small', 'large', 'healing'])
  if (rows.length > 0) show(report(rows))
  return rows
}

const report = (rows: readonly DoctorRow[]): string =>
  section(
    'doctor, sessions of Codex',
    [
      'the time of a visit as a multiple of reading the same bytes, and of reading and parsing the same lines in the same process;',
      'and the most memory the process had, beside what it had before the visit',
    ].join('\n'),
    table([
      ['what', 'sessions', 'MB', 'of reading', 'of parsing', 'peak MB', 'before'],
      ...rows.map(({ name, sessions, megabytes, ratio, parsed, peak, before }) => [
        names[name] ?? name,
        String(sessions),
        megabytes.toFixed(0),
        figure(ratio),
        figure(parsed),
        peak.toFixed(0),
        before.toFixed(0),
      ]),
    ]),
  )

const names: Record<string, string> = {
  many: 'healthy, many',
  small: 'healthy, one',
  large: 'healthy, one',
  healing: 'broken in every 1000th turn, healed',
}
