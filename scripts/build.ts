import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type InputOptions, type ModuleInfo, type Plugin, type RolldownOutput, rolldown } from 'rolldown'
import { codecs } from '../src/codecs/index.ts'

/**
 * Builds `dist/`: the library and the command line in a few files, all in one folder, so that a file is found next to any
 * other; the declarations that users can reach, in `dist/types/`, unless `--no-types` is given; and the page of the viewer.
 */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly bin: { readonly antiphon: string }
}

const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const entries = Object.values(exports).filter(target => typeof target === 'object')
const sourceOf = (types: string): string => types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts')
const healWorker = 'src/integrations/proxy/heal-worker.ts'
const nameOf = (file: string): string => file.replace(/^(\.\/)?dist\//, '').replace(/\.js$/, '')

/** Packages that only the command line uses: bundled, they are small and load fast, and users do not install them. */
const bundled = ['commander', '@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod']

/** An import of another declaration. */
const importOfOwn = /(from |import\(|import )'(\.[^']+)\.ts'/g

/**
 * Marks the values of top-level constants, so that a bundler drops those that its user does not need: it can prove little of a call to
 * be without effect. The package says of all its modules that loading them has none.
 */
const markValues: Plugin = {
  name: 'mark-values',
  renderChunk(code) {
    const values = this.parse(code).body.flatMap(statement => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type !== 'VariableDeclaration') return []
      return declaration.declarations.flatMap(({ init }) => (init && mayHaveEffect(init) ? [init] : []))
    })
    return values.reduceRight((marked, { start, end }) => {
      const value = code.slice(start, end)
      return `${marked.slice(0, start)}/* @__PURE__ */ (() => (${value}))()${marked.slice(end)}`
    }, code)
  },
}

type Value = { readonly type: string; readonly start: number; readonly end: number }

/** Whether a value is more than a literal, a function or a class. A module that awaits something stays as it is. */
const mayHaveEffect = ({ type }: Value): boolean =>
  !/^(Literal|Identifier|(ArrowFunction|Function|Class|Await|Import)Expression)$/.test(type)

rmSync(dist, { recursive: true, force: true })
await bundle()
writeLicences()
if (!process.argv.includes('--no-types')) declare()
execFileSync(
  process.execPath,
  [programOf('vite', 'bin/vite.js'), 'build', 'src/apps/viewer/page', '--logLevel', 'warn'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)

/**
 * Node takes about a millisecond for each file that it loads, so that what `antiphon` loads is in a few chunks: what every format
 * needs, what some need, and the rest.
 */
async function bundle(): Promise<void> {
  const imports: Imports = new Map()
  const library = Object.fromEntries(entries.map(target => [nameOf(target.default), sourceOf(target.types)]))
  const input = {
    ...library,
    [nameOf(bin.antiphon)]: 'src/apps/cli/main.ts',
    'heal-worker': healWorker,
  }
  const options: InputOptions = {
    ...{ cwd: root, platform: 'node', external: isExternal, transform: { target: 'es2022' } },
    // Required if a chunk contains only the modules of its group, not those that they import.
    preserveEntrySignatures: 'allow-extension',
  }
  const plugins = [{ name: 'imports', moduleParsed: (module: ModuleInfo) => imports.set(module.id, module) }]
  const scan = await rolldown({ ...options, input, plugins })
  await scan.generate()
  await scan.close()
  const codeSplitting = { groups: chunksOf(imports), includeDependenciesRecursively: false }
  const names = (extension: string) => ({
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
  })
  const modules = await rolldown({ ...options, input, plugins: [markValues] })
  const built = await modules.write({ dir: dist, codeSplitting, ...names('js') })
  await modules.close()
  // For a Node whose `require` cannot load modules.
  const commonJs = await rolldown({ ...options, input: library })
  const required = await commonJs.write({ dir: dist, codeSplitting, format: 'cjs', ...names('cjs') })
  await commonJs.close()
  const [packages, packagesRequired] = [packagesOf(built), packagesOf(required)]
  for (const name of Object.keys(library))
    if (packagesRequired[name] !== packages[name])
      throw new Error(
        `${name}.cjs loads ${packagesRequired[name] || 'no package'}, ${name}.js ${packages[name] || 'none'}`,
      )
  chmodSync(join(root, bin.antiphon), 0o755)
}

/** The packages that each entry loads at once. A helper of the bundler in the wrong chunk can add one. */
function packagesOf({ output }: RolldownOutput): Readonly<Record<string, string>> {
  const chunks = new Map(output.flatMap(chunk => (chunk.type === 'chunk' ? [[chunk.fileName, chunk] as const] : [])))
  const loaded = (file: string, seen: Set<string>): Set<string> => {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const next of chunks.get(file)?.imports ?? []) loaded(next, seen)
    return seen
  }
  const isPackage = (file: string): boolean => !chunks.has(file) && !isBuiltin(file)
  return Object.fromEntries(
    [...chunks.values()]
      .filter(({ isEntry }) => isEntry)
      .map(({ name, fileName }) => [name, [...loaded(fileName, new Set())].filter(isPackage).toSorted().join(', ')]),
  )
}

