import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { processNames } from './process-names.ts'
import type { ProcessTable, RunningProcess } from './process-table.ts'

/** The processes on Linux, from /proc. */
export function linuxProcesses(): ProcessTable {
  const numbers = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  if (!numbers.includes(String(process.pid))) throw new Error('/proc does not show the processes')
  const handles: Handle[] = []
  const processes = numbers.flatMap(number => {
    const pid = Number(number)
    return pid === process.pid ? [] : (processAt(pid, handles) ?? [])
  })
  return { processes, tellsHandles: true, tellsVersions: true, writersOf: files => writersOf(files, handles) }
}

/** A file that a process has open: the name under which it was opened. */
interface Handle {
  readonly pid: number
  readonly number: string
  readonly path: string
}

function processAt(pid: number, handles: Handle[]): RunningProcess | undefined {
  const stat = statOf(pid)
  if (!stat) return undefined
  const args = (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0').filter(Boolean)
  const file = attempt(() => readlinkSync(`/proc/${pid}/exe`)) ?? ''
  const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`))
  // A process that ends has no folder any more; that is not one whose folder may not be seen.
  if (folder === undefined && statOf(pid)?.isEnding !== false) return undefined
  const user = attempt(() => statSync(`/proc/${pid}`).uid)
  const open = attempt(() => readdirSync(`/proc/${pid}/fd`))
  for (const number of open ?? []) {
    const path = attempt(() => readlinkSync(`/proc/${pid}/fd/${number}`))
    if (path?.startsWith('/')) handles.push({ pid, number, path })
  }
  return {
    pid,
    parent: stat.parent,
    ...(user === undefined ? {} : { user }),
    ...(stat.start === undefined ? {} : { start: stat.start }),
    names: processNames(stat.name, withoutMark(file), args),
    ...(folder === undefined ? {} : { folder }),
    isReadable: open !== undefined,
  }
}

/** What the kernel says of a process; undefined if there is none, or it is a zombie. */
function statOf(pid: number): { name: string; parent: number; isEnding: boolean; start?: string } | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  const end = stat.lastIndexOf(')')
  const [state = '', parent, ...rest] = stat.slice(end + 2).split(' ')
  if (/^[ZXx]$/.test(state)) return undefined
  const [flags, start] = [Number(rest[4]), rest[17]]
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(parent),
    isEnding: (flags & endingFlag) !== 0,
    ...(start === undefined ? {} : { start }),
  }
}

/** PF_EXITING of the kernel: a process gives back its files and its folder before it becomes a zombie. */
const endingFlag = 4

/** What the kernel appends to the name of a deleted file. */
const withoutMark = (path: string): string => path.replace(/ \(deleted\)$/, '')

/**
 * A file is identified by its name, and by its inode where the name may differ (in a container, or right after the name
 * was given to another file).
 */
function writersOf(files: Iterable<string>, handles: readonly Handle[]): number[] {
  const names = new Set<string>()
  const folders: string[] = []
  const inodes = new Set<string>()
  for (const file of files) {
    const name = attempt(() => realpathSync(file))
    if (name === undefined) continue
    if (file.endsWith('/')) folders.push(`${name}/`)
    names.add(name)
    inodes.add(inodeOf(name) ?? '')
  }
  const bases = new Set([...names].map(name => basename(name)))
  const isOne = ({ pid, number, path }: Handle): boolean => {
    if (names.has(path) || folders.some(folder => path.startsWith(folder))) return true
    const mayBe = path !== withoutMark(path) || bases.has(basename(path))
    return mayBe && inodes.has(inodeOf(`/proc/${pid}/fd/${number}`) ?? 'none')
  }
  return [...new Set(handles.filter(handle => isOne(handle) && writes(handle)).map(({ pid }) => pid))]
}

function inodeOf(path: string): string | undefined {
  return attempt(() => {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  })
}

function writes({ pid, number }: Handle): boolean {
  const text = attempt(() => readFileSync(`/proc/${pid}/fdinfo/${number}`, 'utf8')) ?? ''
  const flags = /^flags:\s*([0-7]+)/m.exec(text)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
}

/** A process may end while it is read, and other users' processes are not visible. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
