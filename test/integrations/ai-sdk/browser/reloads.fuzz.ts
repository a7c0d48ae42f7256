import { expect, test } from 'vitest'
import { browserOfFile } from '../../../apps/viewer/browser/browser.ts'
import { reloadAtRandom } from './reloads.ts'

const { visit } = browserOfFile()

test('tabs that are loaded from the other server at 50 random characters show the whole answer, each word once', async () => {
  const done = await reloadAtRandom(visit, { cuts: 50, seed: 2 })
  console.log(done)
  expect(done.reloads).toBe(100)
  expect(done.inWords).toBeGreaterThan(50)
})
