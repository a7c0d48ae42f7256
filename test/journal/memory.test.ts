import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { FakeClock } from './contract/fake-clock.ts'
import { checkJournal } from './contract.ts'

checkJournal('memory', async () => {
  const clock = new FakeClock()
  const store = new MemoryStore({ now: clock.now })
  return { clock, open: async () => store, close: () => store.close() }
})
