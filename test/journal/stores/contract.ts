import { afterEach, beforeEach, describe } from 'vitest'
import { checkCrowd } from './contract/crowd.ts'
import { checkDue } from './contract/due.ts'
import { checkEntries } from './contract/entries.ts'
import { checkErase } from './contract/erase.ts'
import { Fixture, type Opened } from './contract/fixture.ts'
import { checkGuards } from './contract/guards.ts'
import { checkInputs } from './contract/inputs.ts'
import { checkLeases } from './contract/leases.ts'
import { checkMetadata } from './contract/metadata.ts'
import { checkOneJournal } from './contract/one-journal.ts'
import { checkThreads } from './contract/threads.ts'

export type { Opened } from './contract/fixture.ts'

export interface ContractOptions {
  /** How many writers want one thread at the same moment: 200 unless each try is costly. */
  readonly crowd?: number
  /** How many random histories are compared with the memory: 100. */
  readonly runs?: number
}

/** Everything that every store promises. Each test has the number of its promise, and a journal of its own. */
export function checkStore(
  name: string,
  open: () => Promise<Opened>,
  { crowd = 200, runs = 100 }: ContractOptions = {},
): void {
  describe(`the store ${name}`, () => {
    const fixture = new Fixture(open)
    beforeEach(() => fixture.enter())
    afterEach(() => fixture.leave())

    checkThreads(fixture)
    checkEntries(fixture)
    checkGuards(fixture)
    checkInputs(fixture)
    checkLeases(fixture)
    checkDue(fixture)
    checkErase(fixture)
    checkMetadata(fixture)
    checkCrowd(fixture, crowd, runs)
    checkOneJournal(fixture)
  })
}
