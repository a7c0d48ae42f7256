import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { browserOfFile } from '../../../apps/viewer/browser/browser.ts'
import { Random } from '../../../laws/random.ts'
import { buildChatApp } from './chat-app.ts'
import { startStoryteller } from './storyteller.ts'

export interface Reloads {
  /** How often a page was loaded from the other server. */
  reloads: number
  /** Those in the middle of a word. */
  inWords: number
  /** How many different texts the pages showed. */
  texts: number
}

/**
 * One answer at a time is shown in two tabs, each on a server of its own. At a random character each tab is loaded from the other server. It
 * shows what has streamed, goes on, and ends with the whole text. Whatever it shows is the beginning of the text, so no word is there twice.
 */
export async function reloadAtRandom(visit: Visit, { cuts, seed }: { cuts: number; seed: number }): Promise<Reloads> {
  const random = new Random(seed)
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-reloads-'))
  await using teller = await startStoryteller(random)
  const app = join(folder, 'app.js')
  await buildChatApp(app)
  const servers = [0, 1].map(() =>
    fork(join(import.meta.dirname, 'chat-site.ts'), [join(folder, 'chat.db'), teller.url, app]),
  )
  const done: Reloads = { reloads: 0, inWords: 0, texts: 0 }
  try {
    const urls = await Promise.all(servers.map(urlOf))
    const failures: string[] = []
    const first = await visit(urls[0] ?? '', { failures, prepare: page => page.context().addInitScript(observe) })
    const tabs = [first, await first.context().newPage()]
    for (let chat = 1; chat <= cuts; chat++) {
      const story = storyOf(random, chat)
      const cut = 1 + random.int(story.lastIndexOf(' ') - 1)
      const end = teller.tell(story)
      const goTo = (tab: Page, server: number): Promise<unknown> =>
        tab.goto(`${urls[server]}/?chat=seed-${seed}-chat-${chat}`)
      await goTo(first, 0)
      await first.locator('textarea').fill('Tell me a story.')
      await first.getByRole('button', { name: 'Send' }).click()
      await goTo(tabs[1] as Page, 1)
      await first.waitForFunction(showsAtLeast, cut)
      const texts = await Promise.all(tabs.map(shownIn))
      await Promise.all(tabs.map((tab, index) => goTo(tab, 1 - index)))
      await Promise.all(tabs.map(tab => tab.waitForFunction(showsAtLeast, cut)))
      const before = await Promise.all(tabs.map(shownIn))
      end.open()
      await Promise.all(tabs.map(tab => tab.waitForFunction(isReady)))
      for (const [index, tab] of tabs.entries()) {
        const after = await shownIn(tab)
        expect(after.at(-1)).toBe(story)
        expect(before[index]?.at(-1)).not.toBe(story)
        const shown = [...(texts[index] ?? []), ...after]
        expect(shown.filter(text => !story.startsWith(text))).toEqual([])
        done.texts += shown.length
      }
      done.reloads += tabs.length
      if (isInWord(story, texts[0]?.at(-1) ?? '')) done.inWords += tabs.length
    }
    expect(failures.filter(failure => !urls.some(url => failure.startsWith(`it asked for ${url}/`)))).toEqual([])
  } finally {
    await Promise.all(servers.map(end))
    rmSync(folder, { recursive: true })
  }
  return done
}

type Visit = ReturnType<typeof browserOfFile>['visit']

async function urlOf(server: ChildProcess): Promise<string> {
  const [{ url }] = await once(server, 'message')
  return url
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.disconnect()
  await once(server, 'exit')
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Words of random letters, each with its number. */
const storyOf = (random: Random, chat: number): string =>
  Array.from({ length: 40 }, (_, index) => {
    const word = Array.from({ length: 1 + random.int(12) }, () => letters[random.int(letters.length)])
    return `${word.join('')}${chat}n${index}`
  }).join(' ')

const isInWord = (story: string, shown: string): boolean =>
  shown !== '' && !shown.endsWith(' ') && story[shown.length] !== ' '

/** In the page: every text that the answer has had. */
const observe = `
  window.shown = []
  window.answer = () => [...document.querySelectorAll('[data-role="assistant"] p')].map(p => p.textContent).join(' + ')
  new MutationObserver(() => {
    if (answer() !== '' && answer() !== shown.at(-1)) shown.push(answer())
  }).observe(document, { subtree: true, childList: true, characterData: true })
`

const shownIn = (page: Page): Promise<string[]> => page.evaluate('shown')

declare const answer: () => string
declare const document: { querySelector(selector: string): unknown }
const showsAtLeast = (length: number): boolean => answer().length >= length
const isReady = (): boolean => document.querySelector('main[data-status="ready"]') !== null
