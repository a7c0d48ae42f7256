import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { policyElement, policyOf } from '../page-policy.ts'

const page = import.meta.dirname
const charset = '<meta charset="utf-8">'

/** Builds the page as one file with inline scripts and styles, which can be served, exported and put on static hosts. */
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
        // After the element that it renders into: a script that is not a module runs at its place in the document.
        text = text.replace('<!-- script -->', () => script)
      } else if (file.type === 'asset' && file.fileName.endsWith('.css')) {
        const link = new RegExp(`<link[^>]*href="[^"]*${file.fileName}"[^>]*>`)
        text = text.replace(link, () => `<style>${String(file.source)}</style>`)
      } else continue
      delete bundle[file.fileName]
    }
    // A static host sends no policy header, so the page contains its policy, before any script.
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
    outDir: join(page, '../../../../dist'),
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: { input: join(page, 'index.html'), output: { format: 'iife' } },
  },
})
