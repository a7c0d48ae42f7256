import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import { BoundedDatabase, type ReadLimit, readLimitFor } from '../../src/doctor/files/bounded-sqlite.ts'
import { fileError } from '../../src/doctor/files/file-error.ts'
import { openDatabase } from '../../src/doctor/sqlite.ts'
import type { System } from '../../src/doctor/system.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { all, bytesOf, inFolder } from './contract.ts'
import { reading } from './reading.ts'

const sql = readFileSync(join(import.meta.dirname, 'systems/langgraph/samples/broken.sql'), 'utf8')

describe('a database with a journal next to it', () => {
  test('[DD29] an unfinished transaction is rolled back as its program would, repaired, and restored byte for byte', () =>
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
      expect(await all(examineStores([path], { systems: [langgraph] }))).toMatchObject([
        { examination: { state: 'broken' } },
      ])
      expect(bytesOf(folder)).toEqual(before)
      const backup = backupIn(await heal(path, folder))
      expect(reading(path)).toEqual(reading(sound))
      await restore(backup, [langgraph])
      expect(bytesOf(folder)).toEqual(before)
    }))

  test('[DD29] a finished journal that was not removed does not prevent the repair', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      change(path, `pragma journal_mode = persist; ${sql}`)
      expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
      backupIn(await heal(path, folder))
      expect(await all(examineStores([path], { systems: [langgraph] }))).toMatchObject([
        { examination: { state: 'healthy' } },
      ])
    }))

  test('[DD29] while another process has an open transaction it is left alone, with one clear line', () =>
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

describe('a database that is slow to read', () => {
  /** A clock on which every read of a row, or of all rows, takes a second. */
  const slowly = (milliseconds: number): ReadLimit => {
    let time = 0
    return { milliseconds, now: () => (time += 1000) }
  }

  test('[SE62] its reading time is bounded by its length, and exceeding it is a one-line error', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      change(path, sql)
      using database = new BoundedDatabase(path, { readOnly: true }, path, slowly(3_500))
      const statement = database.prepare('select thread_id from checkpoints')
      const read: (() => unknown)[] = [() => statement.all(), () => statement.get(), () => [...statement.iterate()]]
      for (const one of read) expect(() => [one()]).not.toThrow()
      const errors = read.map(one => {
        try {
          return one()
        } catch (error) {
          return error
        }
      })
      expect(new Set(errors)).toEqual(new Set([errors[0]]))
      expect(errors[0]).toMatchObject({
        code: 'unreadable',
        message: `${path}: it takes too long to read, so the rest of it was not read`,
        hint: expect.stringContaining('indexes'),
      })
      expect(readLimitFor(10 ** 9).milliseconds).toBeGreaterThan(10 * 60_000)
    }))

  test('[SE62] everything that the doctor reads is bounded this way, with one error for all conversations', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      change(path, sql)
      const opened = openDatabase(path, ['checkpoints'])
      expect(opened.look).toBeInstanceOf(BoundedDatabase)
      opened.close()
      const error = fileError(path, 'it takes too long to read')
      const examine = (): Promise<never> => Promise.reject(error)
      const conversations = [1, 2, 3].map(id => ({ id: String(id), examine }))
      const system: System = {
        ...langgraph,
        open: async () => ({ conversations: () => conversations, close: () => {} }),
      }
      expect(await all(examineStores([path], { systems: [system] }))).toEqual([{ kind: 'unreadable', path, error }])
    }))
})

test('[SE108] a database that cannot be read after a change reports why, and can be closed', () =>
  inFolder(async folder => {
    const path = join(folder, 'checkpoints.db')
    change(path, sql)
    const database = openDatabase(path, ['checkpoints'])
    const link = (): void => symlinkSync('/dev/null', `${path}-wal`)
    expect(() => database.change(() => {}, link)).toThrow(/link/)
    expect(() => database.close()).not.toThrow()
  }))

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

const heal = (path: string, folder: string): Promise<DoctorResult[]> =>
  all(examineStores([path], { systems: [langgraph], fix: true, backups: join(folder, '..', 'backups') }))

function backupIn(visits: readonly DoctorResult[]): string {
  for (const one of visits) if (one.kind === 'conversation' && one.backup !== undefined) return one.backup
  throw new Error(`nothing was healed: ${JSON.stringify(visits)}`)
}
