import { expect, test } from 'vitest'
import { sampleOf } from '../../../sample.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { isFaulty, isMarked, opened, seen, seenAt } from './message-list.ts'
import { sampleStores } from './sample-stores.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

test('[VB4] every sample store opens with its state and is drawn, broken ones with diagnostics until the repair', {
  timeout: 900_000,
}, async () => {
  const stores = sampleStores(testFolder())
  expect(stores.length).toBeGreaterThan(50)
  const drawn = new Set(sampleOf(stores, Math.ceil(stores.length / 4)))
  const viewer = await testViewer(stores.map(({ path }) => path))
  const page = await visit(viewer.url, { viewport: { width: 1100, height: 900 } })
  for (const [index, store] of stores.entries()) {
    const items = page.locator(`.item[data-item^="${index + 1}/"]`)
    await expect.poll(() => items.count(), { message: store.name, timeout: patienceMs }).toBeGreaterThan(0)
    await expect
      .poll(async () => worst(await items.evaluateAll(all => all.map(item => item.dataset.state ?? ''))), {
        message: store.name,
        timeout: patienceMs,
      })
      .toBe(store.state)
    if (!drawn.has(store)) continue
    for (const item of await items.all()) {
      const place = { source: index + 1, item: (await item.getAttribute('data-item'))?.split('/')[1] ?? '' }
      const state = await item.getAttribute('data-state')
      await item.click()
      await opened(page, place)
      const before = await seen(page)
      expect(before.rows.length, store.name).toBeGreaterThan(0)
      expect(before.rows.some(isMarked), store.name).toBe(state === 'broken')
      if (state !== 'broken') continue
      const after = await seenAt(page, { ...place, mode: 'after' })
      expect(after.rows.filter(isMarked), store.name).toEqual([])
      expect(after.arcs.filter(isFaulty), store.name).toEqual([])
    }
  }
  await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('langgraph broken')
  await expect.poll(() => page.locator('.item').count(), { timeout: patienceMs }).toBe(2)
  await page.locator('.catalogue-states button', { hasText: 'broken' }).click()
  await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('')
  const states = await page.locator('.item').evaluateAll(items => items.map(item => item.dataset.state))
  expect(new Set(states)).toEqual(new Set(['broken']))
})

/** A folder is as ill as the worst of what it holds. */
const worst = (states: readonly string[]): string =>
  ['unknown', 'unreadable', 'busy', 'broken', 'pending'].find(state => states.includes(state)) ?? 'healthy'
