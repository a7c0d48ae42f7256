import { realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, resolve, sep } from 'node:path'

/**
 * Whether a process with this working directory may have written a file: it works in the folder of the file or in one
 * above it. Folders that contain everything (the root, the temporary folder, the home folder) do not count as evidence, unless
 * the file itself is in them.
 */
export function worksNear(path: string): (folder: string) => boolean {
  const own = dirname(realOf(path))
  const common = [homedir(), tmpdir()].map(realOf)
  return folder =>
    folder === own || (isBelow(own, folder) && !common.some(one => one === folder || isBelow(one, folder)))
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Processes report their working directory without links. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Runtimes of programs that users write themselves. */
export const runtimes: readonly string[] = [
  ...['node', 'nodejs', 'bun', 'deno', 'next-server'],
  ...['python', 'python3', 'pypy', 'pypy3'],
  ...['dotnet', 'java', 'ruby', 'php', 'beam.smp'],
]
