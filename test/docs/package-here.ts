import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { programFile } from '../programs.ts'
import { read, root, sourceOfExport } from '../repository.ts'

/**
 * A folder in which the package is called by its name as in a clone, but is made of the sources as they are now, whatever
 * was built. Programs in it import `antiphon`, and all that is installed.
 */
export function packageHere(): { readonly folder: string; readonly close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-docs-'))
  for (const name of ['src', 'node_modules', 'test']) symlinkSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), manifestOfSources(folder))
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  return { folder, close: () => rmSync(folder, { recursive: true }) }
}

function manifestOfSources(folder: string): string {
  const { exports, ...manifest } = JSON.parse(read('package.json') ?? '')
  for (const subpath of Object.keys(exports))
    if (typeof exports[subpath] === 'object') exports[subpath] = `./${sourceOfExport(subpath)}`
  return JSON.stringify({ ...manifest, exports, bin: { antiphon: relative(folder, programFile('antiphon')) } })
}
