import { globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { siteOfFile } from './built-site.ts'
import { readySheet, seen } from './message-list.ts'

const site = siteOfFile()
const { visit } = browserOfFile()

test('[SI3] every link of the built site leads to a file of it, and to a heading that the file has', () => {
  const htmls = new Map(
    globSync('**/*.html', { cwd: site.folder })
      .filter(file => file !== 'playground.html')
      .map(file => [file, readFileSync(join(site.folder, file), 'utf8')]),
  )
  expect(htmls.size).toBeGreaterThan(500)
  const anchors = new Map([...htmls].map(([file, html]) => [file, new Set(idsOf(html))]))
  const dead: string[] = []
  for (const [file, html] of htmls)
    for (const link of linksOf(html)) {
      const [path, hash = ''] = link.split('#')
      const target = path === '' ? file : posix.join(path.startsWith('/') ? '' : posix.dirname(file), path)
      const found = [target, `${target}.html`, posix.join(target, 'index.html')].find(isFile)
      const heading = decodeURIComponent(hash)
      if (found === undefined || (heading !== '' && anchors.has(found) && !anchors.get(found)?.has(heading)))
        dead.push(`${file}: ${link}`)
    }
  expect([...new Set(dead)]).toEqual([])
})

const known = new Map<string, boolean>()
function isFile(path: string): boolean {
  const isThere = known.get(path) ?? statSync(join(site.folder, path), { throwIfNoEntry: false })?.isFile() ?? false
  known.set(path, isThere)
  return isThere
}

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '')

/** Links and sources that do not name another host. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]+)"/g)]
    .map(([, link]) => (link ?? '').replaceAll('&amp;', '&'))
    .filter(link => !/^(\w+:|\/\/)/.test(link))

test('[SI4] an error text is found by search, without a request to any other host', async () => {
  const page = await visit(site.url)
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page
    .getByRole('searchbox')
    .fill('messages.14: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A')
  const results = page.locator('#localsearch-list .result')
  await results.filter({ hasText: 'tool_use ids were found without tool_result blocks' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'tool_use ids were found without tool_result blocks' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/rejections/an-missing-result.html')
  await page.getByText('calls and results do not pair').waitFor()
  expect(site.unanswered).toEqual([])
})

const looked = ['', '400.html', 'rules/unanswered-call.html', 'ai-sdk.html']

test.each(['light', 'dark'] as const)('[SI5] axe finds nothing on four pages, %s', async colorScheme => {
  const found: string[] = []
  for (const path of looked) {
    const page = await visit(`${site.url}${path}`, { colorScheme })
    await page.locator('#VPContent').waitFor()
    found.push(...(await violations(page)).map(line => `${path}: ${line}`))
  }
  expect(found).toEqual([])
})

test('[SI5] no page is wider than a telephone', async () => {
  for (const path of looked) {
    const page = await visit(`${site.url}${path}`, { viewport: { width: 390, height: 844 } })
    await page.locator('#VPContent').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
  }
})

const broken = [
  { role: 'user', content: 'Refund order 1042. The key is sk-proj-AAAAAAAAAAAAAAAAAAAA.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'refund', arguments: '{"order":1042}' } }],
  },
  { role: 'user', content: 'Is it done?' },
]

test('[SI11] the playground: paste, see the diagnosis, copy the repaired JSON and a link, and open the link', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1800, height: 900 } }
  const page = await visit(site.url, options)
  await page.getByRole('banner').getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('textbox', { name: 'History as text' }).fill(JSON.stringify(broken))
  await readySheet(page)
  expect((await seen(page)).diagnostics[0]).toContain('unanswered-call')
  const { arcs } = await seen(page)
  const copy = async (what: string): Promise<string> => {
    await page.getByRole('button', { name: 'Copy or share' }).click()
    await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click()
    await page.locator('.share-status', { hasText: 'copied.' }).waitFor()
    await page.keyboard.press('Escape')
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const healed = JSON.parse(await copy('repaired JSON'))
  expect(healed).toHaveLength(4)
  expect(healed[2]).toMatchObject({ role: 'tool', tool_call_id: 'call_a' })
  const other = await visit(await copy('link'), options)
  await readySheet(other)
  expect((await seen(other)).arcs).toEqual(arcs)
  const editor = other.getByRole('textbox', { name: 'History as text' })
  await expect.poll(() => editor.inputValue(), { timeout: patienceMs }).not.toBe('')
  const shared = await editor.inputValue()
  expect(shared).toContain('call_a')
  for (const secret of ['sk-proj', '1042', 'Is it done?']) expect(shared).not.toContain(secret)
  await other.getByRole('link', { name: 'Docs' }).click()
  await other.getByRole('heading', { name: 'Every call gets its response.' }).waitFor()
})

test.each(['light', 'dark'] as const)('[SI11] axe finds nothing in the playground, %s', async colorScheme => {
  const page = await visit(`${site.url}playground.html`, { colorScheme })
  await page.getByRole('textbox', { name: 'History as text' }).waitFor()
  expect(await violations(page)).toEqual([])
})
