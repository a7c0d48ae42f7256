import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Programs } from './postgres-programs.ts'

/** A server on its own data folder. */
export class Instance {
  readonly data: string
  readonly port: number
  readonly #programs: Programs
  readonly #settings: readonly string[]
  #process: ChildProcess | undefined

  constructor(programs: Programs, data: string, port: number, settings: readonly string[] = []) {
    this.data = data
    this.port = port
    this.#programs = programs
    this.#settings = settings
  }

  /** Resolves when it accepts connections: for a standby, those that only read. */
  async start(): Promise<void> {
    const { postgres, user, folder } = this.#programs
    const settings = ['unix_socket_directories=', 'max_connections=200', ...this.#settings]
    const flags = ['-h', '127.0.0.1', '-p', String(this.port), ...settings.flatMap(setting => ['-c', setting])]
    const stdio = ['ignore', 'ignore', 'pipe'] as const
    const child = spawn(postgres, ['-D', this.data, ...flags], { ...user, cwd: folder, stdio: [...stdio] })
    this.#process = child
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', chunk => {
        log = (log + chunk).slice(-10_000)
        if (/ready to accept (read-only )?connections/.test(log)) resolve()
      })
      child.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
    })
  }

  /** SIGINT lets the server shut down; SIGQUIT makes it drop everything, as a crash does. */
  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}
