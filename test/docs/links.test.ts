import { dirname, posix } from 'node:path'
import { expect, test } from 'vitest'
import { exists, files, read } from '../repository.ts'

const written = files('*.md', 'docs/**/*.md', 'examples/*.md', 'bench/*.md')

test('[GD6] every link of a page leads somewhere', () => {
  const broken = written.flatMap(page =>
    linksOf(page)
      .filter(({ file, heading }) => !exists(file) || (heading !== '' && !headingsOf(file).includes(heading)))
      .map(({ link }) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('[GD6] the index has every page', () => {
  const listed = linksOf('docs/README.md').map(({ file }) => file)
  expect(files('docs/*.md').filter(page => page !== 'docs/README.md' && !listed.includes(page))).toEqual([])
})

interface Link {
  readonly link: string
  readonly file: string
  readonly heading: string
}

/** Links and pictures that stay in the repository. */
function linksOf(page: string): Link[] {
  const text = (read(page) ?? '').replaceAll(/^```[\s\S]*?^```$/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture,
  )
  return links
    .filter(link => !/^\w+:/.test(link))
    .map(link => {
      const [path, heading = ''] = link.split('#')
      return { link, file: path === '' ? page : posix.join(dirname(page), path), heading }
    })
}

/** The headings of a page, as links name them. */
const headingsOf = (page: string): string[] =>
  [...(read(page) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  )
