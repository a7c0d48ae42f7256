import { writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type * as viewer from '../../../src/apps/viewer/index.ts'
import { chromiumPath } from '../../../test/apps/viewer/browser/chromium.ts'
import { inFolder } from '../../journal/folder.ts'
import type { Choice } from '../../task.ts'
import { longHistory } from '../../viewer/long-history.ts'

export interface FirstPaintRow {
  messages: number
  /** The time to the first rows on the screen as a multiple of that of the shortest history: the best, and the one in the middle. */
  best: number
  median: number
  milliseconds: number
}

const lengths = [100, 10_000, 100_000]

/** From the beginning of the navigation until the first rows have been painted, in milliseconds. */
const watch = `
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-row]')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.painted = performance.now() }))
  })
  observer.observe(document, { childList: true, subtree: true })
`

/** Opens short and long histories in turns, each in a browser window that knows nothing of the last one. */
export async function run(_: unknown, { quick }: Choice): Promise<FirstPaintRow[]> {
  const found = await chromiumPath()
  if (!found) throw new Error('there is no Chromium')
  const { startViewer } = (await import(
    new URL('../../../src/apps/viewer/index.ts', import.meta.url).href
  )) as typeof viewer
  return inFolder(async file => {
    const paths = lengths.map(length => {
      const path = file(`${length}.json`)
      writeFileSync(path, JSON.stringify(longHistory(length)))
      return path
    })
    const servers = await Promise.all(paths.map(path => startViewer({ paths: [path] })))
    const browser = await chromium.launch({
      executablePath: found.executablePath,
      args: [...found.args],
      env: { ...process.env, ...found.env } as Record<string, string>,
    })
    const times = lengths.map((): number[] => [])
    try {
      const rounds = quick ? 3 : 11
      for (let round = 0; round <= rounds; round++) {
        for (const [index, { url }] of servers.entries()) {
          const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
          const page = await context.newPage()
          await page.addInitScript(watch)
          await page.goto(url)
          const painted = Number(await page.locator('html[data-painted]').getAttribute('data-painted'))
          await context.close()
          // The first round only warms up.
          if (round > 0) times[index].push(painted)
        }
      }
    } finally {
      await browser.close()
      await Promise.all(servers.map(server => server.close()))
    }
    return lengths.map((messages, index) => ({
      messages,
      best: Math.min(...times[index]) / Math.min(...times[0]),
      median: median(times[index]) / median(times[0]),
      milliseconds: median(times[index]),
    }))
  })
}

const median = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)]
