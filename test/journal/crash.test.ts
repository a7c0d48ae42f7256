import { describe, expect, test } from 'vitest'
import { sealKeysOf } from '../../src/journal/seal/seal-keys.ts'
import { SealedStore } from '../../src/journal/seal/sealed-store.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { isChosen, sampleOf } from '../sample.ts'
import type { CrashPoint } from './sim/crash-point.ts'
import { type EnvironmentPlan, perform } from './sim/environment.ts'
import { type Scenario, scenarios } from './sim/scenarios.ts'
import { Folder } from './stores/sqlite-folder.ts'

const named = (...names: string[]): Scenario[] => scenarios.filter(({ name }) => names.includes(name))

describe('a process crashes before or after any of its writes, and the next one continues', () => {
  const ways = [{}, { toolsGoOn: true }, { byWorker: true }, { losesStore: true }]

  test.for(scenarios)('[B200] $name', async scenario => {
    // Each scenario is continued in another way.
    for (const way of sampleOf(ways, 1, scenario.name)) {
      const crashes = await eachCrash(
        crash => !isChosen(crash.change, 2) || check(scenario, { ...way, crashes: [crash], openStore: oneMemory() }),
      )
      expect(crashes).toBeGreaterThan(5)
    }
  })
})

describe('the process that continues crashes too', () => {
  test.for(named('parallel calls', 'an approval and a denial', 'an agent'))('[B201] $name', async scenario => {
    await eachCrash(
      async first => {
        if (!isChosen(first.change, 4)) return true
        const crashes = await eachCrash(
          second => check(scenario, { crashes: [first, second], openStore: oneMemory() }),
          ['after'],
        )
        return crashes > 0
      },
      ['after'],
    )
  })
})

describe('the journal is in a file that the next process opens anew', () => {
  const folder = new Folder()

  test.for(
    named(
      'parallel calls',
      'an approval and a denial',
      'a rejection that teaches',
      'a worker',
      'an erasure',
      'an agent',
    ),
  )('[B202] $name', async scenario => {
    let files = 0
    await eachCrash(crash => {
      if (!isChosen(crash.change, 4)) return true
      const name = `${++files}.db`
      const openStore = (now: () => number) => folder.open({ now, durability: 'process' }, name)
      return check(scenario, { crashes: [crash], openStore })
    })
  })
})

describe('the journal is sealed, and each process unwraps the key anew', () => {
  const keys = sealKeysOf(new Uint8Array(32))

  test.for(named('parallel calls', 'an edit, and another answer', 'an erasure', 'an erasure with an agent'))(
    '[SL1] $name',
    async scenario => {
      await eachCrash(crash => {
        if (!isChosen(crash.change, 4)) return true
        const openInner = oneMemory()
        const openStore = async (now: () => number) => new SealedStore(await openInner(now), keys)
        return check(scenario, { crashes: [crash], openStore })
      })
    },
  )
})

/** Every crash that there can be: change by change, until one comes that the scenario does not have. Tells how many there were. */
async function eachCrash(
  isCrash: (crash: CrashPoint) => boolean | Promise<boolean>,
  moments: readonly CrashPoint['when'][] = ['before', 'after'],
): Promise<number> {
  for (let change = 1; ; change++) for (const when of moments) if (!(await isCrash({ change, when }))) return change - 1
}

/** Whether the crashes came to be. */
async function check(scenario: Scenario, plan: EnvironmentPlan): Promise<boolean> {
  const { problems, hasCrashed, story } = await perform(scenario, plan)
  const { openStore: _, ...where } = plan
  expect(problems.length > 0 ? [JSON.stringify(where), ...problems, story].join('\n') : '').toBe('')
  return hasCrashed
}

function oneMemory(): EnvironmentPlan['openStore'] {
  let store: MemoryStore | undefined
  let threads = 0
  return now => {
    store ??= new MemoryStore({ now, uid: () => `thread${++threads}` })
    return store
  }
}
