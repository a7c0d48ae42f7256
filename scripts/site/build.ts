/**
 * Builds the site: static files that need no server and no other host. `--out FOLDER` says where, `site/dist` by default. The pages
 * come from docs/, examples/ and the table of rejections; the playground is the viewer's page, which must have been built.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sitePages } from './pages.ts'

const root = join(import.meta.dirname, '../..')
const site = join(root, 'site')
const written = join(site, 'pages')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(site, 'dist') } } })

const viewer = join(root, 'dist/page.html')
if (!existsSync(viewer)) {
  process.stderr.write('dist/page.html does not exist: run npm run build first\n')
  process.exit(1)
}

rmSync(written, { recursive: true, force: true })
const { pages, assets } = await sitePages()
for (const [path, text] of pages) write(path, text)
for (const [path, source] of assets) copy(join(root, source), path)
write('index.md', readFileSync(join(site, 'index.md'), 'utf8'))
write('public/playground.html', playground(readFileSync(viewer, 'utf8')))

const vitepress = join(dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'bin/vitepress.js')
execFileSync(process.execPath, [vitepress, 'build', site, '--outDir', resolve(values.out)], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, NODE_ENV: 'production' },
})

function write(path: string, text: string): void {
  const file = join(written, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function copy(from: string, path: string): void {
  const file = join(written, path)
  mkdirSync(dirname(file), { recursive: true })
  cpSync(from, file)
}

/** The viewer's page, with the editor open and a link back. Its content security policy still applies, because the scripts are unchanged. */
function playground(page: string): string {
  const title = '<title>Antiphon</title>'
  if (!page.includes(title)) throw new Error('the page of the viewer has another title than expected')
  return page.replace(
    title,
    '<title>Playground · Antiphon</title>\n<meta name="antiphon-playground" content="./index.html">',
  )
}
