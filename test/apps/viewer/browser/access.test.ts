import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { failures } from '../../../../src/apps/demo-failures.ts'
import { interrupted, recording } from '../../../observe/tape/recording.ts'
import { violations } from './axe.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { liveJournal } from './live-journal.ts'
import { goTo, opened, readySheet } from './message-list.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

/** A journal with a call that waits, a broken history, a healthy one, and a tape. */
async function everything(): Promise<string> {
  const folder = testFolder()
  const live = await liveJournal(folder)
  onTestFinished(() => live.close())
  await live.journal.thread('user-42').submit('drop')
  const { tape, text } = recording()
  interrupted(tape)
  const [, , failure] = failures
  const files = {
    'broken.json': JSON.stringify(failure.history),
    'healthy.json': JSON.stringify([{ role: 'user', content: 'hello' }]),
    'agent.tape': text(),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const paths = Object.keys(files).map(name => join(folder, name))
  return (await testViewer([live.path, ...paths])).url
}

const places = {
  thread: { source: 1, item: 1 },
  broken: { source: 2, item: 1 },
  healthy: { source: 3, item: 1 },
  tape: { source: 4, item: 1 },
}

/** Presses Tab until the focus is on such an element. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(selector => document.activeElement?.matches(selector) ?? false, selector)) return
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

const focusIn = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(selector => document.activeElement?.closest(selector) !== null, selector)

test('[VB13] everything works with the keyboard alone', async () => {
  const page = await visit(await everything())
  await page.locator('.item').nth(3).waitFor()
  await opened(page, places.broken)
  // Opens another one, and comes back.
  await tabToItem(page, 'healthy.json')
  await page.keyboard.press('Enter')
  await opened(page, places.healthy)
  await tabToItem(page, 'broken.json')
  await page.keyboard.press('Enter')
  await opened(page, places.broken)
  await readySheet(page)
  // From row to row, and into one.
  await tabTo(page, '.row-head')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focusIn(page, '[data-row="1"]'), { timeout: patienceMs }).toBe(true)
  await page.keyboard.press('Enter')
  await page.locator('[data-row="1"].unfolded').waitFor()
  // Searches.
  await page.keyboard.press('/')
  await page.keyboard.type('test')
  await page.locator('.search-count', { hasText: /\d/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  // Walks through the edits.
  await page.keyboard.press('4')
  await tabTo(page, 'input[type=range]')
  await page.keyboard.press('End')
  await page.locator('.message-frame[data-ready]:not([data-step="0"])').waitFor()
  // Approves.
  await page.keyboard.press('Escape')
  await tabToItem(page, 'user-42')
  await page.keyboard.press('Enter')
  await page.locator('[data-call-state="approval"]').waitFor()
  await tabTo(page, '[data-call-state="approval"] .primary')
  await page.keyboard.press('Enter')
  await page.locator('.live-status', { hasText: 'approved' }).waitFor()
})

async function tabToItem(page: Page, title: string): Promise<void> {
  await tabTo(page, '.catalogue .item')
  await page.keyboard.press('Home')
  for (let moves = 0; moves < 10; moves++) {
    if ((await page.evaluate(() => document.activeElement?.textContent ?? '')).includes(title)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the arrows do not lead to ${title}`)
}

/** In the dark only the colours differ, so only they are looked at again. */
const schemes = [
  ['light', 1280, undefined],
  ['dark', 1280, ['color-contrast']],
  ['light', 360, undefined],
] as const

test.each(schemes)('[VB14] axe finds nothing on any view, %s, %i pixels wide', async (colorScheme, width, rules) => {
  const page = await visit(await everything(), { colorScheme, viewport: { width, height: 800 } })
  const found: string[] = []
  const look = async (view: string): Promise<void> => {
    found.push(...(await violations(page, rules)).map(line => `${view}: ${line}`))
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    if (isWide) found.push(`${view}: it is wider than the window`)
  }
  await opened(page, places.broken)
  await page.locator('.wordmark').click()
  await page.getByRole('heading', { name: 'Every call gets its response.' }).waitFor()
  await look('start')
  await page.getByRole('button', { name: 'Paste JSON' }).click()
  await look('paste')
  await page.keyboard.press('Escape')
  await goTo(page, places.broken)
  await opened(page, places.broken)
  await readySheet(page)
  await page.locator('[data-row="1"] .row-head').click()
  await look('before')
  await page.locator('button.verdict').click()
  await look('matrix')
  await page.keyboard.press('Escape')
  for (const mode of ['after', 'side', 'steps']) {
    await goTo(page, { ...places.broken, mode, step: 1 })
    await page.locator('.message-frame[data-ready]:not([data-step="0"])').first().waitFor()
    await look(mode)
  }
  await goTo(page, places.healthy)
  await page.getByText('No errors or warnings.').waitFor()
  await look('healthy')
  await goTo(page, places.thread)
  await page.locator('[data-call-state="approval"]').waitFor()
  await page.getByRole('button', { name: 'Deny the call' }).click()
  await look('thread')
  await goTo(page, places.tape)
  await page.locator('.tape-row').first().waitFor()
  await look('tape')
  expect(found).toEqual([])
})
