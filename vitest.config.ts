import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Their files share what they have loaded, which is large: the SDKs and frameworks of others. None of them leaves anything behind. */
const sharing = ['adapters', 'codecs', 'fetch', 'strict'].map(folder => `test/${folder}/**/*.test.ts`)

/** What Node has compiled once: hundreds of processes are started, most of them to run the same files. */
const compiled = join(import.meta.dirname, 'node_modules/.cache/node-compile')

export default defineConfig({
  test: {
    environment: 'node',
    env: { NODE_COMPILE_CACHE: compiled },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: sharing } },
    ],
  },
})
