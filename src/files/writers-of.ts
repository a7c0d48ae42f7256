import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * The other processes that have one of these files open for writing, as far as the system tells: Linux does, of the
 * processes that one may look at.
 */
export function writersOf(files: Iterable<string>): number[] {
  const names = new Set([...files].flatMap(nameOf))
  const writers: number[] = []
  for (const entry of list('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    if (list(`/proc/${pid}/fd`).some(handle => writes(pid, handle, names))) writers.push(pid)
  }
  return writers
}

/** The name that the system knows a file by. */
function nameOf(file: string): string[] {
  try {
    return [realpathSync(file)]
  } catch {
    return []
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function writes(pid: number, handle: string, names: ReadonlySet<string>): boolean {
  try {
    if (!names.has(readlinkSync(`/proc/${pid}/fd/${handle}`))) return false
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${handle}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
  } catch {
    return false
  }
}
