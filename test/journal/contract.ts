import { afterEach, beforeEach, describe } from 'vitest'
import { checkAgents } from './contract/agents.ts'
import { checkApprovals } from './contract/approvals.ts'
import { checkBranches } from './contract/branches.ts'
import { checkCalls } from './contract/calls.ts'
import { checkCompaction } from './contract/compaction.ts'
import { checkEditedApprovals } from './contract/edited-approvals.ts'
import { checkErase } from './contract/erase.ts'
import { checkFallback } from './contract/fallback.ts'
import { Ground, type Opened } from './contract/ground.ts'
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

/** Everything that the broker promises, on one kind of store. Each test has the number of its promise, and a journal of its own. */
export function checkBroker(name: string, openStore: () => Promise<Opened>): void {
  describe(`the broker on ${name}`, () => {
    const ground = new Ground(openStore)
    beforeEach(() => ground.enter())
    afterEach(() => ground.leave())

    checkSubmit(ground)
    checkTurn(ground)
    checkRecord(ground)
    checkCalls(ground)
    checkProbe(ground)
    checkApprovals(ground)
    checkEditedApprovals(ground)
    checkAgents(ground)
    checkInterrupt(ground)
    checkLate(ground)
    checkBranches(ground)
    checkCompaction(ground)
    checkErase(ground)
    checkMetadata(ground)
    checkRender(ground)
    checkRun(ground)
    checkFallback(ground)
    checkRejections(ground)
    checkWorker(ground)
    checkWatch(ground)
  })
}
