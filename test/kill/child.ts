import { once } from 'node:events'
import { AntiphonError, openJournal } from '../../src/journal/index.ts'
import { Ledger } from './ledger.ts'
import { openWatched } from './open-watched.ts'
import type { Plan, Report } from './plan.ts'
import { Points } from './points.ts'
import { Renewals } from './renewals.ts'
import { perform } from './tasks.ts'
import { watchedStore } from './watched-store.ts'

// A process of its own at a journal, which ends wherever its plan or its parent wants it to.
const plan = JSON.parse(process.argv[2]) as Plan
const told = new AbortController()

// Whose parent is gone has nobody to end it.
process.once('disconnect', () => process.exit(1))
process.send?.({ kind: 'ready' } satisfies Report)
await once(process, 'message')
process.once('message', () => told.abort())
process.send?.(await report(), undefined, undefined, () => process.exit(0))

async function report(): Promise<Report> {
  const ledger = new Ledger(plan.ledger)
  const points = new Points(plan.stop, ledger)
  const renewals = new Renewals()
  try {
    const store = watchedStore(await openWatched(plan, points), points, ledger, renewals)
    await using journal = await openJournal(store)
    const { leaseMs = 300 } = plan
    const answer = await perform(plan.task, { journal, ledger, points, renewals, leaseMs, told: told.signal })
    return { kind: 'done', answer }
  } catch (error) {
    const code = AntiphonError.is(error) ? error.code : 'unknown'
    return { kind: 'failed', code, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
