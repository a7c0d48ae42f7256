import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { longHistory } from '../../../../bench/viewer/long-history.ts'
import { failures } from '../../../../src/apps/demo-failures.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { hostileHistory, hostileWords } from './hostile-history.ts'
import { goTo, isFaulty, opened, readySheet, seen } from './message-list.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

/** The page on a history of its own. */
async function open(value: unknown, name = 'chat.json'): Promise<Page> {
  const path = join(testFolder(), name)
  writeFileSync(path, JSON.stringify(value))
  return visit((await testViewer([path])).url)
}

test('[VB9] the slider walks through every edit to the repaired history, and back to the original', async () => {
  const page = await visit((await testViewer([])).url)
  for (const index of failures.keys()) {
    const place = { source: 'examples', item: index + 1 }
    await goTo(page, place)
    await opened(page, place)
    const before = await seen(page)
    await page.getByRole('button', { name: 'After', exact: true }).click()
    await page.locator('.message-frame[data-ready]:not([data-step="0"])').waitFor()
    const after = await seen(page)
    expect(after.arcs.filter(isFaulty)).toEqual([])
    await page.getByRole('button', { name: 'Step by step' }).click()
    const slider = page.getByRole('slider', { name: 'Edits' })
    const edits = Number(await slider.getAttribute('max'))
    expect(edits).toBeGreaterThan(0)
    await slider.focus()
    for (let step = 1; step <= edits; step++) {
      await page.keyboard.press('ArrowRight')
      await page.locator(`.message-frame[data-ready][data-step="${step}"]`).waitFor()
      expect(await page.locator('.step-description code').textContent()).toMatch(/^[a-z-]+$/)
    }
    expect(await seen(page)).toMatchObject({ rows: after.rows, arcs: after.arcs })
    for (let step = edits - 1; step >= 0; step--) {
      await page.keyboard.press('ArrowLeft')
      await page.locator(`.message-frame[data-ready][data-step="${step}"]`).waitFor()
    }
    const back = await seen(page)
    expect(back.arcs).toEqual(before.arcs)
    expect(back.rows.map(withoutSeverity)).toEqual(before.rows.map(withoutSeverity))
  }
})

test('[VB9] from the end of a repaired history that is much longer than the original the slider goes back to it', async () => {
  const page = await open(manyFaults())
  await readySheet(page)
  await page.getByRole('button', { name: 'Step by step' }).click()
  await page.getByRole('slider', { name: 'Edits' }).focus()
  for (const [key, step] of [
    ['End', 25],
    ['Home', 0],
  ] as const) {
    await page.keyboard.press(key)
    await page.locator(`.message-frame[data-ready][data-step="${step}"]`).waitFor()
  }
  expect((await seen(page)).rows.length).toBeGreaterThan(0)
  // A reload shows the same edit.
  await page.keyboard.press('End')
  await page.locator('.row.concerned[data-touched="new"]').waitFor()
  await page.reload()
  await page.locator('.row.concerned[data-touched="new"]').waitFor()
})

/** A history whose second half lacks every result. */
const manyFaults = (): object[] => longHistory(200).filter((_, index) => index < 100 || index % 4 !== 2)

const withoutSeverity = (row: string): string => row.replace(/^(\d+ \w+) \S+/, '$1')

test('[VB10] search finds words in any case, also in folded content, and goes from match to match', async () => {
  const history = longHistory(400) as { content: string | null }[]
  history[200].content = `${'x'.repeat(3_000)} The NEEDLE is here`
  history[322].content = 'a needle again'
  const page = await open(history)
  await readySheet(page)
  await page.getByRole('searchbox', { name: 'Search' }).fill('needle')
  await page.locator('.search-count', { hasText: '2' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-row="200"]').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-row="322"] mark').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-row="200"]').waitFor()
})

