import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import { chromiumPath } from './chromium.ts'

export interface Visit extends BrowserContextOptions {
  /** What is to be done before the page is there. */
  prepare?(page: Page): Promise<unknown>
  /** Takes what goes wrong, if something is to. */
  readonly failures?: string[]
}

/** A fresh context for each visit of a file of tests. After each test nothing may have gone wrong in any of them. */
export function browserOfFile(): { visit(url: string, options?: Visit): Promise<Page> } {
  const contexts: BrowserContext[] = []
  const common: string[] = []

  beforeAll(browserHere)
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
    expect(common.splice(0)).toEqual([])
  })

  return {
    async visit(url, { prepare, failures = common, ...options } = {}) {
      const context = await (await browserHere()).newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      })
      contexts.push(context)
      context.setDefaultTimeout(patienceMs)
      watch(context, url, failures)
      const page = await context.newPage()
      await prepare?.(page)
      await page.goto(url)
      return page
    },
  }
}

/** One browser for all files of a process, which ends with it. */
async function browserHere(): Promise<Browser> {
  if (!(await started)?.isConnected()) started = startBrowser()
  return started as Promise<Browser>
}

let started: Promise<Browser> | undefined

async function startBrowser(): Promise<Browser> {
  const found = await chromiumPath()
  if (!found) throw new Error('there is no Chromium')
  return chromium.launch({
    executablePath: found.executablePath,
    args: [...found.args],
    env: { ...process.env, ...found.env } as Record<string, string>,
  })
}

/** A machine that does much else may take its time. */
export const patienceMs = 180_000

/** Errors, breaches of the page's own policy, and whatever it asks of anybody but the one it came from. */
function watch(context: BrowserContext, url: string, failures: string[]): void {
  const { protocol, origin } = new URL(url)
  const isOwn = (asked: string): boolean =>
    asked.startsWith('blob:') ||
    asked.startsWith('data:') ||
    (protocol === 'file:' ? asked === url : asked.startsWith(`${origin}/`))
  context.on('request', request => {
    if (!isOwn(request.url())) failures.push(`it asked for ${request.url()}`)
  })
  context.on('weberror', error => failures.push(`error: ${error.error().message}`))
  context.on('console', message => {
    if (['error', 'warning'].includes(message.type())) failures.push(`console: ${message.text()}`)
  })
  context.on('dialog', dialog => {
    failures.push(`dialogue: ${dialog.message()}`)
    void dialog.dismiss()
  })
}
