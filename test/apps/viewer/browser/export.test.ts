import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { longHistory } from '../../../../bench/viewer/long-history.ts'
import { failures } from '../../../../src/apps/demo-failures.ts'
import { writeExport } from '../../../../src/apps/viewer/index.ts'
import { openJournal, run } from '../../../../src/journal/index.ts'
import { scripted } from '../../../journal/contract/model.ts'
import { interrupted, recording } from '../../../observe/tape/recording.ts'
import { browserOfFile } from './browser.ts'
import { hostileHistory } from './hostile-history.ts'
import { goTo, opened, type Seen, seen } from './message-list.ts'
import { sampleStores } from './sample-stores.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

test('[VB15] an exported file opens from disk without a network, and shows the same as the served page', async () => {
  const folder = testFolder()
  const paths = await oneOfEach(folder)
  const file = join(folder, 'all.html')
  await writeExport({ paths, file })
  const served = await visit((await testViewer(paths)).url)
  const exported = await visit(pathToFileURL(file).href, { offline: true })
  const items = exported.locator('.catalogue .item')
  await items.first().waitFor()
  expect(await items.count()).toBeGreaterThanOrEqual(paths.length)
  for (let source = 1; source <= paths.length; source++) {
    for (const mode of ['before', 'after']) {
      const place = { source, item: 1, mode }
      const [here, there] = [await shown(exported, place), await shown(served, place)]
      expect(here).toEqual(there)
      expect(here.rows.length).toBeGreaterThan(0)
    }
  }
})

test('[VB15] an exported file has no actions', async () => {
  const folder = testFolder()
  const journal = await openJournal(`sqlite:${join(folder, 'chat.db')}`, { telemetry: false })
  const thread = journal.thread('user-42')
  await thread.submit('Drop it.')
  await run(thread, { model: scripted([['drop', {}]]), tools: { drop: { approval: true, execute: () => 'dropped' } } })
  await journal.close()
  const file = join(folder, 'chat.html')
  await writeExport({ paths: [join(folder, 'chat.db')], file })
  const page = await visit(pathToFileURL(file).href, { offline: true })
  await page.locator('[data-call-state="approval"]').waitFor()
  expect(await page.getByRole('button', { name: /Approve|Deny|Interrupt/ }).count()).toBe(0)
})

/** A history of each kind, a store, a thread and a tape. */
async function oneOfEach(folder: string): Promise<string[]> {
  const { tape, text } = recording()
  interrupted(tape)
  const journal = await openJournal(`sqlite:${join(folder, 'chat.db')}`, { telemetry: false })
  const thread = journal.thread('user-42')
  await thread.submit('Look it up.')
  await run(thread, { model: scripted([['look_up', {}]], 'There.'), tools: { look_up: { execute: () => 'page 7' } } })
  await journal.close()
  const files = {
    'long.json': JSON.stringify(longHistory(2_000)),
    ...Object.fromEntries(failures.map(({ history }, index) => [`${index}.json`, JSON.stringify(history)])),
    'hostile.json': JSON.stringify(hostileHistory),
    'agent.tape': text(),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const store = sampleStores(folder).find(({ name }) => name === 'langgraph/broken.sql')
  return [...Object.keys(files).map(name => join(folder, name)), join(folder, 'chat.db'), store?.path ?? '']
}

/** All that a page shows of a place: the message list, or the rows of a tape. */
async function shown(page: Page, place: Record<string, string | number>): Promise<Partial<Seen> & Pick<Seen, 'rows'>> {
  await goTo(page, place)
  await opened(page, { source: place.source, item: place.item })
  if ((await page.locator('.tape, .tape-wait').count()) > 0) {
    await page.locator('.tape-row').first().waitFor()
    return { rows: [await page.locator('.tape').innerText()] }
  }
  if (place.mode === 'after' && (await page.locator('.modes').count()) > 0)
    await page.locator('.message-frame[data-ready]:not([data-step="0"])').waitFor()
  else await page.locator('.message-frame[data-ready][data-step="0"]').waitFor()
  const { rows, arcs, diagnostics } = await seen(page)
  // How far the page draws beyond what is in sight depends on when it was measured.
  const isNear = (arc: string): boolean => (arc.match(/\d+/g) ?? []).every(row => Number(row) < nearRows)
  return { rows: rows.slice(0, nearRows), arcs: arcs.filter(isNear), diagnostics }
}

const nearRows = 15
