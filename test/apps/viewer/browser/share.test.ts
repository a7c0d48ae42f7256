import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { heal } from '../../../../src/index.ts'
import { root } from '../../../repository.ts'
import { violations } from './axe.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { readySheet, seen } from './message-list.ts'
import { testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

const key = 'sk-ant-REDACTED'
const request = {
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  metadata: { api_key: key },
  messages: [
    { role: 'user', content: `Refund order 1042 of Ada. The key is ${key}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'refund', input: { order: 1042 } }] },
    { role: 'user', content: 'Is it done?' },
  ],
}

/** The page on a static host. */
async function host(): Promise<string> {
  const html = readFileSync(join(root, 'dist/page.html'))
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`
}

/** Wide enough for diagnostics next to the messages, next to the editor. */
const wide = { viewport: { width: 1800, height: 900 } }
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'], ...wide }
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
const editor = (page: Page) => page.getByRole('textbox', { name: 'History as text' })

/** The text in the editor, once it has some. */
async function textIn(page: Page): Promise<string> {
  await expect.poll(() => editor(page).inputValue(), { timeout: patienceMs }).not.toBe('')
  return editor(page).inputValue()
}

async function openEditor(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await editor(page).fill(text)
  await readySheet(page)
}

async function copy(page: Page, what: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy or share' }).click()
  await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click()
  await page.locator('.share-status', { hasText: 'copied.' }).waitFor()
  await page.keyboard.press('Escape')
  return copied(page)
}

test('[SI6] what is typed into the editor is drawn; what cannot be read is reported, and the last drawing stays', async () => {
  const page = await visit(await host(), wide)
  await openEditor(page, JSON.stringify(request))
  expect((await seen(page)).diagnostics[0]).toContain('unanswered-call')
  const text = JSON.stringify(request.messages, null, 2)
  await editor(page).fill(text.slice(0, -3))
  await page.locator('.editor-problem', { hasText: 'Edited history, line' }).waitFor()
  expect((await seen(page)).rows).toHaveLength(3)
  await editor(page).fill(text.replace('Is it done?', 'Did it work?'))
  await page.locator('.words', { hasText: 'Did it work?' }).waitFor()
  expect(await textIn(page)).toContain('Did it work?')
  // It is still one document, and the editor follows when another is opened.
  expect(await page.locator('.item').count()).toBe(1)
  await page.locator('.wordmark').click()
  await page.locator('.examples button').first().click()
  await expect.poll(() => editor(page).inputValue(), { timeout: patienceMs }).not.toContain('Did it work?')
})

test('[SI6] a model that is named is the one that rules ask for', async () => {
  const page = await visit(await host(), wide)
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'refunded' }
  const messages = [
    ...request.messages.slice(0, 2),
    { role: 'user', content: [result] },
    { role: 'assistant', content: 'It' },
  ]
  await openEditor(page, JSON.stringify(messages))
  const before = (await seen(page)).diagnostics
  await page.getByRole('textbox', { name: 'Model' }).fill('claude-opus-4-8')
  await page.getByRole('textbox', { name: 'Model' }).press('Enter')
  await expect.poll(async () => (await seen(page)).diagnostics, { timeout: patienceMs }).not.toEqual(before)
  expect(new URL(page.url()).hash).toContain('model=claude-opus-4-8')
})

test('[SI7] the repaired JSON, the report and the command are copied', async () => {
  const page = await visit(await host(), clipboard)
  await openEditor(page, JSON.stringify(request.messages))
  expect(JSON.parse(await copy(page, 'repaired JSON'))).toEqual(heal(request.messages, { for: 'anthropic' }))
  expect(await copy(page, 'report')).toMatch(
    /error\[unanswered-call\]: .*\n {2}--> .*\n {2}= rejected as: .*\n {2}= fix \(synthetic\)/,
  )
  expect(await copy(page, 'command')).toBe('antiphon heal chat.json --for anthropic > healed.json')
})

test('[SI8] a link opens the same view elsewhere, and by default contains none of the text', async () => {
  const page = await visit(await host(), clipboard)
  await openEditor(page, JSON.stringify(request))
  const [report, { arcs }] = [await copy(page, 'report'), await seen(page)]
  await page.getByRole('button', { name: 'After', exact: true }).click()
  await page.locator('.message-frame[data-ready]:not([data-step="0"])').waitFor()
  const link = await copy(page, 'link')
  expect(link).toContain('mode=after')
  const other = await visit(link, clipboard)
  await other.locator('.message-frame[data-ready]:not([data-step="0"])').waitFor()
  await other.getByRole('button', { name: 'Before', exact: true }).click()
  await other.locator('.message-frame[data-ready][data-step="0"]').waitFor()
  expect((await seen(other)).arcs).toEqual(arcs)
  expect(report).toContain('unanswered-call')
  expect(await copy(other, 'report')).toBe(report)
  await other.getByRole('button', { name: 'Edit', exact: true }).click()
  const shared = await textIn(other)
  expect(shared).toContain('toolu_1')
  for (const secret of [key, 'sk-ant', 'Ada', '1042', 'Is it done?', 'api_key']) expect(shared).not.toContain(secret)
  await other.reload()
  await readySheet(other)
})

test('[SI8] a link with its text has no keys', async () => {
  const page = await visit(await host(), clipboard)
  await openEditor(page, JSON.stringify(request))
  await page.getByRole('button', { name: 'Copy or share' }).click()
  await page.getByRole('checkbox', { name: 'Replace all text' }).uncheck()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.locator('.share-status', { hasText: 'Link copied.' }).waitFor()
  const other = await visit(await copied(page))
  await readySheet(other)
  await other.getByRole('button', { name: 'Edit', exact: true }).click()
  const shared = await textIn(other)
  expect(shared).toContain('Refund order 1042 of Ada. The key is [key]')
  expect(shared).not.toContain('sk-ant')
})

test('[SI9] a link that is cut off, was changed, or unpacks to too much is one line', async () => {
  const url = await host()
  for (const item of ['', 'abc', '%%%', 'x'.repeat(5_000)]) {
    const page = await visit(`${url}#source=shared&item=${encodeURIComponent(item)}`)
    await page.getByRole('alert').getByText('the link is cut off or was changed').waitFor()
  }
  const page = await visit(url)
  const bomb = await page.evaluate(async () => {
    const pieces = Array.from({ length: 40 }, () => ' '.repeat(2 ** 20))
    const packed = new Blob(pieces).stream().pipeThrough(new CompressionStream('deflate-raw'))
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
    return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
  })
  await page.evaluate(
    hash => {
      location.hash = hash
    },
    `source=shared&item=${bomb.replace(/=+$/, '')}`,
  )
  await page
    .getByRole('alert')
    .getByText('the history in the link is larger than this page opens: ask for the file instead')
    .waitFor()
})

test('[SI9] what is too long for a link is reported, and a page with a secret in its URL makes none', async () => {
  const page = await visit(await host(), clipboard)
  const long = Array.from({ length: 4_000 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${Math.sin(at)} ${Math.cos(at)}`,
  }))
  await openEditor(page, JSON.stringify(long))
  await page.getByRole('button', { name: 'Copy or share' }).click()
  await page.getByRole('checkbox', { name: 'Replace all text' }).uncheck()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.locator('.share-status', { hasText: 'too long for a link' }).waitFor()
  const { url } = await testViewer([join(root, 'examples/interrupted.json')])
  const served = await visit(url)
  await readySheet(served)
  await served.getByRole('button', { name: 'Copy or share' }).click()
  await served.getByText('Others cannot open this page').waitFor()
  expect(await served.getByRole('button', { name: 'Copy link' }).count()).toBe(0)
})

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
] as const)(
  '[SI10] axe finds nothing in the editor and in what is shared, %s, %i pixels wide',
  async (colorScheme, width) => {
    const page = await visit(await host(), { colorScheme, viewport: { width, height: 800 } })
    await openEditor(page, JSON.stringify(request))
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
    await page.getByRole('button', { name: 'Copy or share' }).click()
    expect(await violations(page)).toEqual([])
  },
)
