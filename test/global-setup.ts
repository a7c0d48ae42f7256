import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import type { TestProject } from 'vitest/node'
import { templateKey } from './journal/stores/postgres-programs.ts'
import { memoryFolder } from './memory-folder.ts'
import { placeKey, programs, root } from './programs.ts'
import { sampleSeed, triesAll } from './sample.ts'

/** What is there for one run of the tests, and gone after it. */
const made: string[] = []

export async function setup({ vitest }: TestProject): Promise<void> {
  // Every project comes here, and one of them is enough. Who watches the sources wants them as they are now.
  if (process.env[placeKey] !== undefined || vitest.config.watch) return
  process.once('exit', teardown)
  if (!triesAll) console.log(`Long tests try a part, chosen by ANTIPHON_SAMPLE=${sampleSeed}; npm run fuzz tries all.`)
  const memory = memoryFolder()
  if (memory !== undefined) {
    made.push(memory)
    process.env.TMPDIR = memory
  }
  const clusters = mkdtempSync(join(tmpdir(), 'antiphon-clusters-'))
  made.push(clusters)
  process.env[templateKey] = clusters
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const place = mkdtempSync(join(cache, 'programs-'))
  made.push(place)
  process.env[placeKey] = place
  try {
    await bundle(place)
  } catch (error) {
    // The tests of what is broken will say so; the others can do without.
    delete process.env[placeKey]
    console.warn('the programs are started from their sources:', error)
  }
}

export function teardown(): void {
  for (const path of made) rmSync(path, { recursive: true, force: true })
}

/** The programs in a few files, with packages left where they are. */
async function bundle(place: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [ownPlaces],
    build: {
      ...{ ssr: true, outDir: place, minify: false, target: 'node22' },
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)])),
        output: { codeSplitting: { groups: [{ name: chunks() }], includeDependenciesRecursively: false } },
      },
    },
  })
}

/** What starts most often. */
const often = ['program', 'commands/check', 'commands/threads', 'commands/doctor/doctor', 'commands/view']

/**
 * Most of a start goes into finding and reading files: what one of these imports, and none before it, is in one chunk, and what of it
 * belongs to the command line in another, since the other programs do without that.
 */
function chunks(): Rolldown.CodeSplittingGroup['name'] {
  const names = new Map<string, string>()
  return (id, graph) => {
    if (names.size === 0)
      for (const name of often)
        for (const needed of reach(join(root, `src/apps/cli/${name}.ts`), graph)) {
          const part = needed.includes('/src/apps/') ? 'command' : 'needs'
          if (!names.has(needed)) names.set(needed, `${basename(name)}-${part}`)
        }
    return names.get(id) ?? null
  }
}

/** A module, and all that it imports on its own or through others. */
function reach(source: string, graph: Rolldown.ChunkingContext): ReadonlySet<string> {
  const reached = new Set([source])
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
  return reached
}

/** A module that looks for a file beside itself finds it where the module was written. */
const ownPlaces: Plugin = {
  name: 'own-places',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.')) return undefined
    const places = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id }
    const own = (_: string, name: keyof typeof places) => JSON.stringify(places[name])
    return { code: code.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, own), map: null }
  },
}
