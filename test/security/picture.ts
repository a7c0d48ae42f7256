import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Everything in a folder: the bytes and the times of files, and links as what they say. No link is followed. */
export function picture(folder: string, top = folder): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const name = relative(top, path)
    if (entry.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`
    else if (entry.isFile()) found[name] = `${lstatSync(path).mtimeMs} ${readFileSync(path, 'latin1')}`
    else Object.assign(found, { [name]: 'folder' }, picture(path, top))
  }
  return found
}
