import { section } from './section.ts'
import { figure, table } from './table.ts'
import type { CrowdRow } from './tasks/journal/crowd.ts'
import type { GrowthRow } from './tasks/journal/growth.ts'
import type { ManyOutcome } from './tasks/journal/many.ts'
import type { OperationRow } from './tasks/journal/operations.ts'
import type { RecoveryOutcome } from './tasks/journal/recovery.ts'
import type { ShardsRow } from './tasks/journal/shards.ts'
import type { PostgresOutcome } from './tasks/journal/transition-postgres.ts'
import type { TransitionRow } from './tasks/journal/transition-sqlite.ts'
import type { TurnsRow } from './tasks/journal/turns.ts'
import { atLeast, atMost, untargeted } from './verdict.ts'

export function reportSqlite(full: TransitionRow[], process: TransitionRow[]): string {
  const lines = full.map(({ what, best, median }, index) => [
    ...[names[what], ...judged(full, what, best), figure(median), figure(process[index].best)],
  ])
  return section(
    'journal, a transition in SQLite: the nine writes of a turn of six messages of 1 KiB',
    `as a multiple of the same changes by bare SQL, equally durable; ${noiseOf(full)}`,
    table([['', 'synchronous FULL', 'target', '', 'median', 'without fsync'], ...lines]),
  )
}

export function reportPostgres({ rows, disk }: PostgresOutcome): string {
  const lines = rows.map(({ what, best, median }) => [...[names[what], ...judged(rows, what, best), figure(median)]])
  return section(
    'journal, a transition in PostgreSQL: the same nine writes',
    `as a multiple of one bare statement each with the same changes; ${noiseOf(rows)}`,
    table([
      ['', 'best', 'target', '', 'median'],
      ...lines,
      ['200 turns on disk, of what was said', ...atMost(disk, diskMax), ''],
    ]),
  )
}

export function reportTurns(rows: TurnsRow[], langgraph: string): string {
  const lines = rows.map(({ subject, turns, short, long, growth, disk }) => [
    ...[subject, String(turns), figure(short), figure(long)],
    ...(isJudged(subject) ? atMost(growth, isFrozen(subject) ? 1.2 : flatMax) : untargeted(growth)),
    ...(disk === undefined ? [] : subject === 'antiphon' ? atMost(disk, diskMax) : untargeted(disk)),
  ])
  return section(
    'journal, as a thread grows: turns of six messages of 1 KiB, a model that takes the messages and answers at once',
    [
      'turn 2 and the one behind so many turns, as multiples of a turn by bare SQL with synchronous FULL; the later as a multiple',
      `of turn 2; and what is on disk by then, as a multiple of what was said. LangGraph ${langgraph} runs with synchronous NORMAL`,
    ].join('\n'),
    table([['', 'turns', 'turn 2', 'later', 'later / 2', 'target', '', 'disk', 'target', ''], ...lines]),
  )
}

export function reportGrowth(rows: GrowthRow[]): string {
  const lines = rows.map(({ turns, blind, reading, frozen, disk, memory }) => [
    ...[turns.toLocaleString('en'), ...atMost(blind, flatMax), ...atMost(reading, flatMax)],
    ...[...atMost(frozen, frozenMax), ...atMost(disk, diskMax), figure(memory)],
  ])
  return section(
    'journal, one thread without end',
    `one turn more, relative to ${rows[0]?.turns.toLocaleString('en')} turns, without fsync: the writes alone, and with the messages read at every step, as copies and frozen; disk and memory of what was said`,
    table([
      ['turns', ...['writes', 'with messages', 'frozen', 'disk'].flatMap(what => [what, 'target', '']), 'memory'],
      ...lines,
    ]),
  )
}

export function reportOperations(rows: OperationRow[]): string {
  const lines = rows.map(({ what, best, median, most }) => [
    ...[what, ...(most === undefined ? untargeted(best) : atMost(best, most)), figure(median)],
  ])
  return section(
    'journal, branches, summaries and seals',
    'each as a multiple of the same without it; threads of several lengths without fsync, seals with it',
    table([['', 'ratio', 'target', '', 'median'], ...lines]),
  )
}

export function reportCrowd(rows: CrowdRow[]): string {
  const lines = rows.map(({ what, best, median }, index) => [
    ...[what, ...(index === 0 ? untargeted(best) : atLeast(best, 5)), figure(median)],
  ])
  return section(
    'journal, 64 threads at once: group commit',
    'how many times the rate of one fsync a commit: higher is better',
    table([['', 'rate', 'target', '', 'median'], ...lines]),
  )
}

export function reportMany({ threads, rows, memory }: ManyOutcome): string {
  const lines = rows.map(({ what, best, median }) => [
    ...[what, ...(what.includes("'full'") ? untargeted(best) : atMost(best, flatMax)), figure(median)],
  ])
  return section(
    `journal, ${threads.toLocaleString('en')} threads`,
    'as a multiple of the same in a journal with 10 threads; memory in use after a turn of each, of that after a tenth of them',
    table([['', 'ratio', 'target', '', 'median'], ...lines, ['memory', ...atMost(memory, flatMax), '']]),
  )
}

export function reportShards(rows: ShardsRow[]): string {
  const lines = rows.map(({ limit, servers, median, least, most }) => [
    ...[limits[limit], String(servers), figure(median), figure(least), figure(most)],
  ])
  return section(
    'journal, shards on several PostgreSQL servers, 64 threads at once',
    'how many times the rate of one server, with all servers and the client on one machine: higher is better',
    table([['limited by', 'servers', 'median', 'least', 'most'], ...lines]),
  )
}

const limits = { processor: 'the processors of the machine', commits: 'commits that take 100 ms' }

export function reportRecovery({ threads, rows }: RecoveryOutcome): string {
  const lines = rows.map(({ what, best, median, memory, peak }) => [
    ...[what, figure(best), figure(median), ...atMost(memory, flatMax), figure(peak)],
  ])
  return section(
    `journal, recovery of ${threads.toLocaleString('en')} threads that a crash left with a started call`,
    'as a part of the rate of the writes alone: higher is better; memory in use afterwards, and the most on the way, of that before',
    table([['', 'rate', 'median', 'memory', 'target', '', 'most'], ...lines]),
  )
}

/** Without fsync, whose noise is larger than what is looked for. A thread that is read anew costs what there is to read. */
const isJudged = (subject: string): boolean => subject.includes('durability')

const isFrozen = (subject: string): boolean => subject.includes('frozen')

const transitionMax = 1.3
const diskMax = 2
/** What is to cost the same. The rest is noise. */
const flatMax = 1.1
/** Ten times as many messages: the list of a read still names each of them. */
const frozenMax = 1.5

const names: Record<string, string> = {
  again: 'the same bare SQL once more',
  insert: 'one bare INSERT of 1 KiB each',
  store: 'the store: write()',
  'bare nameless': 'the same bare SQL, not prepared',
  nameless: 'the store with prepare: false',
  broker: 'the thread: submit, turn, record, perform',
}

/** Nothing is said of the target when the baseline does not even agree with itself. */
function judged(rows: TransitionRow[], what: string, best: number): string[] {
  if (what !== 'store') return untargeted(best)
  const [ratio, target, verdict] = atMost(best, transitionMax)
  const control = rows.find(row => row.what === 'again')?.best ?? 1
  return [ratio, target, Math.abs(control - 1) > noiseMax ? 'too noisy' : verdict]
}

const noiseMax = 0.15

const noiseOf = ([row]: TransitionRow[]): string =>
  `its median run took ${figure(row?.noise ?? Number.NaN)} times its best, which is the noise of this machine`
