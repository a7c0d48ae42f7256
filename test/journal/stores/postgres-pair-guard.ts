import { chownSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { Instance } from './postgres-instance.ts'
import { findPrograms, freePort, initialise, makeFolder, type Programs, password } from './postgres-programs.ts'

/**
 * A process that has a primary and its synchronous standby. `fail` stops the primary as in a crash and promotes the standby; `part` promotes the
 * standby while the primary still runs. Then the old primary comes back as standby, from a new base backup: the package has no pg_rewind and no
 * pg_basebackup, so the backup is taken by SQL.
 */
/** A commit is acknowledged when the standby has replayed it. */
const settings = ['synchronous_standby_names=*', 'synchronous_commit=remote_apply', 'wal_keep_size=512MB']
const pair: Instance[] = []
let primary = 0

for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, end)
const programs = await findPrograms()
const ports = [await freePort(), await freePort()]
for (const port of ports) pair.push(new Instance(programs, makeFolder(programs, String(port)), port, settings))
initialise(programs, of(0).data)
await of(0).start()
await startStandby(1)
process.send?.({ ports, user: 'postgres', password })
process.on('message', async message => {
  if (message === 'fail') await of(primary).stop('SIGQUIT')
  const [old] = [primary]
  primary = 1 - primary
  await sql(primary, 'SELECT pg_promote()')
  process.send?.('promoted')
  // For a while there are two that accept writes.
  if (message === 'part') await new Promise(resolve => setTimeout(resolve, 1_500))
  await of(old).stop('SIGQUIT')
  await startStandby(old)
  process.send?.('ready')
})

function of(index: number): Instance {
  const instance = pair[index]
  if (!instance) throw new Error('the pair has two servers')
  return instance
}

/** Makes a standby of the primary, whatever the folder has now. */
async function startStandby(index: number): Promise<void> {
  const { data, port } = of(index)
  rmSync(data, { recursive: true, force: true })
  makeFolder(programs, String(port))
  const client = await connect(primary)
  await client.query("SELECT pg_backup_start('standby', true)")
  copyData(programs, of(primary).data, data)
  const [{ labelfile }] = (await client.query('SELECT labelfile FROM pg_backup_stop(false)')).rows
  await client.end()
  const source = `host=127.0.0.1 port=${of(primary).port} user=postgres password=${password} application_name=standby`
  writeFor(programs, join(data, 'backup_label'), labelfile)
  writeFor(programs, join(data, 'standby.signal'), '')
  writeFor(programs, join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await of(index).start()
}

/** A file that vanishes meanwhile is in the log that the standby replays. */
function copyData(programs: Programs, from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (/^postmaster\.|\.signal$|^backup_label/.test(entry.name)) continue
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: 0o700 })
      if (programs.user) chownSync(target, programs.user.uid, programs.user.gid)
      if (!/^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_stat_tmp|pg_subtrans)$/.test(entry.name))
        copyData(programs, source, target)
      continue
    }
    try {
      copyFileSync(source, target)
      if (programs.user) chownSync(target, programs.user.uid, programs.user.gid)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

function writeFor({ user }: Programs, path: string, text: string): void {
  writeFileSync(path, text)
  if (user) chownSync(path, user.uid, user.gid)
}

async function connect(index: number): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: of(index).port,
    user: 'postgres',
    password,
    database: 'postgres',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function sql(index: number, text: string): Promise<void> {
  const client = await connect(index)
  await client.query(text)
  await client.end()
}

async function end(): Promise<void> {
  for (const instance of pair) await instance.stop('SIGQUIT')
  rmSync(programs.folder, { recursive: true, force: true })
  process.exit()
}
