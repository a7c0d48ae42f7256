import { wantedPeers } from '../prepare.ts'
import * as report from '../report-journal.ts'
import type { TaskRunner } from '../run-task.ts'
import type { CrowdRow } from '../tasks/journal/crowd.ts'
import type { GrowthRow } from '../tasks/journal/growth.ts'
import type { ManyOutcome } from '../tasks/journal/many.ts'
import type { OperationRow } from '../tasks/journal/operations.ts'
import type { RecoveryOutcome } from '../tasks/journal/recovery.ts'
import type { ShardsRow } from '../tasks/journal/shards.ts'
import type { PostgresOutcome } from '../tasks/journal/transition-postgres.ts'
import type { TransitionRow } from '../tasks/journal/transition-sqlite.ts'
import type { TurnsRow } from '../tasks/journal/turns.ts'

/** All figures of the journal, each shown as soon as it is there. */
export async function measureJournal(runner: TaskRunner, hasPeers: boolean, show: (text: string) => unknown) {
  const full = await runner.measure<TransitionRow[]>('journal/transition-sqlite', 'full')
  const quick = await runner.measure<TransitionRow[]>('journal/transition-sqlite', 'process')
  if (full && quick) show(report.reportSqlite(full, quick))

  const postgres = await runner.measure<PostgresOutcome>('journal/transition-postgres')
  if (postgres) show(report.reportPostgres(postgres))

  const subjects = ['antiphon', ...(hasPeers ? ['langgraph'] : [])]
  const turns = (await runner.measureAll<TurnsRow[]>('journal/turns', subjects)).flat()
  if (turns.length > 0) show(report.reportTurns(turns, wantedPeers()['@langchain/langgraph']))

  const growth = await runner.measure<GrowthRow[]>('journal/growth')
  if (growth) show(report.reportGrowth(growth))

  const operations = await runner.measure<OperationRow[]>('journal/operations')
  if (operations) show(report.reportOperations(operations))

  const crowd = await runner.measure<CrowdRow[]>('journal/crowd')
  if (crowd) show(report.reportCrowd(crowd))

  const many = await runner.measure<ManyOutcome>('journal/many')
  if (many) show(report.reportMany(many))

  const shards = await runner.measure<ShardsRow[]>('journal/shards')
  if (shards) show(report.reportShards(shards))

  const recovery = await runner.measure<RecoveryOutcome>('journal/recovery')
  if (recovery) show(report.reportRecovery(recovery))

  return { sqlite: { full, process: quick }, postgres, turns, growth, operations, crowd, many, shards, recovery }
}
