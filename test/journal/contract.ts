import { afterEach, beforeEach, describe } from 'vitest'
import { checkAgents } from './contract/agents.ts'
import { checkApprovals } from './contract/approvals.ts'
import { checkBranches } from './contract/branches.ts'
import { checkCalls } from './contract/calls.ts'
import { checkCompaction } from './contract/compaction.ts'
import { checkEditedApprovals } from './contract/edited-approvals.ts'
import { checkErase } from './contract/erase.ts'
import { checkFallback } from './contract/fallback.ts'
import { Fixture, type Opened } from './contract/fixture.ts'
import { checkInterrupt } from './contract/interrupt.ts'
import { checkLate } from './contract/late.ts'
import { checkMetadata } from './contract/metadata.ts'
import { checkProbe } from './contract/probe.ts'
import { checkRecord } from './contract/record.ts'
import { checkRejections } from './contract/rejections.ts'
import { checkRender } from './contract/render.ts'
import { checkRun } from './contract/run.ts'
import { checkSubmit } from './contract/submit.ts'
import { checkTurn } from './contract/turn.ts'
import { checkWatch } from './contract/watch.ts'
import { checkWorker } from './contract/worker.ts'

/** Everything that the journal promises, on one kind of store. Each test has the number of its promise, and a journal of its own. */
export function checkJournal(name: string, openStore: () => Promise<Opened>): void {
  describe(`the journal on ${name}`, () => {
    const fixture = new Fixture(openStore)
    beforeEach(() => fixture.enter())
    afterEach(() => fixture.leave())

    checkSubmit(fixture)
    checkTurn(fixture)
    checkRecord(fixture)
    checkCalls(fixture)
    checkProbe(fixture)
    checkApprovals(fixture)
    checkEditedApprovals(fixture)
    checkAgents(fixture)
    checkInterrupt(fixture)
    checkLate(fixture)
    checkBranches(fixture)
    checkCompaction(fixture)
    checkErase(fixture)
    checkMetadata(fixture)
    checkRender(fixture)
    checkRun(fixture)
    checkFallback(fixture)
    checkRejections(fixture)
    checkWorker(fixture)
    checkWatch(fixture)
  })
}
