import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startViewer } from '../../../../src/apps/viewer/index.ts'
import { openJournal, run } from '../../../../src/journal/index.ts'
import { scripted } from '../../../journal/contract/model.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { type LiveJournal, liveJournal } from './live-journal.ts'
import { readySheet } from './message-list.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

/** A thread whose turn runs in another process, and the page on it. */
async function atWork(words: string): Promise<LiveJournal & { url: string; page: Page }> {
  const live = await liveJournal(testFolder())
  onTestFinished(() => live.close())
  await live.journal.thread('user-42').submit(words, { key: 'first' })
  const { url } = await testViewer([live.path])
  return { ...live, url, page: await visit(url) }
}

const lastWords = (page: Page) => page.locator('[data-row]').last().locator('.words')

test('[VB6] a waiting call is approved from the page, and the turn continues in its own process', async () => {
  const { page, journal } = await atWork('drop')
  const call = page.locator('[data-call-state="approval"]')
  await call.getByText('waiting for approval').waitFor()
  expect(await call.locator('.live-input').textContent()).toContain('staging')
  await page.locator('.item[data-state="parked"]').waitFor()
  await page.getByRole('button', { name: 'Approve the call of drop' }).click()
  await page.locator('.live-status', { hasText: 'approved' }).waitFor()
  await lastWords(page).getByText('The result was: dropped').waitFor()
  await page.locator('.item[data-state="idle"]').waitFor()
  expect(await page.locator('[data-call]').count()).toBe(0)
  expect(await journal.thread('user-42').status()).toMatchObject({ last: { turn: 1, status: 'done' } })
})

test('[VB6] a call is denied with a reason, and the model gets it', async () => {
  const { page } = await atWork('drop')
  const deny = page.getByRole('button', { name: 'Deny the call of drop' })
  await deny.click()
  await page.keyboard.press('Escape')
  await page.locator('[data-call-state] button:focus').getByText('Deny').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.live-reason input:focus').waitFor()
  await page.keyboard.type('not on a Friday')
  await page.getByRole('button', { name: 'Deny drop' }).click()
  await page.locator('.live-status', { hasText: 'denied: not on a Friday' }).waitFor()
  await lastWords(page).getByText('not on a Friday').waitFor()
})

test('[VW40] the question of an agent is answered on the page of its parent, and its thread is opened from there', async () => {
  const { page } = await atWork('delegate')
  await page.locator('.item', { hasText: 'user-42' }).first().click()
  const question = page.locator('[data-call-state="approval"]')
  await question.getByText('asked by delegate').waitFor()
  await page.getByRole('button', { name: 'Open the thread of the agent delegate' }).click()
  await page.locator('.live dd .live-link', { hasText: 'user-42' }).waitFor()
  await page.locator('[data-row]').first().getByText('drop').waitFor()
  await page.locator('.live dd .live-link').click()
  await question.getByText('asked by delegate').waitFor()
  await page.getByRole('button', { name: 'Approve the call of drop' }).click()
  await lastWords(page).getByText('The result was: The result was: dropped').waitFor()
})

test('[VW41] the branches of a thread are drawn as a tree, and the page switches between them', async () => {
  const path = join(testFolder(), 'chat.db')
  const journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  onTestFinished(() => journal.close())
  const thread = journal.thread('user-42')
  const { seq } = await thread.submit('Plan a trip to Lisbon')
  await run(thread, { model: scripted('By train.') })
  await thread.edit(seq, 'Plan a trip to Porto')
  await run(thread, { model: scripted('By bus.') })
  const page = await visit((await testViewer([path])).url)
  await page.locator('[data-branch="1"] [data-branch="2"][aria-current]', { hasText: 'Porto' }).waitFor()
  await lastWords(page).getByText('By bus.').waitFor()
  await page.getByRole('button', { name: 'Switch to main branch' }).click()
  await page.locator('[data-branch="1"][aria-current]').waitFor()
  await lastWords(page).getByText('By train.').waitFor()
  expect(await thread.branches()).toMatchObject([{ isCurrent: true }, { isCurrent: false }])
})

test('[VB6] of two contrary decisions the first counts, and the second page shows it', async () => {
  const live = await liveJournal(testFolder())
  onTestFinished(() => live.close())
  const thread = live.journal.thread('user-42')
  await thread.submit('drop')
  for await (const entry of thread.watch()) if (entry.kind === 'turn-park') break
  // This page hears of nothing that happens after it was opened.
  const deaf = (page: Page): Promise<unknown> => page.route(/threads.*events/, () => new Promise(() => {}))
  const page = await visit((await testViewer([live.path])).url, { prepare: deaf })
  await readySheet(page)
  const id = (await page.locator('[data-call-state="approval"]').getAttribute('data-call')) ?? ''
  expect(await thread.deny(id, 'asked elsewhere')).toMatchObject({ isFirst: true })
  await page.getByRole('button', { name: 'Approve the call of drop' }).click()
  await page.locator('.live-status', { hasText: 'it was already denied: asked elsewhere' }).waitFor()
})

