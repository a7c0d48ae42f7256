import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const root = join(import.meta.dirname, '../..')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** What was said so far. */
  readonly heard: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
}

export function start(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Running {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  const heard = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    heard.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    heard.stderr += chunk
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', code => setTimeout(() => resolve({ code, ...heard }), 200))
  })
  return { child, heard, ended }
}

/** What was started and has not ended; it does not outlive the trial. */
const alive = new Set<ChildProcess>()
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.on('exit', () => {
  for (const { pid } of alive) if (pid !== undefined) tryKill(-pid)
})

/** Runs `antiphon` from the sources. */
export const antiphon = (args: readonly string[], env: NodeJS.ProcessEnv, cwd = root): Running =>
  start(process.execPath, ['--no-warnings', join(root, 'src/apps/cli/main.ts'), ...args], { cwd, env })

/** Starts a server of `antiphon`, and waits for its address. */
export async function serve(args: readonly string[]): Promise<Running & AsyncDisposable & { url: string }> {
  const running = antiphon(args, { ...process.env, NO_COLOR: '1' })
  const address = /http:\/\/127\.0\.0\.1:\d+/
  const isUp = await until(() => address.test(running.heard.stdout) || running.child.exitCode !== null, 120)
  const [url] = address.exec(running.heard.stdout) ?? []
  if (!isUp || url === undefined) throw new Error(`antiphon ${args.join(' ')}: ${running.heard.stderr}`)
  return {
    ...running,
    url,
    async [Symbol.asyncDispose]() {
      running.child.kill('SIGTERM')
      await Promise.race([once(running.child, 'exit'), sleep(5_000)])
      running.child.kill('SIGKILL')
    },
  }
}

/** Waits until something is so, for as many seconds. */
export async function until(isSo: () => boolean, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) if (isSo()) return true
  return isSo()
}

/** Ends all processes that have this value in their environment: what a program has started may have left its group. */
export function killMarked(mark: string): void {
  // Elsewhere the group has to do.
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    if (environOf(pid).includes(mark)) tryKill(Number(pid))
}

function environOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // It has ended, or belongs to somebody else.
    return []
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
