import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstall } from '../../debian-package.ts'
import { freePort } from '../stores/postgres-programs.ts'

export interface RedisServer {
  readonly port: number
  /** As in a crash. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const password = 'p@ss/word'

export const redisUrl = (port: number, database = 0, word = password): string =>
  `redis://:${encodeURIComponent(word)}@127.0.0.1:${port}/${database}`

/** A server of its own, on loopback. It is installed where it is missing. */
export async function startRedis(): Promise<RedisServer> {
  const program = findOrInstall(['redis-server', 'valkey-server'])
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--requirepass', password, '--dir', folder]
  let child: ReturnType<typeof spawn> | undefined
  const start = async (): Promise<void> => {
    const started = spawn(program, [...flags, '--save', '', '--daemonize', 'no'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    let log = ''
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', chunk => {
        log = (log + String(chunk)).slice(-10_000)
        if (/ready to accept connections/i.test(log)) resolve()
      })
      started.on('exit', () => reject(new Error(`Redis did not start:\n${log}`)))
    })
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  await start()
  return { port, start, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
