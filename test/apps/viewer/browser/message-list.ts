import type { Locator, Page } from 'playwright-core'
import { patienceMs } from './browser.ts'

/** The visible part of a message list: every row with its role and text, every arc, every diagnostic. */
export interface Seen {
  readonly rows: readonly string[]
  readonly arcs: readonly string[]
  readonly diagnostics: readonly string[]
}

/** The message list, once the document is loaded and drawn. */
export async function readySheet(page: Page): Promise<Locator> {
  const list = page.locator('[data-whole] .message-frame[data-ready]').first()
  await list.waitFor()
  return list
}

/** Waits until a document is open, all of it. */
export async function opened(page: Page, { source, item }: { source: unknown; item: unknown }): Promise<void> {
  await page.locator(`[data-document="${source}/${item}"][data-whole]`).waitFor()
}

/** What is on the page now, once it is ready. */
export const seen = (page: Page): Promise<Seen> =>
  page.evaluate(readSheet, { ready: '[data-whole] .message-frame[data-ready]', patienceMs })

/** Goes to a place and reads it: one question to the browser, where many would take as long as all the drawing. */
export function seenAt(page: Page, place: Place): Promise<Seen> {
  const { source, item, mode } = place
  const step = mode === 'after' ? ':not([data-step="0"])' : '[data-step="0"]'
  const ready = `[data-document="${source}/${item}"][data-whole] .message-frame[data-ready]${step}`
  return page.evaluate(readSheet, { ready, hash: hashOf(place), patienceMs })
}

interface Place extends Record<string, string | number> {
  readonly source: string | number
  readonly item: string | number
}

/** Runs in the page, so nothing outside of it can be used. */
async function readSheet(wanted: { ready: string; hash?: string; patienceMs: number }): Promise<Seen> {
  if (wanted.hash !== undefined) location.hash = wanted.hash
  for (const start = performance.now(); !document.querySelector(wanted.ready); ) {
    if (performance.now() - start > wanted.patienceMs) throw new Error(`there is no ${wanted.ready}`)
    await new Promise(resolve => requestAnimationFrame(resolve))
  }
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)]
  const data = (element: Element, ...names: string[]): string =>
    names.map(name => element.getAttribute(`data-${name}`) ?? '-').join(' ')
  return {
    rows: all('[data-row]')
      .sort((one, other) => Number(one.getAttribute('data-row')) - Number(other.getAttribute('data-row')))
      .map(row => `${data(row, 'row', 'role', 'severity')} ${row.querySelector('.words')?.textContent}`),
    arcs: all('svg.arcs path[data-arc]')
      .map(arc => data(arc, 'arc', 'from', 'to'))
      .sort(),
    diagnostics: all('.diagnostic-card').map(card => card.querySelector('.diagnostic-head')?.textContent ?? ''),
  }
}

/** Goes to a place by the fragment of the URL. */
export async function goTo(page: Page, fields: Record<string, string | number>): Promise<void> {
  await page.evaluate(hash => {
    location.hash = hash
  }, hashOf(fields))
}

const hashOf = (fields: Record<string, string | number>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** Whether a row has an error in it. */
export const isMarked = (row: string): boolean => /^\d+ \S+ error /.test(row)

/** The kinds of arcs that a healthy history does not have. */
export const isFaulty = (arc: string): boolean => /^(misplaced|duplicate|orphan|open) /.test(arc)
