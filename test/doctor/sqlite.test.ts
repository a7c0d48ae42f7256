import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type Visit, visit } from '../../src/doctor/doctor.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { all, bytesOf, inFolder } from './contract.ts'
import { reading } from './reading.ts'

const sql = readFileSync(join(import.meta.dirname, 'systems/langgraph/samples/broken.sql'), 'utf8')

describe('a database with a journal beside it', () => {
  test('[DD29] what was left unfinished in it is rolled back as its program would, healed, and brought back byte for byte', () =>
    inFolder(async folder => {
      const sound = join(folder, 'sound.db')
      change(sound, sql)
      await heal(sound, folder)
      const path = join(folder, 'torn.db')
      change(path, sql)
      tear(path)
      const before = bytesOf(folder)
      expect(before['torn.db']).not.toBe(before['sound.db'])
      expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
      expect(await all(visit([path], { systems: [langgraph] }))).toMatchObject([{ examination: { state: 'broken' } }])
      expect(bytesOf(folder)).toEqual(before)
      const backup = backupIn(await heal(path, folder))
      expect(reading(path)).toEqual(reading(sound))
      await restore(backup, [langgraph])
      expect(bytesOf(folder)).toEqual(before)
    }))

  test('[DD29] one that is finished but stays there is no reason not to heal', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      change(path, `pragma journal_mode = persist; ${sql}`)
      expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
      backupIn(await heal(path, folder))
      expect(await all(visit([path], { systems: [langgraph] }))).toMatchObject([{ examination: { state: 'healthy' } }])
    }))

  test('[DD29] while somebody is at work on a transaction it is left alone, with one clear line', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      change(path, sql)
      const before = reading(path)
      using program = new DatabaseSync(path)
      program.exec("begin immediate; update checkpoints set thread_id = 'other'")
      expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
      expect(await heal(path, folder)).toMatchObject([
        { failure: { message: `${path}: it is locked by another program` } },
      ])
      program.exec('rollback')
      expect(reading(path)).toEqual(before)
    }))
})

function change(path: string, statements: string): void {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}

/** Changes a database in a process that keeps nothing in memory, and is killed before it is done. */
function tear(path: string): void {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)})
    database.exec('pragma cache_size = 1; begin immediate')
    database.exec("update checkpoints set checkpoint = zeroblob(9000)")
    database.exec("update checkpoints set metadata = zeroblob(9000)")
    process.kill(process.pid, 'SIGKILL')`
  expect(spawnSync(process.execPath, ['-e', script]).signal).toBe('SIGKILL')
}

const heal = (path: string, folder: string): Promise<Visit[]> =>
  all(visit([path], { systems: [langgraph], fix: true, backups: join(folder, '..', 'backups') }))

function backupIn(visits: readonly Visit[]): string {
  for (const one of visits) if (one.kind === 'conversation' && one.backup !== undefined) return one.backup
  throw new Error(`nothing was healed: ${JSON.stringify(visits)}`)
}
