import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { rejectionPages } from './rejection-pages.ts'

const root = join(import.meta.dirname, '../..')

export interface SitePages {
  /** Markdown by its path in the site. */
  readonly pages: ReadonlyMap<string, string>
  /** Pictures: the path in the site, and that in the repository. */
  readonly assets: ReadonlyMap<string, string>
}

/** All pages of the site, written from those of the repository, and the pictures that they show. */
export async function sitePages(): Promise<SitePages> {
  const assets = new Map<string, string>()
  const pages = new Map<string, string>()
  for (const [source, path] of sources) {
    const text = readFileSync(join(root, source), 'utf8')
    pages.set(path, source.endsWith('.md') ? moved(text, source, path, assets) : programPage(source, text))
  }
  for (const [path, text] of await rejectionPages()) pages.set(path, text)
  return { pages, assets }
}

/** Where each page of the repository is in the site. */
const sources: ReadonlyMap<string, string> = new Map([
  ...[
    ['README.md', 'introduction.md'],
    ['ARCHITECTURE.md', 'architecture.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['CONTRIBUTING.md', 'contributing.md'],
    ['SECURITY.md', 'security-policy.md'],
    ['SPEC.md', 'promises.md'],
    ['docs/README.md', 'pages.md'],
  ].map(([source, path]) => [source, path] as const),
  ...found('docs/**/*.md')
    .filter(source => source !== 'docs/README.md')
    .map(source => [source, source.slice('docs/'.length).replace(/\bREADME\.md$/, 'index.md')] as const),
  ...found('bench/*.md').map(source => [source, source.toLowerCase().replace('readme.md', 'index.md')] as const),
  ['examples/README.md', 'examples/index.md'],
  ...found('examples/*.{ts,py,json}', 'examples/*/*.{ts,py}').map(source => [source, `${source}.md`] as const),
])

function found(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .sort()
}

function programPage(source: string, text: string): string {
  const language = extname(source).slice(1)
  return `# ${posix.basename(source)}\n\nAn example: see [how to run it](${toPage(`${source}.md`, 'examples/index.md')}).\n\n\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
}

/** A page with links that work at its place in the site. */
function moved(text: string, source: string, path: string, assets: Map<string, string>): string {
  const blocks = text.split(/^(```[\s\S]*?^```$)/m)
  return blocks.map((block, index) => (index % 2 === 1 ? block : withLinks(block))).join('')

  function withLinks(prose: string): string {
    return prose
      .replaceAll(
        /(!?)\[((?:[^[\]]|\[[^\]]*\]){0,2000})\]\(([^)\s]+)\)/g,
        (link, mark: string, words: string, to: string) => {
          if (/^(\w+:|#)/.test(to)) return link
          const target = resolve(to)
          return target === undefined ? words : `${mark}[${words}](${target})`
        },
      )
      .replaceAll(/\b(src|srcset)="([^":]+)"/g, (_, name: string, to: string) => `${name}="${resolve(to) ?? to}"`)
  }

  /** The way from this page; undefined to a file that the site does not have. */
  function resolve(to: string): string | undefined {
    const [file, heading] = to.split('#')
    const target = posix.normalize(posix.join(dirname(source), file)).replace(/\/$/, '')
    const hash = heading === undefined ? '' : `#${heading}`
    const page = sources.get(target) ?? sources.get(`${target}/README.md`)
    if (page !== undefined) return `${toPage(path, page)}${hash}`
    if (!/\.(png|svg)$/.test(target) || !existsSync(join(root, target))) return undefined
    const asset = target.replace(/^docs\//, '')
    assets.set(asset, target)
    return toPage(path, asset)
  }
}

function toPage(from: string, to: string): string {
  const way = posix.relative(dirname(from), to)
  return way.startsWith('.') ? way : `./${way}`
}
