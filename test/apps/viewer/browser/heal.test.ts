import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeExport } from '../../../../src/apps/viewer/index.ts'
import { violations } from './axe.ts'
import { browserOfFile } from './browser.ts'
import { opened } from './message-list.ts'
import { sampleStores } from './sample-stores.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()
const state = mkdtempSync(join(tmpdir(), 'antiphon-viewer-state-'))

beforeAll(() => void vi.stubEnv('XDG_STATE_HOME', state))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(state, { recursive: true, force: true })
})

test('[VB40] what is broken is listed first, then the newest, and the command that heals it can be copied', async () => {
  const stores = sampleStores(testFolder()).filter(({ name }) => /^claude-code\/(broken|healthy)$/.test(name))
  const folder = stores.map(({ path }) => path)
  const viewer = await testViewer(folder.map(path => join(path, 'projects')))
  const page = await visit(viewer.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('.store-panel').waitFor()
  const first = page.locator('.catalogue-group').first().locator('.item')
  await expect.poll(() => first.evaluateAll(items => items.map(item => item.dataset.state))).not.toContain('unknown')
  const states = await first.evaluateAll(items => items.map(item => item.dataset.state))
  expect(states).toEqual([...states].sort((one, other) => Number(other === 'broken') - Number(one === 'broken')))
  const command = await page.locator('.store-command').innerText()
  expect(command).toMatch(/^antiphon doctor --fix \S+\.jsonl --session \S+$/)
  expect(await page.locator('.document-path').innerText()).toContain(command.split(' ').at(3))
  await page.getByRole('button', { name: 'Copy command' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command)
  expect(await violations(page)).toEqual([])
})

test('[VB41] a repair is shown before it is made, and can be undone; an exported file has the command alone', async () => {
  const [store] = sampleStores(testFolder()).filter(({ name }) => name === 'codex/broken')
  const file = fileIn(store?.path ?? '')
  const before = readFileSync(file, 'utf8')
  const viewer = await testViewer([file])
  const page = await visit(viewer.url)
  await opened(page, { source: 1, item: 1 })
  await page.getByRole('button', { name: 'Heal …' }).click()
  await page.locator('.message-frame[data-ready]:not([data-step="0"])').waitFor()
  expect(readFileSync(file, 'utf8')).toBe(before)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.message-frame[data-ready][data-step="0"]').waitFor()
  expect(readFileSync(file, 'utf8')).toBe(before)

  await page.getByRole('button', { name: 'Heal …' }).click()
  await page.getByRole('button', { name: 'Heal now' }).click()
  await page.getByText('No errors or warnings.').waitFor()
  expect(readFileSync(file, 'utf8')).not.toBe(before)
  await expect.poll(() => page.locator('.item').first().getAttribute('data-state')).toBe('healthy')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo the repair' }).click()
  await page.getByRole('button', { name: 'Heal …' }).waitFor()
  expect(readFileSync(file, 'utf8')).toBe(before)

  const target = join(testFolder(), 'session.html')
  await writeExport({ paths: [file], file: target })
  const exported = await visit(`file://${target}`)
  await exported.locator('.store-command').waitFor()
  expect(await exported.getByRole('button', { name: 'Heal …' }).count()).toBe(0)
})

test('[VB42] on a narrow screen the first error is explained at once', async () => {
  const [store] = sampleStores(testFolder()).filter(({ name }) => name === 'codex/broken')
  const viewer = await testViewer([fileIn(store?.path ?? '')])
  const page = await visit(viewer.url, { viewport: { width: 390, height: 844 } })
  await page.getByRole('region', { name: 'Diagnostic' }).waitFor()
  expect(await page.locator('.dock .diagnostic-message').innerText()).not.toBe('')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('[VB43] a provider that accepts a conversation has no mark of an error', async () => {
  const folder = testFolder()
  const file = join(folder, 'chat.json')
  const orphan = { role: 'tool', tool_call_id: 'call_9', content: 'lost' }
  writeFileSync(file, JSON.stringify([{ role: 'user', content: 'hi' }, orphan, { role: 'user', content: 'well?' }]))
  const page = await visit((await testViewer([file])).url)
  await opened(page, { source: 1, item: 1 })
  await page.locator('.verdict').click()
  const rows = page.locator('.matrix tbody tr')
  await expect.poll(() => page.locator('.matrix-status').innerText()).toMatch(/reject this conversation/)
  const kinds = await rows.evaluateAll(all =>
    all.map(row => [row.querySelector('.accepted') !== null, row.querySelector('td.error, .sign.error') !== null]),
  )
  expect(kinds).toContainEqual([true, false])
  expect(kinds).toContainEqual([false, true])
  expect(kinds).not.toContainEqual([true, true])
})

test('[VB44] without a path the start page does not wait for anything', async () => {
  const viewer = await testViewer([])
  const page = await visit(viewer.url, { prepare: page => page.addInitScript(withoutLongTimers) })
  await page.locator('.start h1').waitFor()
})

/** Runs in the page: what waits for half a second or longer never happens. */
function withoutLongTimers(): void {
  const { setTimeout } = window
  const late = (work: TimerHandler, ms = 0): number => (ms >= 500 ? 0 : setTimeout(work, ms))
  Object.assign(window, { setTimeout: late })
}

/** The one file of a store with one session. */
function fileIn(folder: string): string {
  const [file, ...others] = globSync('**/*.jsonl', { cwd: folder })
  if (file === undefined || others.length > 0) throw new Error(`${folder} has not exactly one session`)
  return join(folder, file)
}
