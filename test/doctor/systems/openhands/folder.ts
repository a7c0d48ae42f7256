import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Files } from './view.ts'

/** Writes the files of a conversation into a new folder, and returns its path. */
export function written(files: Files, folder: string, name = '9b2e6c1f5a344d7e8f103c6a1b2d4e5f'): string {
  const path = join(folder, name)
  for (const [file, bytes] of files) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), bytes)
  }
  return path
}

/** The files of a conversation. */
export function filesIn(path: string): Map<string, Buffer> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = entries.map(entry => join(entry.parentPath, entry.name)).sort()
  return new Map(paths.map(file => [relative(path, file), readFileSync(file)]))
}
