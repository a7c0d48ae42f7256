import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import type { Examples } from '../../src/core/rules/example.ts'
import { chromiumPath } from '../../test/apps/viewer/browser/chromium.ts'
import { bundle, codecs, pure } from './bundles.ts'
import { type Checks, must } from './checks.ts'
import { serve } from './serve.ts'
import { root } from './tools.ts'

/** A broken history, and the shape it is in. */
interface Broken {
  readonly format: string
  readonly messages: unknown
}

/**
 * Runs the bundles in a real browser, in a page and in a worker, on broken histories. What they say is what Node says with
 * the package as it was installed.
 */
export async function checkBrowser(checks: Checks, project: string): Promise<void> {
  const found = await chromiumPath()
  if (!found) {
    checks.unknown('bundles in a browser', 'no Chromium is here: install one, or name one in ANTIPHON_CHROMIUM')
    return
  }
  const { executablePath, args, env } = found
  const browser = await chromium.launch({
    ...{ executablePath, args: [...args] },
    env: { ...process.env, ...env } as Record<string, string>,
  })
  const histories = await readBroken()
  const site = await serve(join(import.meta.dirname, 'programs/browser'))
  try {
    for (const door of ['antiphon', ...codecs.map(codec => `antiphon/${codec}`)]) {
      const own = histories.filter(({ format }) => door === 'antiphon' || door === `antiphon/${format}`)
      site.set('/histories.json', JSON.stringify(own.map(({ messages }) => messages)))
      site.set('/bundle.js', pure(await bundle(project, `export * from '${door}'`)))
      const expected = await inNode(project, door, own)
      for (const place of ['page', 'worker'])
        await checks.add(`${door} in a browser's ${place} does what it does in Node`, async () => {
          const page = await browser.newPage()
          const told = await inBrowser(page, `${site.url}/${place}.html`)
          await page.close()
          must(told === expected, firstDifference(told, expected))
          return `${own.length} broken histories`
        })
    }
  } finally {
    await browser.close()
    await site.close()
  }
}

/** The histories that the rules find broken, and those that broke in the wild. */
async function readBroken(): Promise<Broken[]> {
  const files = globSync('src/core/rules/*/*.examples.ts', { cwd: root }).map(
    file => pathToFileURL(join(root, file)).href,
  )
  const shown = (await Promise.all(files.map(file => import(file)))) as { readonly examples: Examples }[]
  const corpus = join(root, 'test/corpus')
  const wild = (await readdir(corpus)).filter(name => name.endsWith('.json'))
  return [
    ...shown.flatMap(({ examples }) => examples.invalid.filter(({ request }) => !request)),
    ...(await Promise.all(wild.map(async name => JSON.parse(await readFile(join(corpus, name), 'utf8'))))),
  ]
}

/** What the programs of the browser say, said by Node. */
async function inNode(project: string, door: string, histories: readonly Broken[]): Promise<string> {
  const file = createRequire(join(project, 'package.json')).resolve(door)
  const { tell } = await import(pathToFileURL(join(import.meta.dirname, 'programs/browser/tell.js')).href)
  const told: string = tell(
    await import(pathToFileURL(file).href),
    histories.map(({ messages }) => messages),
  )
  must(/"changed":true/.test(told), 'nothing of it is broken')
  return told
}

/** What the page says in the end. It may ask for nothing but its own files. */
async function inBrowser(page: Page, address: string): Promise<string> {
  const troubles: string[] = []
  page.on('pageerror', error => troubles.push(error.message))
  page.on('console', message => message.text().startsWith('AntiphonWarning: ') || troubles.push(message.text()))
  await page.goto(address)
  const said = page.locator('pre')
  await said.waitFor({ state: 'attached' }).catch(error => troubles.push(String(error)))
  must(troubles.length === 0, troubles[0])
  return (await said.textContent()) ?? ''
}

function firstDifference(told: string, expected: string): string {
  const at = [...expected].findIndex((letter, index) => told[index] !== letter)
  return `it says ${told.slice(at, at + 80)} where Node says ${expected.slice(at, at + 80)}`
}
