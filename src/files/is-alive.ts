/** Whether a process runs, as far as one can tell. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Whether another process with this number is at work. Ours may have had it before: in a container numbers come again. */
export const isAtWork = (pid: number): boolean => pid !== process.pid && isAlive(pid)
