import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { chromiumPath, noChromium } from './test/viewer/browser/chromium.ts'

/** Their files share what they have loaded, which is large: the SDKs and frameworks of others. None of them leaves anything behind. */
const sharing = ['adapters', 'codecs', 'fetch', 'strict'].map(folder => `test/${folder}/**/*.test.ts`)

/**
 * Nothing but the healing itself, on a great many histories. They share a process, so that it is compiled for speed once, and
 * Node runs their files as they are: calls between the modules of the test runner are slower.
 */
const healing = [
  ...['core', 'laws', 'oracle'].map(folder => `test/${folder}/**/*.test.ts`),
  ...['codecs', 'convert', 'detect', 'hostile', 'pending', 'request', 'shapes', 'trim'].map(
    name => `test/${name}.test.ts`,
  ),
]

/** What is tried in a browser, if there is one. */
const inBrowser = ['test/viewer/browser/**/*.test.ts']
const hasBrowser = (await chromiumPath()) !== undefined
if (!hasBrowser) process.stderr.write(`${noChromium}\n`)

/** What Node has compiled once: hundreds of processes are started, most of them to run the same files. */
const compiled = join(import.meta.dirname, 'node_modules/.cache/node-compile')

export default defineConfig({
  test: {
    environment: 'node',
    env: { NODE_COMPILE_CACHE: compiled },
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: { name: 'healing', include: healing, isolate: false, experimental: { viteModuleRunner: false } },
      },
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      {
        extends: true,
        test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: [...sharing, ...healing, ...inBrowser] },
      },
      ...(hasBrowser
        ? [
            {
              extends: true as const,
              test: { name: 'browser', include: inBrowser, globalSetup: 'test/viewer/browser/build-page.ts' },
            },
          ]
        : []),
    ],
  },
})
