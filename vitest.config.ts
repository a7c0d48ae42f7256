import { defineConfig } from 'vitest/config'

/** Their files share what they have loaded, which is large: the SDKs and frameworks of others. None of them leaves anything behind. */
const sharing = ['adapters', 'codecs', 'fetch', 'strict'].map(folder => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    environment: 'node',
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
