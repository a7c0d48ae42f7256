import { expect, test } from 'vitest'
import { browserOfFile } from '../../../apps/viewer/browser/browser.ts'
import { reloadAtRandom } from './reloads.ts'

const { visit } = browserOfFile()

test('[AI81] tabs that are loaded from the other server in the middle of a word show the whole answer, each word once', async () => {
  const { reloads, texts } = await reloadAtRandom(visit, { cuts: 3, seed: 1 })
  expect(reloads).toBe(6)
  expect(texts).toBeGreaterThan(30)
})
