import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrInstall } from '../../debian-package.ts'
import { leftovers } from '../../kill/leftovers.ts'
import { freePort } from './postgres-programs.ts'

export interface PgBouncer {
  readonly port: number
  /** A connection string of the server, by way of the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/** PgBouncer in transaction mode, on loopback, before the server of a connection string. It is installed where it is missing. */
export async function startPgBouncer(server: string): Promise<PgBouncer> {
  const program = findOrInstall(['pgbouncer', '/usr/sbin/pgbouncer'])
  const { hostname, port: serverPort, username, password } = new URL(server)
  const port = await freePort()
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'antiphon-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const secret = decodeURIComponent(password).replaceAll("'", "''")
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username} password='${secret}'`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', 'default_pool_size = 10', 'max_client_conn = 500'],
    // A server that is gone is asked again every second, and a statement that waits for one fails after 5.
    ...['server_login_retry = 1', 'query_wait_timeout = 5'],
  ]
  writeFileSync(file, settings.join('\n'))
  // It does not run for root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, file]) chownSync(path, 65_534, 65_534)
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: ['ignore', 'ignore', 'pipe'] })
  leftovers.processes.add(child)
  leftovers.folders.add(folder)
  const ended = once(child, 'exit')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', chunk => {
      log = (log + String(chunk)).slice(-10_000)
      if (/process up/.test(log)) resolve()
    })
    child.on('exit', () => reject(new Error(`PgBouncer did not start:\n${log}`)))
  })
  return {
    port,
    through: url => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      child.kill('SIGKILL')
      await ended
      leftovers.processes.delete(child)
      leftovers.folders.delete(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
