import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { isAlive } from './is-alive.ts'
import { processNames } from './process-names.ts'
import type { ProcessTable, RunningProcess } from './process-table.ts'

/** The processes on macOS and other Unix systems, from ps and lsof. */
export function lsofProcesses(): ProcessTable {
  const table = parsePsAndLsof(
    run('ps', ['-axww', ...['pid=', 'ppid=', 'uid=', 'state=', 'args='].flatMap(column => ['-o', column])]),
    run('lsof', ['-nPw', '-F', 'pfan']),
  )
  // A process that ended after `ps` is not one whose folder may not be seen.
  return { ...table, processes: table.processes.filter(({ pid, folder }) => folder !== undefined || isAlive(pid)) }
}

function run(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', maxBuffer: outputMax, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // lsof also ends with an error if it left out what it may not see.
    const { stdout, code } = error as { stdout?: unknown; code?: string }
    if (code === undefined && typeof stdout === 'string' && stdout !== '') return stdout
    throw new Error(`cannot run ${program} to list the processes and their open files`)
  }
}

const outputMax = 256 * 1024 * 1024

/** Parses the output of `ps` with the columns pid, ppid, uid, state and args, and the output of `lsof -F pfan`. */
export function parsePsAndLsof(ps: string, lsof: string): ProcessTable {
  const { open, writers } = readOpen(lsof)
  const processes = ps.split('\n').flatMap((line): RunningProcess[] => {
    const [, pid, parent, user, state = '', words = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || state.startsWith('Z') || Number(pid) === process.pid) return []
    const { file = '', folder } = open.get(Number(pid)) ?? {}
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        user: Number(user),
        names: processNames('', file, words.split(' ')),
        ...(folder === undefined ? {} : { folder }),
        isReadable: folder !== undefined,
      },
    ]
  })
  return {
    processes,
    tellsHandles: true,
    writersOf: files => [...new Set([...files].flatMap(file => writersAt(file, writers)))],
  }
}

interface Open {
  file?: string
  folder?: string
}

/** Lines that begin with a letter: p for a process, f for an open file, and then its access (a) and its name (n). */
function readOpen(lsof: string): { open: Map<number, Open>; writers: Map<string, number[]> } {
  const open = new Map<number, Open>()
  const writers = new Map<string, number[]>()
  let pid = 0
  let handle = ''
  let access = ''
  for (const line of lsof.split('\n')) {
    const value = line.slice(1)
    if (line[0] === 'p') {
      pid = Number(value)
      open.set(pid, {})
    } else if (line[0] === 'f') {
      handle = value
      access = ''
    } else if (line[0] === 'a') access = value.trim()
    else if (line[0] === 'n') {
      const one = open.get(pid) ?? {}
      if (handle === 'cwd') one.folder = value
      else if (handle === 'txt') one.file ??= value
      else if (/[wu]/.test(access) && pid !== process.pid) writers.set(value, [...(writers.get(value) ?? []), pid])
    }
  }
  return { open, writers }
}

function writersAt(file: string, writers: ReadonlyMap<string, readonly number[]>): readonly number[] {
  const name = nameOf(file)
  if (!file.endsWith('/')) return writers.get(name) ?? []
  return [...writers].flatMap(([path, pids]) => (path.startsWith(`${name}/`) ? pids : []))
}

function nameOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
