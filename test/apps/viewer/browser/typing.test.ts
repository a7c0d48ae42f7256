import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from '../../../../src/journal/index.ts'
import { redisUrl, startRedis } from '../../../journal/live/redis-server.ts'
import { browserOfFile } from './browser.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

interface Typing {
  readonly page: Page
  readonly answer: Locator
  tell(what: { say?: string; end?: 'stop' | 'break' }): void
}

/** A page on a thread whose turn runs in another process, and has just asked its model. */
async function typing(live?: string): Promise<Typing> {
  const path = join(testFolder(), 'chat.db')
  const journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  onTestFinished(() => journal.close())
  await journal.thread('user-42').submit('Tell me a story.')
  const worker = fork(join(import.meta.dirname, 'typing-work.ts'), [
    `sqlite:${path}`,
    ...(live === undefined ? [] : [live]),
  ])
  onTestFinished(async () => {
    const ended = once(worker, 'exit')
    worker.disconnect()
    await ended
  })
  await once(worker, 'message')
  const page = await visit((await testViewer([path], live === undefined ? {} : { live })).url)
  await page.locator('.item[data-state="running"]').waitFor()
  return { page, answer: page.locator('.live-answer'), tell: what => void worker.send(what) }
}

test('[VW80] the words of a running answer are shown as they come, and then its message', async () => {
  const { page, answer, tell } = await typing()
  tell({ say: 'Once upo' })
  await answer.getByText('Once upo', { exact: true }).waitFor()
  expect(await page.locator('[data-row]').count(), 'it is not recorded').toBe(1)
  tell({ say: 'n a time' })
  await answer.getByText('Once upon a time', { exact: true }).waitFor()
  // A page that is loaded in the middle of it has all of it.
  await page.reload()
  await answer.getByText('Once upon a time', { exact: true }).waitFor()
  tell({ say: ` there was ${'a word '.repeat(3_000)}and an end.`, end: 'stop' })
  await page.locator('[data-row]').last().locator('.words').getByText('Once upon a time').waitFor()
  await answer.waitFor({ state: 'detached' })
})

test('[VW80] words of an answer that is not recorded are taken back', async () => {
  const { page, answer, tell } = await typing()
  tell({ say: 'Once upo' })
  await answer.getByText('Once upo', { exact: true }).waitFor()
  tell({ end: 'break' })
  await answer.waitFor({ state: 'detached' })
  tell({ say: 'There was', end: 'stop' })
  await page.locator('[data-row]').last().locator('.words').getByText('There was').waitFor()
  expect(await page.getByText('Once upo').count()).toBe(0)
})

test('[VW82] words come over Redis, if it is named', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const { answer, tell } = await typing(redisUrl(redis.port))
  tell({ say: 'Once upo' })
  await answer.getByText('Once upo', { exact: true }).waitFor()
})

test('[VW81] a page on a journal whose processes are not connected creates no socket', async () => {
  const path = join(testFolder(), 'chat.db')
  const journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  onTestFinished(() => journal.close())
  await journal.thread('user-42').submit('Hello')
  const page = await visit((await testViewer([path])).url)
  await page.getByText('One input waiting').waitFor()
  await journal.thread('user-42').submit('Hello?')
  await page.getByText('2 inputs waiting').waitFor()
  expect(existsSync(`${path}-live`)).toBe(false)
})
