import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { policyElement, policyOf } from '../page-policy.ts'

const page = import.meta.dirname
const charset = '<meta charset="utf-8">'

/** The page is one file, which is served, exported and put on static hosts as it is: scripts and styles go into it. */
const oneFile = (): Plugin => ({
  name: 'one-file',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const html = Object.values(bundle).find(file => file.fileName.endsWith('.html'))
    if (html?.type !== 'asset') return
    let text = String(html.source)
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.isEntry) {
        const script = `<script>${file.code.replaceAll('</script', '<\\/script')}</script>`
        text = text.replace(new RegExp(`<script[^>]*src="[^"]*${file.fileName}"[^>]*></script>`), '')
        // Behind the element that it draws in, since a script that is not a module runs where it stands.
        text = text.replace('<!-- script -->', () => script)
      } else if (file.type === 'asset' && file.fileName.endsWith('.css')) {
        const link = new RegExp(`<link[^>]*href="[^"]*${file.fileName}"[^>]*>`)
        text = text.replace(link, () => `<style>${String(file.source)}</style>`)
      } else continue
      delete bundle[file.fileName]
    }
    // A static host says nothing of the kind, so the page says itself what it may do, before anything in it is done.
    html.source = text.replace(charset, `${charset}\n${policyElement(policyOf(text, "'self'"))}`)
    html.fileName = 'page.html'
  },
})

export default defineConfig({
  root: page,
  base: './',
  plugins: [oneFile()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'iife' },
  build: {
    target: 'es2023',
    outDir: join(page, '../../../../dist/apps/viewer'),
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: { input: join(page, 'index.html'), output: { format: 'iife' } },
  },
})
