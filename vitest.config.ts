import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chromiumPath, noChromium } from './test/apps/viewer/browser/chromium.ts'

/** Their files share what they have loaded, which is large: the SDKs and frameworks of others. None of them leaves anything behind. */
const sharing = ['codecs', 'integrations', 'strict'].map(folder => `test/${folder}/**/*.test.ts`)

/**
 * Nothing but the healing itself on a great many histories, and the broker in a great many orders. They share a process, so
 * that it is compiled for speed once.
 */
const healing = [
  ...['core', 'laws', 'oracle', 'translators'].map(folder => `test/${folder}/**/*.test.ts`),
  ...['convert', 'detect', 'findings', 'hostile', 'pending', 'request', 'shapes', 'trim'].map(
    name => `test/heal/${name}.test.ts`,
  ),
  ...['codecs/codecs', 'codecs/replies-streams', 'journal/crash', 'journal/simulation', 'strict/agreement'].map(
    name => `test/${name}.test.ts`,
  ),
]

/** What is tried in a browser, if there is one. */
const inBrowser = ['test/apps/viewer/browser/**/*.test.ts', 'test/integrations/*/browser/**/*.test.ts']
const hasBrowser = (await chromiumPath()) !== undefined
if (!hasBrowser) process.stderr.write(`${noChromium}\n`)

/** Our own parts and little else. None of them leaves anything behind, so that a process for each would only load it all again. */
const together = ['apps', 'doctor', 'integrations/proxy', 'journal', 'kill', 'observe/tape', 'security'].map(
  folder => `test/${folder}/**/*.test.ts`,
)

/** It exchanges modules, which only the test runner's own way of loading them lets it do. */
const exchanging = ['test/journal/mutations.test.ts']

/** What Node has compiled once: hundreds of processes are started, most of them to run the same files. */
const compiled = join(import.meta.dirname, 'node_modules/.cache/node-compile')

/** Many files share a process, and Node runs them as they are: calls between the modules of the test runner are slower. */
const asTheyAre = { isolate: false, experimental: { viteModuleRunner: false } }

/** They take minutes, most of them without a core: begun last, they would keep everything waiting. */
const longest = ['kill/rebalance', 'kill/pgbouncer', 'kill/failover', 'viewer/browser/site', 'durable-objects/fetch']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some(name => moduleId.endsWith(`/${name}.test.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    sequence: { sequencer: LongestFirst },
    env: { NODE_COMPILE_CACHE: compiled },
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    // Twice the two cores of a small machine: many tests wait for processes that end, for disks and for time.
    maxWorkers: 4,
    // They end what hangs, and say nothing of speed: a shared machine may give us a tenth of a core for minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default'],
    projects: [
      { extends: true, test: { name: 'healing', include: healing, ...asTheyAre } },
      {
        extends: true,
        test: { name: 'sharing', include: sharing, exclude: [...healing, ...together, ...inBrowser], isolate: false },
      },
      {
        extends: true,
        test: { name: 'together', include: together, exclude: [...healing, ...exchanging, ...inBrowser], ...asTheyAre },
      },
      { extends: true, test: { name: 'exchanging', include: exchanging } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...sharing, ...healing, ...together, ...inBrowser],
        },
      },
      ...(hasBrowser
        ? [
            {
              extends: true as const,
              test: {
                name: 'browser',
                include: inBrowser,
                globalSetup: 'test/apps/viewer/browser/build-page.ts',
                ...asTheyAre,
              },
            },
          ]
        : []),
    ],
  },
})
