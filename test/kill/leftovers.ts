import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'

/** What must not outlive this process, however it ends: also a process that sleeps for good, and hears of nothing. */
export const leftovers = { processes: new Set<ChildProcess>(), folders: new Set<string>() }

function clear(): void {
  for (const child of leftovers.processes) child.kill('SIGKILL')
  for (const folder of leftovers.folders) rmSync(folder, { recursive: true, force: true })
}

process.on('exit', clear)
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    clear()
    process.kill(process.pid, signal)
  })
