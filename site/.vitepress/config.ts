import { nav, sidebar } from '../../scripts/site/navigation.ts'
import { slug } from '../../scripts/site/slug.ts'

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 22 22'%3E%3Cpath d='M7 4.5C19 4.5 19 17.5 7 17.5' fill='none' stroke='%230b8a74' stroke-width='2'/%3E%3Ccircle cx='6' cy='4.5' r='3.4' fill='%230b8a74'/%3E%3Cpath d='M6 13.5 10 17.5 6 21.5 2 17.5Z' fill='%239a5cc8'/%3E%3C/svg%3E"

interface Markdown {
  readonly options: { highlight?: unknown }
  render(source: string, env: { frontmatter?: { search?: boolean } }): string
}

/** Text is searched, and code without its colours. JSON is left out: the examples of the rules are most of it. */
function renderForSearch(source: string, env: { frontmatter?: { search?: boolean } }, markdown: Markdown): string {
  const { highlight } = markdown.options
  markdown.options.highlight = (code: string, language: string) =>
    language.startsWith('json') ? '<pre></pre>' : `<pre>${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
  try {
    return markdown.render(source, env)
  } finally {
    markdown.options.highlight = highlight
  }
}

/** Pages are in `pages/`, which `npm run site` writes; never edit them there. */
export default {
  title: 'Antiphon',
  description: 'Fixes 400 errors from broken tool-call histories, and keeps new histories from breaking.',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: icon }]],
  // Otherwise every page repeats the list of all pages.
  metaChunk: true,
  markdown: {
    anchor: { slugify: slug },
    toc: { slugify: slug },
    // Its colours have enough contrast on the page's own background.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languages: ['ts', 'tsx', 'sh', 'json', 'python', 'yaml', 'sql'],
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
    docFooter: { prev: false, next: false },
  },
}
