import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The other processes that have one of these files open for writing, as far as the system tells: Linux does, of the
 * processes that one may look at.
 */
export function writersOf(files: ReadonlySet<string>): number[] {
  const writers: number[] = []
  for (const entry of list('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    if (list(`/proc/${pid}/fd`).some(handle => writes(pid, handle, files))) writers.push(pid)
  }
  return writers
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function writes(pid: number, handle: string, files: ReadonlySet<string>): boolean {
  try {
    if (!files.has(readlinkSync(`/proc/${pid}/fd/${handle}`))) return false
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${handle}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
  } catch {
    return false
  }
}
