import type { ProcessTable } from './process-table.ts'
import { linuxProcesses } from './processes-linux.ts'
import { lsofProcesses } from './processes-lsof.ts'
import { windowsProcesses } from './processes-windows.ts'

/** Lists all processes. Throws with the reason if the operating system does not show them. */
export function lookAtProcesses(platform: string = process.platform): ProcessTable {
  if (platform === 'linux' || platform === 'android') return linuxProcesses()
  return platform === 'win32' ? windowsProcesses() : lsofProcesses()
}

/** Whether another process has this version of a file open for writing; false where versions cannot be told apart. */
export function isOpenElsewhere(path: string): boolean {
  try {
    const { tellsVersions = false, writersOf } = lookAtProcesses()
    return tellsVersions && writersOf([path]).length > 0
  } catch {
    return false
  }
}
