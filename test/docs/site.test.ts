import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { textsOf } from '../../scripts/site/error-words.ts'
import { sidebar } from '../../scripts/site/navigation.ts'
import { sitePages } from '../../scripts/site/pages.ts'
import { rejectionTable } from '../../src/heal/rejections/table/index.ts'
import { files } from '../repository.ts'

const { pages, assets } = await sitePages()

test('[SI1] every page of docs and every example is a page of the site', () => {
  const own = files('docs/**/*.md').map(page => page.slice('docs/'.length).replace(/README\.md$/, 'index.md'))
  const missing = own.filter(page => page !== 'index.md' && !pages.has(page))
  expect(missing).toEqual([])
  for (const program of files('examples/*.ts')) expect(pages.get(`${program}.md`)).toContain('```ts')
})

test('[SI1] no link of a page leaves the site, and every picture is there', () => {
  const outside: string[] = []
  for (const [page, text] of pages) {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
    for (const [, to] of prose.matchAll(/\]\((\.[^)\s#]+)(?:#[^)\s]*)?\)/g)) {
      const target = posix.join(posix.dirname(page), to)
      if (!pages.has(target) && !assets.has(target)) outside.push(`${page}: ${to}`)
    }
  }
  expect(outside).toEqual([])
})

test('[SI1] the navigation names pages that exist', () => {
  const links = sidebar.flatMap(({ items }) => items).flatMap(item => ('link' in item ? [item.link] : []))
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(link => !pages.has(`${link.slice(1).replace(/^$|\/$/, '$&index')}.md`))).toEqual([])
})

/** Something for what differs from error to error, so that the text can be recognised. */
const sample = (charClass: string, _name: string | undefined, least: number): string =>
  ([...(least === 0 ? ' 1aZ.' : '1aZ. ')].find(one => new RegExp(`^${charClass}$`).test(one)) ?? '').repeat(least || 1)

test('[SI2] every known rejection has a page, and its title is a text that is recognised as this rejection', () => {
  const wrong = rejectionTable.flatMap(({ id, words }) => {
    const title = /^# (.*)$/m.exec(pages.get(`rejections/${id}.md`) ?? '')?.[1]
    const [text] = textsOf(words, sample)
    return title && (words.test(text) || words.test(` ${text} `)) ? [] : [`${id}: ${text}`]
  })
  // What must follow elsewhere in the text is not part of the title.
  expect(wrong).toEqual([expect.stringMatching(/^py-role: /)])
})

test('[SI2] the page of a rejection names the rules that find it, and only those', () => {
  expect(pages.get('rejections/an-missing-result.md')).toContain('[unanswered-call](../rules/unanswered-call.md)')
  expect(pages.get('rejections/an-request-bytes.md')).not.toContain('../rules/')
})

test('[SI2] a title is made of words, not of a regular expression, and the list has them all', () => {
  const list = pages.get('400.md') ?? ''
  for (const { id, words } of rejectionTable) {
    const [title] = textsOf(words)
    expect(title, id).not.toMatch(/\\|\(\?|\[\^|\.\*/)
    expect(title.length, id).toBeGreaterThan(4)
    expect(list).toContain(`(rejections/${id}.md)`)
  }
})