test('[VB11] of 100,000 messages the first are drawn before all have arrived, and only visible rows are on the page', async () => {
  const path = join(testFolder(), 'long.json')
  writeFileSync(path, JSON.stringify(longHistory(100_000)))
  const { url } = await testViewer([path])
  const gate = Promise.withResolvers<void>()
  const hold = (page: Page): Promise<unknown> =>
    page.route(/documents\/1\/1$/, async route => {
      await gate.promise
      await route.continue()
    })
  const page = await visit(url, { prepare: hold })
  await page.locator('[data-row="0"]').waitFor()
  await page.locator('.busy:not(:empty)').waitFor()
  gate.resolve()
  await readySheet(page)
  await page.keyboard.press('End')
  await page.locator('[data-row="99999"]').waitFor()
  await page.evaluate(() => document.querySelector('.message-list')?.scrollTo({ top: 2_000_000 }))
  await expect
    .poll(() => page.locator('[data-row]').first().getAttribute('data-row'), { timeout: patienceMs })
    .not.toBe('0')
  expect(await page.locator('[data-row]').count()).toBeLessThan(200)
  expect(await page.locator('.rows [role=listitem]').first().getAttribute('aria-setsize')).toBe('100000')
})

test('[VB12] [VB24] hostile contents are text: shown, not run, and nothing is requested', async () => {
  const page = await open(
    { model: 'claude', max_tokens: 1, messages: hostileHistory },
    '<img src=x onerror=alert(1)>\u202e.json',
  )
  await readySheet(page)
  const rows = await page.locator('[data-row]').count()
  for (let row = 0; row < rows; row++) await page.locator(`[data-row="${row}"] .row-head`).click()
  const shown = page.locator('main')
  await shown.getByText(hostileWords[0], { exact: false }).first().waitFor()
  for (const words of hostileWords.slice(0, 6))
    expect(await shown.getByText(words, { exact: false }).count(), words).toBeGreaterThan(0)
  const facts = await page.evaluate(() => ({
    harmed: (window as { harmed?: number }).harmed,
    links: document.querySelectorAll('main a[href]').length,
    images: [...document.querySelectorAll('main img')].map(image => image.getAttribute('src')?.slice(0, 15)),
    scripts: document.querySelectorAll('main script, main style, main base, main iframe, main object').length,
    isWide: document.documentElement.scrollWidth > window.innerWidth,
    title: document.title,
    hidden: document.body.innerText.match(/(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu),
  }))
  expect(facts).toEqual({
    harmed: undefined,
    links: 0,
    images: ['data:image/png;'],
    scripts: 0,
    isWide: false,
    title: expect.stringContaining('<img src=x onerror=alert(1)>\\u202e.json'),
    hidden: null,
  })
  expect(
    await shown.getByText('\\u202eevil\\u202c \\u2066isolate\\u2069 \\u0000\\u0007\\u001b[31mred').count(),
  ).toBeGreaterThan(0)
})

test('[VB11] of a message with thousands of parts only some are on the page, and more on demand', async () => {
  const content = Array.from({ length: 20_000 }, (_, part) => ({ type: 'text', text: `part ${part}.` }))
  const page = await open([{ role: 'user', content }])
  await readySheet(page)
  await page.locator('[data-row="0"] .row-head').click()
  await page.getByText('part 99.', { exact: true }).waitFor()
  expect(await page.locator('.block').count()).toBe(100)
  await page.getByRole('button', { name: 'Show more (19,900 left)' }).click()
  await page.getByText('part 599.', { exact: true }).waitFor()
  expect(await page.locator('.block').count()).toBe(600)
})

test('[VB16] on paper there are all messages, not only visible ones, with their diagnostics', async () => {
  const history = longHistory(400)
  history.splice(202, 1)
  const page = await open(history)
  await readySheet(page)
  const printed = async (): Promise<number> => {
    await page.emulateMedia({ media: 'screen' })
    await page.emulateMedia({ media: 'print' })
    return page.locator('.print-row').count()
  }
  await expect.poll(printed, { timeout: patienceMs }).toBe(399)
  expect(await page.locator('.print-diagnostic').textContent()).toContain('unanswered-call')
  expect(await page.locator('.print-row').last().isVisible()).toBe(true)
  expect(await page.locator('.catalogue, .message-frame, button:visible').first().isVisible()).toBe(false)
})

test('[VB20] a conversation opens at its first error with its repair, or at the place in the URL', async () => {
  const page = await open(manyFaults())
  await page.locator('.diagnostic-card.open', { hasText: 'answer it with a placeholder' }).waitFor()
  const row = page.locator('[data-row="101"]')
  expect(await row.getByRole('button', { name: 'error: unanswered-call' }).count(), 'said aloud too').toBe(1)
  expect(await row.evaluate(row => row.getBoundingClientRect().top)).toBeLessThan(800)
  await goTo(page, { source: 1, item: 1, row: 3 })
  await page.reload()
  await readySheet(page)
  await page.locator('[data-row="2"]').waitFor()
  expect(await page.locator('.diagnostic-card.open').count()).toBe(0)
})

test('[VB21] that other providers would reject it is shown as an error only if the chosen provider rejects it', async () => {
  const page = await open(longHistory(4))
  await page.locator('.verdict.elsewhere', { hasText: /^\d+ of \d+ providers would reject it$/ }).waitFor()
  await page.getByRole('combobox', { name: 'Provider' }).selectOption('mistral')
  await page.locator('.verdict.rejected', { hasText: /^rejected by \d+ of \d+ providers$/ }).waitFor()
})

test('[VB14] at 320 pixels both lists and every verdict are visible', async () => {
  const page = await open(manyFaults())
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: 'Side by side' }).click()
  await page.locator('.side').nth(1).locator('.message-frame[data-ready]').waitFor()
  const lists = await page
    .locator('.side .message-list')
    .evaluateAll(all => all.map(list => list.getBoundingClientRect()))
  const [before, after] = lists.map(({ top, bottom }) => ({ top, bottom }))
  expect(before.bottom).toBeLessThanOrEqual(after.top)
  expect(after.bottom - before.top).toBeLessThan(640)
  await page.locator('.verdict.rejected').click()
  const verdict = page.getByRole('cell', { name: 'rejects' }).first()
  expect(await verdict.evaluate(cell => cell.getBoundingClientRect().right)).toBeLessThan(320)
})