test('[VB24] a call that waits for approval hides nothing: control and invisible characters are escapes, and a cut is said', async () => {
  const path = join(testFolder(), 'chat.db')
  const journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  onTestFinished(() => journal.close())
  const thread = journal.thread('user-42')
  const name = 'remove\u202eevom'
  const input = { path: '/\u202epmt/\u202c', note: '\u001b[8m\u200b\u{e0041}', rest: 'x'.repeat(20_000) }
  await thread.submit('Go.')
  await run(thread, { model: scripted([[name, input]]), tools: { [name]: { approval: true, execute: () => 'done' } } })
  const page = await visit((await testViewer([path])).url)
  const call = page.locator('[data-call-state="approval"]')
  const shown = await call.innerText()
  expect(shown).toContain('remove\\u202eevom')
  expect(shown).toContain('{"path":"/\\u202epmt/\\u202c"')
  expect(shown).toContain('\\u200b\\udb40\\udc41')
  expect(shown).toContain(`it has ${JSON.stringify(input).length.toLocaleString('en')} characters`)
  expect(await page.getByRole('button', { name: 'Approve the call of remove\\u202eevom' }).count()).toBe(1)
  expect(await page.evaluate(() => /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u200b]/u.test(document.body.innerText))).toBe(
    false,
  )
})

test('[VB7] a turn is interrupted from the page, with a reason, and its tool stops', async () => {
  const { page, journal } = await atWork('wait')
  await page.locator('[data-call-state="started"]').getByText('running').waitFor()
  await page.locator('.live dd', { hasText: 'the-worker' }).waitFor()
  await journal.thread('user-42').submit('and then?')
  await page.getByText('One input waiting').waitFor()
  await page.getByRole('button', { name: 'Interrupt turn 1' }).click()
  const confirm = page.getByRole('button', { name: 'Interrupt turn 1', exact: true })
  await confirm.click()
  expect(await page.locator('.live-status').textContent(), 'a reason is asked for').toBe('')
  await page.getByLabel('Reason for the interruption').fill('it takes too long')
  await confirm.click()
  await page.locator('.live-status', { hasText: 'turn 1 is being interrupted' }).waitFor()
  const entries = []
  for await (const entry of journal.thread('user-42').watch({ signal: AbortSignal.timeout(patienceMs) })) {
    entries.push(entry)
    if (entry.kind === 'turn-end') break
  }
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'turn-interrupt', reason: 'it takes too long' }))
  expect(entries.at(-1)).toMatchObject({ kind: 'turn-end', turn: 1, status: 'interrupted' })
  await page.locator('.live h2', { hasText: '2 turns' }).waitFor()
})

test('[VB23] a thread that changes all the time is shown as it changes, and the view stays at its end', async () => {
  const path = join(testFolder(), 'chat.db')
  const journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  onTestFinished(() => journal.close())
  const thread = journal.thread('user-42')
  const tools = { look_up: { execute: () => 'page 7' } }
  const takeTurn = async (): Promise<void> => {
    await thread.submit('Look it up.')
    await run(thread, { model: scripted([['look_up', {}]], 'There.'), tools })
  }
  for (let turns = 0; turns < 5; turns++) await takeTurn()
  // By the time that it comes, there is more.
  const slow = (page: Page): Promise<unknown> =>
    page.route(/documents\/1\/1$/, async route => {
      await new Promise(resolve => setTimeout(resolve, 400))
      await route.continue()
    })
  const page = await visit((await testViewer([path])).url, { prepare: slow })
  await readySheet(page)
  await page.keyboard.press('End')
  const shown = async (): Promise<number> => Number((await page.locator('.facts p').textContent())?.match(/\d+/)?.[0])
  let isOver = false
  const goingOn = (async () => {
    while (!isOver) await takeTurn()
  })()
  const rest = (): Promise<void> => {
    isOver = true
    return goingOn
  }
  onTestFinished(rest)
  await expect.poll(shown, { timeout: patienceMs }).toBeGreaterThan(20)
  expect(await page.locator('.busy').textContent(), 'not each time').toBe('')
  await rest()
  const { last } = await thread.status()
  await page
    .locator(`[data-row="${4 * (last?.turn ?? 0) - 1}"]`)
    .getByText('There.')
    .waitFor()
})

test('[VB18] when its server is gone the page says so, and offers no action that needs it', async () => {
  const live = await liveJournal(testFolder())
  onTestFinished(() => live.close())
  await live.journal.thread('user-42').submit('drop')
  const viewer = await startViewer({ paths: [live.path] })
  const page = await visit(viewer.url, { failures: [] })
  await page.getByRole('button', { name: 'Approve the call of drop' }).waitFor()
  await viewer.close()
  await page.getByRole('alert').getByText('The server is gone.').waitFor()
  expect(await page.getByRole('button', { name: /Approve|Deny|Interrupt/ }).count()).toBe(0)
  await page.locator('[data-call-state="approval"]').waitFor()
  await page.locator('.wordmark').click()
  await page.getByRole('heading', { name: 'Every call gets its response.' }).waitFor()
  expect(await page.getByRole('alert').getByText('The server is gone.').isVisible(), 'on every view').toBe(true)
})

test('[VB51] that the last turn failed has the colour of an error', async () => {
  const path = join(testFolder(), 'chat.db')
  await using journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  const thread = journal.thread('down')
  await thread.submit('hello')
  const model = () => {
    throw new Error('the model is down')
  }
  await run(thread, { model }).catch(() => {})
  const page = await visit((await testViewer([path])).url)
  const failed = page.locator('.live dd', { hasText: 'the model is down' }).getByText('failed', { exact: true })
  const colours = await failed.evaluate(failed => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--error)'
    return [failed, probe].map(element => getComputedStyle(element).color)
  })
  expect(colours[0]).toBe(colours[1])
})
