import { existsSync } from 'node:fs'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { npm } from './spawn.ts'
import { root } from './tools.ts'

/** A folder for everything that is made here. None of the packages that must be missing there lies in a folder above it. */
export async function makeFolder(missing: readonly string[]): Promise<string> {
  for (let above = tmpdir(); ; above = dirname(above)) {
    const found = missing.find(name => existsSync(join(above, 'node_modules', name)))
    if (found !== undefined)
      throw new Error(`${above} has ${found} in its node_modules: set TMPDIR to a folder that has none above it`)
    if (above === dirname(above)) return mkdtemp(join(tmpdir(), 'antiphon-package-'))
  }
}

export interface Packed {
  /** The tarball. */
  readonly file: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** Packs what `npm publish` would. Packing builds. */
export async function pack(folder: string): Promise<Packed> {
  const told = await npm(root, 'pack', '--json', '--pack-destination', folder)
  // The build tells of itself first.
  const packed = Object.values(JSON.parse(told.slice(told.search(/^[[{]/m))))[0] as Packed & { filename: string }
  return { ...packed, file: join(folder, packed.filename) }
}

/** An empty project with the package in it, without any of its optional peers, and the programs that try it. */
export async function makeProject(folder: string, name: string, tarball: string): Promise<string> {
  const project = await mkdtemp(join(folder, `${name}-`))
  await writeFile(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  await npm(project, 'install', '--no-audit', '--no-fund', '--ignore-scripts', tarball)
  await cp(join(import.meta.dirname, 'programs'), project, { recursive: true })
  return project
}