test('[VB22] very long names do not overflow, and in forced colours the selection is visible', async () => {
  const id = 'a'.repeat(300)
  const call = { id, type: 'function', function: { name: 'look_up', arguments: '{}' } }
  const page = await open([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: 'page 7' },
  ])
  const card = page.locator('.diagnostic-card.open')
  await card.waitFor()
  expect(await card.evaluate(card => card.scrollWidth - card.clientWidth)).toBe(0)
  await page.emulateMedia({ forcedColors: 'active' })
  const outlines = await page
    .locator('.modes button')
    .evaluateAll(buttons => buttons.map(button => getComputedStyle(button).outlineStyle))
  expect(outlines).toEqual(['solid', 'none', 'none', 'none'])
  const note = page.locator('[data-row="1"] .marker')
  expect(await note.evaluate(note => getComputedStyle(note).forcedColorAdjust)).toBe('none')
})

test.each([1360, 390])(
  '[VB50] two calls with long names are both visible, and so is the hint, %i pixels wide',
  async width => {
    const names = ['search_flights_by_destination', 'search_hotels_by_destination']
    const calls = names.map((name, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: '{}' },
    }))
    const page = await open([
      { role: 'user', content: 'Plan Lisbon.' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' })),
      { role: 'assistant', content: null, tool_calls: calls.map(call => ({ ...call, id: `${call.id}_again` })) },
      { role: 'user', content: 'Are you there?' },
    ])
    await page.setViewportSize({ width, height: 800 })
    await readySheet(page)
    for (const row of [1, 4]) {
      const chips = page.locator(`[data-row="${row}"] .chip`)
      const line = await page.locator(`[data-row="${row}"] .chips`).evaluate(line => line.getBoundingClientRect().right)
      expect(await chips.count()).toBe(2)
      for (const chip of await chips.all()) {
        const right = await chip.locator('.chip-tail').evaluate(tail => tail.getBoundingClientRect().right)
        expect(right).toBeLessThanOrEqual(Math.min(line, width) + 1)
        expect(await chip.evaluate(chip => chip.scrollWidth - chip.clientWidth)).toBeLessThanOrEqual(1)
      }
      expect(await chips.locator('.sr-only:not(:text-is("call"))').allTextContents()).toEqual(names)
    }
    const hint = page.getByText('Select a message to unfold it')
    await hint.waitFor()
    expect(await hint.evaluate(hint => hint.getBoundingClientRect().bottom)).toBeLessThanOrEqual(800)
  },
)
