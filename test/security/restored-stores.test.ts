import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { systems } from '../../src/doctor/systems.ts'
import { loadDumps } from '../doctor/chat/sqlite-store.ts'
import { all, bytesOf, inFolder } from '../doctor/contract.ts'

const samples = join(import.meta.dirname, '../doctor/systems')
const stores = [
  ['opencode', 'opencode/samples/broken'],
  ['openhands', 'openhands/samples/broken'],
  ['codex', 'codex/samples/broken'],
] as const
const [uid, gid] = [12_345, 23_456]

/** The files and folders below a folder. */
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))

/** A copy of a sample that only its owner can read. */
function copyPrivate(sample: string, store: string): void {
  cpSync(join(samples, sample), store, { recursive: true })
  for (const path of [store, ...pathsIn(store)]) chmodSync(path, lstatSync(path).isDirectory() ? 0o700 : 0o600)
}

/** Heals a store, and returns its backups. */
const healed = async (store: string, backups: string): Promise<string[]> => {
  const visits = await all(examineStores([store], { systems, fix: true, backups }))
  expect(visits.flatMap(one => ('failure' in one && one.failure ? [one.failure] : []))).toEqual([])
  return readdirSync(backups).map(name => join(backups, name))
}

test.each(stores)('[SE141] whatever a repair of %s writes, nobody else can read it', (_, sample) =>
  inFolder(async folder => {
    const store = join(folder, 'store')
    copyPrivate(sample, store)
    await healed(store, join(folder, 'backups'))
    expect(pathsIn(store).filter(path => lstatSync(path).mode & 0o077)).toEqual([])
  }),
)

test.runIf(process.getuid?.() === 0).each(stores)(
  '[SE141] a superuser who repairs or restores %s of another user takes nothing from that user',
  (_, sample) =>
    inFolder(async folder => {
      const home = join(folder, 'home')
      const store = join(home, 'store')
      copyPrivate(sample, store)
      for (const path of [home, ...pathsIn(home)]) chownSync(path, uid, gid)
      const others = (): string[] =>
        pathsIn(home).filter(path => lstatSync(path).uid !== uid || lstatSync(path).gid !== gid)
      const backups = await healed(store, join(folder, 'backups'))
      expect(others()).toEqual([])
      rmSync(store, { recursive: true })
      for (const backup of backups) await restore(backup, systems)
      expect(pathsIn(store)).not.toEqual([])
      expect(others()).toEqual([])
    }),
)

/** Every broken sample: a file, a folder, or the statements that make a database, which may be in a folder. */
const broken = readdirSync(samples).flatMap(system =>
  readdirSync(join(samples, system))
    .filter(folder => folder === 'samples')
    .flatMap(() => readdirSync(join(samples, system, 'samples')))
    .filter(name => /broken/.test(name))
    .map(name => join(system, 'samples', name)),
)

const filesIn = (backup: string): { path: string }[] =>
  JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')).files

test.each(broken)('[SE142] %s is restored after the whole store was removed', sample =>
  inFolder(async folder => {
    const home = join(folder, 'home')
    const isSql = sample.endsWith('.sql')
    const store = join(home, isSql ? 'store.db' : sample.slice(sample.lastIndexOf('samples') + 8))
    if (isSql) {
      mkdirSync(home)
      const database = new DatabaseSync(store)
      database.exec(readFileSync(join(samples, sample), 'utf8'))
      database.close()
    } else cpSync(join(samples, sample), store, { recursive: true })
    loadDumps(home, '.sqlite')
    const before = bytesOf(home, true)
    const backups = await healed(store, join(folder, 'backups'))
    const files = backups.flatMap(filesIn)
    expect(bytesOf(home, true)).not.toEqual(before)
    rmSync(store, { recursive: true })
    for (const backup of backups) await restore(backup, systems)
    const kept = new Set(files.map(({ path }) => path))
    const changed = Object.entries(before).filter(([name]) => kept.has(join(home, name)))
    expect(changed).not.toEqual([])
    expect(bytesOf(home, true)).toEqual(Object.fromEntries(changed))
  }),
)
