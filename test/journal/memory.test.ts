import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { FakeClock } from './contract/fake-clock.ts'
import { checkBroker } from './contract.ts'

checkBroker('memory', async () => {
  const clock = new FakeClock()
  const store = new MemoryStore({ now: clock.now })
  return { clock, open: async () => store, close: () => store.close() }
})
