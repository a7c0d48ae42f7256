import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from './version.ts'

/** A page of the package as a path that can be opened from the working directory: `docs/...` alone is not in the project of a user. */
export function pagePath(page: string): string {
  const path = fileURLToPath(packageFile(page))
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
