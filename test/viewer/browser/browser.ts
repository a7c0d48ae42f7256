import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { chromiumPath } from './chromium.ts'

export interface Visit extends BrowserContextOptions {
  /** What is to be done before the page is there. */
  prepare?(page: Page): Promise<unknown>
  /** Takes what goes wrong, if something is to. */
  readonly troubles?: string[]
}

/** One browser for a file of tests, a fresh context for each visit. After each test nothing may have gone wrong in any of them. */
export function browserOfFile(): { visit(url: string, options?: Visit): Promise<Page> } {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const common: string[] = []

  beforeAll(async () => {
    const found = await chromiumPath()
    if (!found) throw new Error('there is no Chromium')
    browser = await chromium.launch({
      executablePath: found.executablePath,
      args: [...found.args],
      env: { ...process.env, ...found.env } as Record<string, string>,
    })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
    expect(common.splice(0)).toEqual([])
  })
  afterAll(() => browser?.close())

  return {
    async visit(url, { prepare, troubles = common, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      })
      contexts.push(context)
      context.setDefaultTimeout(patienceMs)
      watch(context, url, troubles)
      const page = await context.newPage()
      await prepare?.(page)
      await page.goto(url)
      return page
    },
  }
}

/** A machine that does much else may take its time. */
export const patienceMs = 60_000

/** Errors, breaches of the page's own policy, and whatever it asks of anybody but the one it came from. */
function watch(context: BrowserContext, url: string, troubles: string[]): void {
  const { protocol, origin } = new URL(url)
  const isOwn = (asked: string): boolean =>
    asked.startsWith('blob:') ||
    asked.startsWith('data:') ||
    (protocol === 'file:' ? asked === url : asked.startsWith(`${origin}/`))
  context.on('request', request => {
    if (!isOwn(request.url())) troubles.push(`it asked for ${request.url()}`)
  })
  context.on('weberror', error => troubles.push(`error: ${error.error().message}`))
  context.on('console', message => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`)
  })
  context.on('dialog', dialog => {
    troubles.push(`dialogue: ${dialog.message()}`)
    void dialog.dismiss()
  })
}
