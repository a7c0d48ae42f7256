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
  /** What of the package runs on it, as docs/dependencies.md says. */
  readonly runs: 'the core' | 'all but SQLite' | 'all'
}

const tool = (name: string): string => join(home, 'node_modules/.bin', name)
const nodeOf = (name: string): string => join(home, 'node_modules', name, 'bin/node')

export const runtimes: readonly Runtime[] = [
  { name: 'Node 18', command: [nodeOf('node-18')], runs: 'the core' },
  { name: 'Node 20.19', command: [nodeOf('node-20')], runs: 'all but SQLite' },
  { name: 'Node 22.18', command: [tool('node')], runs: 'all' },
  { name: `Node ${process.versions.node.split('.', 1)}`, command: [process.execPath], runs: 'all' },
  { name: 'Bun', command: [tool('bun')], runs: 'all' },
  { name: 'Deno', command: [tool('deno'), 'run', '--allow-all', '--quiet'], runs: 'all' },
]

/** Installs what only this script needs, if it is missing. */
export async function ensureTools(say: (line: string) => void): Promise<void> {
  const { dependencies } = await readJson(join(home, 'package.json'))
  const missing = await Promise.all(
    Object.entries(dependencies ?? {}).map(async ([name, version]) => (await versionOf(name)) !== version),
  )
  if (!missing.includes(true)) return
  say('installing Node 18, 20 and 22, Bun, Deno and others (npm ci --prefix scripts/package), about a minute')
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
