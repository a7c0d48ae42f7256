import { readFileSync } from 'node:fs'

/** Whether a process is running, as far as that can be determined. A zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZXx] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * Whether another process with this id is running. An earlier process may have had our own id: containers reuse them.
 */
export const isAtWork = (pid: number): boolean => pid !== process.pid && isAlive(pid)
