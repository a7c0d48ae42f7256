import { MemoryStore } from '../../../src/journal/stores/memory.ts'
import { checkStore } from './contract.ts'

checkStore('memory', async () => {
  let now = Date.now()
  const store = new MemoryStore({ now: () => now })
  const advance = (ms: number) => {
    now += ms
  }
  return { store, advance, close: () => store.close() }
})
