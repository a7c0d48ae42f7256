import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isRecord } from '../../core/conversation.ts'
import { failureReason, fileError } from '../../doctor/files/file-error.ts'
import { parseJson } from '../../doctor/files/parse-json.ts'
import { readRegularFile } from '../../doctor/files/regular-file.ts'

/** What a folder says about the project in it. */
export interface Project {
  readonly folder: string
  /** Packages of package.json with their ranges; undefined without one. */
  readonly packages?: ReadonlyMap<string, string>
  /** Packages of requirements.txt and pyproject.toml; undefined without one. */
  readonly python?: ReadonlySet<string>
  readonly install: string
  /** Notes for the user. */
  readonly notes: readonly string[]
}

export function readProject(folder: string): Project {
  const files = namesIn(folder)
  const read = (name: string): string | undefined => (files.has(name) ? readText(join(folder, name)) : undefined)
  const packages = packagesIn(join(folder, 'package.json'), read('package.json'))
  const required = [...files].filter(name => /^requirements[\w.-]{0,40}\.txt$/.test(name)).map(name => read(name) ?? '')
  const python = pythonNames([...required, read('pyproject.toml') ?? ''])
  const isPython = required.length > 0 || files.has('pyproject.toml')
  const [, manager = 'npm install'] = lockFiles.find(([name]) => files.has(name)) ?? []
  const settings = read('tsconfig.json') ?? ''
  const isOld = /"moduleResolution"\s{0,9}:\s{0,9}"(classic)"/i.test(settings)
  return {
    ...{ folder, install: `${manager} antiphon` },
    ...(packages && { packages }),
    ...(isPython && { python }),
    notes: isOld
      ? ['tsconfig.json: "moduleResolution": "classic" does not find packages; use "bundler" or "nodenext"']
      : [],
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder))
  } catch (error) {
    throw fileError(folder, failureReason(error))
  }
}

function readText(path: string): string {
  try {
    return readRegularFile(path)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
  } catch (error) {
    throw fileError(path, failureReason(error))
  }
}

function packagesIn(path: string, text: string | undefined): ReadonlyMap<string, string> | undefined {
  if (text === undefined) return undefined
  const manifest = parseJson(text, path, JSON.parse)
  if (!isRecord(manifest)) throw fileError(path, 'it is not an object')
  const { dependencies, devDependencies, peerDependencies } = manifest
  return new Map(
    [peerDependencies, devDependencies, dependencies].flatMap(list =>
      isRecord(list) ? Object.entries(list).map(([name, range]) => [name, String(range)] as const) : [],
    ),
  )
}

/** If several lock files exist, the first in this list decides. */
const lockFiles: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm add'],
  ['yarn.lock', 'yarn add'],
  ['bun.lock', 'bun add'],
  ['bun.lockb', 'bun add'],
]

/** Names as in `openai>=1`, `"openai[realtime]~=1.2"` and `openai = "^1"`. */
function pythonNames(texts: readonly string[]): ReadonlySet<string> {
  const lines = texts.flatMap(text => text.split(/[\n,[]/))
  return new Set(
    lines.flatMap(
      line => /^\s{0,50}["']?([A-Za-z][\w.-]{0,80})/.exec(line.replace(/#.*/, ''))?.[1]?.toLowerCase() ?? [],
    ),
  )
}

export interface SourceFile {
  /** Relative to the folder of the project. */
  readonly name: string
  readonly bytes: Buffer
}

/** The code of a project, without what is installed, built or a test. Links are not followed. */
export function* sourceFiles(folder: string): Generator<SourceFile> {
  const waiting = [folder]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = readdirSync(next, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.test(entry.name)) waiting.push(path)
      if (!entry.isFile() || !isSource.test(entry.name) || isTest.test(entry.name)) continue
      if (++count > filesMax) return
      if (statSync(path).size > bytesMax) continue
      const bytes = readRegularFile(path)
      yield { name: relative(folder, path), bytes }
    }
  }
}

const skipped = /^(node_modules|dist|build|out|coverage|vendor|__tests__|tests?)$/
const isSource = /\.[mc]?[jt]sx?$/
const isTest = /\.(test|spec|d)\.[mc]?[jt]sx?$/
const filesMax = 5_000
const bytesMax = 1_000_000
