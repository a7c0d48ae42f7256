import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from '../../../repository.ts'

/** Bundles the page of docs/ai-sdk.md with the real `useChat`. Preact is its React. */
export async function buildChatApp(file: string): Promise<void> {
  const page = JSON.stringify(join(root, 'scripts/walks/apps/start/app/page.tsx'))
  const entry = `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import Page from ${page}
createRoot(document.body).render(createElement(Page))`
  await build({
    input: 'entry',
    cwd: root,
    platform: 'browser',
    logLevel: 'silent',
    resolve: {
      alias: {
        'react/jsx-runtime': 'preact/jsx-runtime',
        'react-dom/client': 'preact/compat/client',
        react: 'preact/compat',
      },
    },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'entry',
        resolveId: id => (id === 'entry' ? join(root, 'entry.js') : null),
        load: id => (id === join(root, 'entry.js') ? entry : null),
      },
    ],
    output: { file, format: 'iife' },
  })
}
