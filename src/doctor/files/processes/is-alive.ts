import { readFileSync } from 'node:fs'

/** Whether a process runs, as far as one can tell. One that was killed and that its parent has not taken note of does not. */
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

/** Whether another process with this number is at work. Ours may have had it before: in a container numbers come again. */
export const isAtWork = (pid: number): boolean => pid !== process.pid && isAlive(pid)
