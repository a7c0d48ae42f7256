import { checkStore } from './contract.ts'
import { Folder } from './sqlite-folder.ts'

const folder = new Folder()

checkStore('sqlite', async () => {
  let now = Date.now()
  // What is promised here does not hang on the disk, and other tests are about that.
  const reopen = () => folder.open({ now: () => now, durability: 'process' })
  const advance = (ms: number) => {
    now += ms
  }
  return { store: await reopen(), reopen, advance, close: () => folder.clear() }
})
