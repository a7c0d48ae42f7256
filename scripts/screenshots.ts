import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { chromiumPath, noChromium } from '../test/apps/viewer/browser/chromium.ts'

/** Draws the failure of the demo that the README shows, the first page of the site and the playground, light and dark, into docs/images. */
const root = join(import.meta.dirname, '..')
const images = join(root, 'docs/images')
const page = pathToFileURL(join(root, 'dist/page.html')).href
const bytesMax = 150 * 1024

const found = await chromiumPath()
if (!found) {
  process.stderr.write(`${noChromium}\n`)
  process.exit(2)
}
mkdirSync(images, { recursive: true })
const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: [...found.args],
  env: { ...process.env, ...found.env } as Record<string, string>,
})
/** With an example in it. */
const interrupt = '#source=examples&item=3'
const playground = `playground.html${interrupt}`
const isSiteAlone = process.argv.includes('--site')
for (const colorScheme of ['light', 'dark'] as const) {
  await shootSite('index.html', colorScheme, 1360, `site-${colorScheme}`)
  await shootSite(playground, colorScheme, 1360, `playground-${colorScheme}`)
  if (colorScheme === 'light') await shootSite(playground, colorScheme, 390, 'playground-390')
  if (isSiteAlone) continue
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1360, height: 690 },
    deviceScaleFactor: 1.15,
    reducedMotion: 'reduce',
    locale: 'en',
    offline: true,
  })
  const tab = await context.newPage()
  await tab.goto(`${page}${interrupt}&mode=before`)
  await untilDrawn(tab)
  await keep(tab, `interrupt-before-${colorScheme}`, 'main')
  await context.close()
}
await browser.close()

async function untilDrawn(tab: Page): Promise<void> {
  await tab.locator('.message-frame[data-ready]').waitFor()
  await tab.locator('.verdict:not(:has-text("so far"))').waitFor()
}

async function shootSite(page: string, colorScheme: 'light' | 'dark', width: number, name: string): Promise<void> {
  const context = await browser.newContext({
    ...{ colorScheme, viewport: { width, height: width < 800 ? 844 : 690 }, reducedMotion: 'reduce', locale: 'en' },
  })
  // The site is served from its folder, and nothing else is served.
  await context.route('**/*', route => {
    const { hostname, pathname } = new URL(route.request().url())
    const path = join(root, 'site/dist', pathname)
    return hostname === 'site.test' && existsSync(path) ? route.fulfill({ path }) : route.abort()
  })
  const tab = await context.newPage()
  await tab.goto(`http://site.test/${page}`)
  if (page === playground) await untilDrawn(tab)
  await keep(tab, name, 'body')
  await context.close()
}

async function keep(tab: Page, name: string, selector: string): Promise<void> {
  const path = join(images, `${name}.png`)
  const shown = { path, animations: 'disabled', caret: 'hide' } as const
  if (selector === 'body') await tab.screenshot(shown)
  else await tab.locator(selector).screenshot(shown)
  await tab.close()
  const { size } = statSync(path)
  process.stdout.write(`${path.slice(root.length + 1)} ${Math.round(size / 1024)} KB\n`)
  if (size > bytesMax) process.exitCode = 1
}
