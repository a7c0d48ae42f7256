import { expect, test } from 'vitest'
import { fuzzRuns, watchProcess } from '../fuzz/runs.ts'
import { tryStore } from './fuzz-store.ts'
import { subjects } from './subjects.ts'

test.each(subjects.map((subject, index) => [`${subject.system.id} ${index}`, subject] as const))(
  '[SE46] stores of %s with changes to their structure',
  async (name, subject) => {
    const { runs, first } = fuzzRuns(300)
    const watched = watchProcess()
    const counts = new Map<string, number>()
    const faults: string[] = []
    for (let seed = first; seed < first + runs; seed++) {
      const outcome = await tryStore(subject, seed).catch(error => ({
        states: ['thrown'],
        faults: [`seed ${seed}: ${error instanceof Error ? error.stack : error}`],
      }))
      for (const state of outcome.states) counts.set(state, (counts.get(state) ?? 0) + 1)
      faults.push(...outcome.faults)
    }
    watched.stop()
    console.log(`${name}: ${runs} stores from seed ${first}: ${JSON.stringify(Object.fromEntries(counts))}`)
    expect(`${faults.length} faults\n${[...faults, ...watched.faults].slice(0, 30).join('\n')}`).toBe('0 faults\n')
  },
)
