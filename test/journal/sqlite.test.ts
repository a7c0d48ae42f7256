import { FakeClock } from './contract/fake-clock.ts'
import { checkJournal } from './contract.ts'
import { Folder } from './stores/sqlite-folder.ts'

const folder = new Folder()

checkJournal('sqlite', async () => {
  const clock = new FakeClock()
  // What is promised here does not hang on the disk, and other tests are about that.
  const open = () => folder.open({ now: clock.now, durability: 'process' })
  return { clock, open, close: () => folder.clear() }
})
