import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npm } from './spawn.ts'

const home = import.meta.dirname

export const root = join(home, '../..')

/** A runtime that the package is tried on, and how a program is run on it. */
export interface Runtime {
  readonly name: string
  readonly command: readonly string[]
}

const tool = (name: string): string => join(home, 'node_modules/.bin', name)

export const runtimes: readonly Runtime[] = [
  { name: 'Node 22.18', command: [tool('node')] },
  { name: `Node ${process.versions.node.split('.', 1)}`, command: [process.execPath] },
  { name: 'Bun', command: [tool('bun')] },
  { name: 'Deno', command: [tool('deno'), 'run', '--allow-all', '--quiet'] },
]

/** Installs what only this script needs, if it is missing. */
export async function ensureTools(say: (line: string) => void): Promise<void> {
  const { dependencies } = await readJson(join(home, 'package.json'))
  const missing = await Promise.all(
    Object.entries(dependencies ?? {}).map(async ([name, version]) => (await versionOf(name)) !== version),
  )
  if (!missing.includes(true)) return
  say('installing Node 22.18, Bun, Deno and esbuild (npm ci --prefix scripts/package), about a minute')
  await npm(root, 'ci', '--prefix', home)
}

async function versionOf(name: string): Promise<string | undefined> {
  const file = join(home, 'node_modules', name, 'package.json')
  return existsSync(file) ? (await readJson(file)).version : undefined
}

export interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const readJson = async (file: string): Promise<Manifest> => JSON.parse(await readFile(file, 'utf8'))

/** The specifiers that the package offers: `antiphon`, `antiphon/fetch`, ... */
export const specifiersOf = ({ exports }: Manifest): string[] =>
  Object.keys(exports)
    .filter(subpath => !subpath.endsWith('.json'))
    .map(subpath => `antiphon${subpath.slice(1)}`)
