import type { Locator, Page } from 'playwright-core'

/** What a sheet shows, as far as it can be seen: every row with its role and words, every arc, every diagnostic. */
export interface Seen {
  readonly rows: readonly string[]
  readonly arcs: readonly string[]
  readonly marks: readonly string[]
}

/** The sheet, as soon as it shows what it was asked for, at the end of reading. */
export async function readySheet(page: Page): Promise<Locator> {
  const sheet = page.locator('[data-whole] .sheet-frame[data-ready]').first()
  await sheet.waitFor()
  return sheet
}

/** Waits until a document is open, all of it. */
export async function opened(page: Page, { source, item }: { source: unknown; item: unknown }): Promise<void> {
  await page.locator(`[data-document="${source}/${item}"][data-whole]`).waitFor()
}

export async function seen(page: Page): Promise<Seen> {
  await readySheet(page)
  return page.evaluate(() => {
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
      marks: all('.mark-card').map(card => card.querySelector('.mark-head')?.textContent ?? ''),
    }
  })
}

/** Goes to a place by what stands behind the # of the address. */
export async function goTo(page: Page, fields: Record<string, string | number>): Promise<void> {
  const hash = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  await page.evaluate(hash => {
    location.hash = hash
  }, hash)
}

/** Whether a row has an error in it. */
export const isMarked = (row: string): boolean => /^\d+ \S+ error /.test(row)

/** The arcs that a healthy sheet does not have. */
export const isFaulty = (arc: string): boolean => /^(misplaced|duplicate|orphan|open) /.test(arc)
