import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { processNames } from './process-names.ts'
import type { ProcessTable, RunningProcess } from './process-table.ts'
import { windowsProgram } from './windows-program.ts'

/**
 * The processes on Windows. It shows no working directories, and that a file is open only by denying exclusive access.
 */
export function windowsProcesses(): ProcessTable {
  return {
    processes: parseProcessList(list()),
    tellsHandles: false,
    writersOf: files => ([...files].some(isOpen) ? [0] : []),
  }
}

function list(): string {
  try {
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, windowsHide: true } as const
    const program = windowsProgram('WindowsPowerShell/v1.0/powershell.exe')
    return execFileSync(program, ['-NoProfile', '-NonInteractive', '-Command', query], options)
  } catch {
    throw new Error('cannot run powershell.exe to list the processes')
  }
}

const query =
  'ConvertTo-Json -Compress @(Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,Name,ExecutablePath,CommandLine)'

/** Parses the list as JSON. */
export function parseProcessList(json: string): RunningProcess[] {
  const rows = JSON.parse(json) as readonly Record<string, unknown>[]
  return rows.flatMap(({ ProcessId: pid, ParentProcessId: parent, Name, ExecutablePath, CommandLine }) => {
    if (typeof pid !== 'number' || pid === process.pid) return []
    const args = [...String(CommandLine ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    )
    const names = processNames(String(Name ?? ''), String(ExecutablePath ?? ''), args)
    return [{ pid, parent: Number(parent), names, isReadable: false }]
  })
}

/** Whether another process has a file open: then it cannot be opened exclusively. */
function isOpen(file: string): boolean {
  try {
    closeSync(openSync(file, constants.O_RDWR | alone))
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'EBUSY'
  }
}

/** UV_FS_O_EXLOCK of libuv. */
const alone = 0x10000000
