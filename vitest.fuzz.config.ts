import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { chromiumPath } from './test/apps/viewer/browser/chromium.ts'
import { files, imports } from './test/repository.ts'

/** Test files that try only a part in `npm test`: they import what chooses it, themselves or by way of others. */
function sampled(): string[] {
  const tests = files('test/**/*.ts')
  const importers = new Map<string, string[]>()
  for (const { from, to } of tests.flatMap(imports)) importers.set(to, [...(importers.get(to) ?? []), from])
  const found = new Set(['test/sample.ts'])
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return [...found].filter(file => file.endsWith('.test.ts'))
}

process.env.ANTIPHON_SAMPLE ??= 'all'
const hasBrowser = (await chromiumPath()) !== undefined

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.fuzz.ts', ...sampled()],
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile') },
    exclude: hasBrowser ? [] : ['test/apps/viewer/browser/**'],
    globalSetup: ['test/global-setup.ts', ...(hasBrowser ? ['test/apps/viewer/browser/build-page.ts'] : [])],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default'],
  },
})