type Imports = Map<string, Pick<ModuleInfo, 'importedIds' | 'dynamicallyImportedIds'>>

/** Those that every format needs first, then those that some need, then those that none needs. */
function chunksOf(imports: Imports): { name: string; test: (id: string) => boolean }[] {
  const formats = Object.keys(codecs).map(format => reach([`src/heal/formats/${format}.ts`], imports))
  const front = reach(['src/index.ts'], imports)
  // What `check` needs, and most other commands as well. What is loaded without a command stays apart.
  const commandLine = reach(['src/apps/cli/program.ts', 'src/apps/cli/commands/check.ts'], imports)
  const withoutCommand = [...entries.map(({ types }) => sourceOf(types)), 'src/apps/cli/version.ts', healWorker]
  const apart = reach(withoutCommand, imports, { later: true })
  const isEntry = (id: string): boolean => entries.some(({ types }) => id === join(root, sourceOf(types)))
  const isNeeded = (id: string, count: (formats: number) => boolean): boolean =>
    front.has(id) && !isEntry(id) && count(formats.filter(reached => reached.has(id)).length)
  return [
    { name: 'core', test: id => isNeeded(id, count => count === formats.length) },
    { name: 'formats', test: id => isNeeded(id, count => count > 0) },
    { name: 'heal', test: id => isNeeded(id, () => true) },
    { name: 'cli', test: id => commandLine.has(id) && !apart.has(id) },
  ]
}

/** Modules and all that they import, on their own or through others; with `later`, also what they import when it is used. */
function reach(sources: readonly string[], imports: Imports, { later = false } = {}): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = sources.map(source => join(root, source))
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    const { importedIds = [], dynamicallyImportedIds = [] } = imports.get(id) ?? {}
    waiting.push(...importedIds, ...(later ? dynamicallyImportedIds : []))
  }
  return reached
}

/** Packages and Node's own modules; not the helpers that newer syntax is translated to, nor what is bundled. */
function isExternal(id: string): boolean {
  const isBundled = bundled.some(name => id === name || id.startsWith(`${name}/`))
  return !id.startsWith('.') && !isAbsolute(id) && !isBundled && !/^(@oxc-project\/runtime\/|\0)/.test(id)
}

/** The licences of what is bundled, and of the packages that the page of the viewer contains. */
function writeLicences(): void {
  const texts = [...bundled, 'preact'].map(name => {
    const folder = join(root, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`
  })
  writeFileSync(join(dist, 'licences.txt'), texts.join('\n---\n\n'))
}

/** Copies the declarations that the entries reach, for modules and for CommonJS. */
function declare(): void {
  const declared = mkdtempSync(join(tmpdir(), 'antiphon-types-'))
  try {
    const options = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', declared]
    execFileSync(process.execPath, [programOf('typescript', 'bin/tsc'), ...options], { cwd: root, stdio: 'inherit' })
    const waiting = entries.map(({ types }) => resolve(declared, types.replace('./dist/types/', '')))
    const reached = new Set<string>()
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (reached.has(file)) continue
      reached.add(file)
      const text = readFileSync(file, 'utf8')
      const target = join(dist, 'types', relative(declared, file))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text)
      writeFileSync(target.replace(/\.ts$/, '.cts'), text.replaceAll(importOfOwn, "$1'$2.cts'"))
      for (const [, , path] of text.matchAll(importOfOwn)) waiting.push(resolve(dirname(file), `${path}.d.ts`))
    }
  } finally {
    rmSync(declared, { recursive: true, force: true })
  }
}

function programOf(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)
}
