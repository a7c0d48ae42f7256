import { spawnSync } from 'node:child_process'
import fs, { readdirSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { all, inFolder, type Subject, state } from '../doctor/contract.ts'
import { type LiveProgram, startProgram } from '../doctor/live.ts'
import { atEveryMoment } from '../doctor/moments.ts'
import { subject as crush } from '../doctor/systems/crush/subject.ts'
import { inFiles as opencode } from '../doctor/systems/opencode/subject.ts'
import { subject as plain } from '../doctor/systems/plain/subject.ts'
import { isChosen } from '../sample.ts'

const subjects: readonly Subject[] = [plain, crush]

interface Broken {
  readonly path: string
  readonly backups: string
}

async function brokenStore({ corrupted, system }: Subject, folder: string): Promise<Broken> {
  for (let seed = 20261118; ; seed++) {
    const place = join(folder, String(seed))
    fs.mkdirSync(place)
    const path = await corrupted(seed, place)
    const found = await all(examineStores([path], { systems: [system] }))
    if (found.some(one => state(one) === 'broken')) return { path, backups: join(folder, '..', 'backups') }
  }
}

/** Whether what the program has open is still the file at this path. */
function hasFile({ pid }: LiveProgram, path: string): boolean {
  const { dev, ino } = statSync(path)
  const handles = readdirSync(`/proc/${pid}/fd`).map(name => `/proc/${pid}/fd/${name}`)
  return handles.some(handle => {
    const stat = statSync(handle, { throwIfNoEntry: false })
    return stat?.dev === dev && stat.ino === ino
  })
}

/** Writes rows that only the log of the database has, and ends without closing it. */
const crashing = `
  const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table extra (id); insert into extra values (1)')
  process.kill(process.pid, 'SIGKILL')`

function hasRows(path: string): boolean {
  const database = new DatabaseSync(path)
  try {
    return database.prepare("select count(*) as n from sqlite_schema where name = 'extra'").get()?.n === 1
  } finally {
    database.close()
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

/** The files that a program has open, though they have no name any more. */
const openWithoutName = ({ pid }: LiveProgram): string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map(name => `/proc/${pid}/fd/${name}`)
    .filter(handle => {
      const stat = statSync(handle, { throwIfNoEntry: false })
      return stat?.isFile() && stat.nlink === 0
    })
    .map(handle => fs.readlinkSync(handle))

/** What came of work around which something happened at one of its changes to the disk, of which it made so many. */
interface Around {
  readonly count: number
}

/** Whatever the moment, it ends as expected. The last moment is the one that the work does not reach. */
async function holdsAround(work: (moment: number) => Promise<Around>, expected: object): Promise<void> {
  for (let moment = 0, refused = 0; ; ) {
    const around = await work(moment)
    // While many programs start and end, one may seem to use the store: then nothing is changed at all.
    if (around.count === 0 && refused++ < 5) continue
    if (around.count > 0 && moment >= around.count) return expect(moment).toBeGreaterThan(5)
    expect({ moment, ...around }).toMatchObject({ moment, ...expected })
    do moment++
    while (!isChosen(moment, 3))
  }
}

describe.runIf(process.platform === 'linux')('a program that opens a file meanwhile', () => {
  for (const subject of subjects) {
    const { system } = subject

    /** Restores a repaired store while a program opens it before this change to the disk. */
    const restoreAround = (moment: number): Promise<Around> =>
      inFolder(async folder => {
        const { path, backups } = await brokenStore(subject, folder)
        await all(examineStores([path], { systems: [system], fix: true, backups }))
        const [name = ''] = readdirSync(backups)
        let program: LiveProgram | undefined
        let count = 0
        const opened = (number: number): void => {
          count = number + 1
          if (number === moment) program = startProgram({ open: [path] })
        }
        try {
          const ended = await atEveryMoment(opened, () => restore(join(backups, name), [system]).catch(error => error))
          return { count, isSame: program && hasFile(program, path), ended }
        } finally {
          await program?.kill()
        }
      })

    test(`[SE380] ${system.title}: goes on with the file that has its name, whenever it opens it in a restore`, async () => {
      await holdsAround(restoreAround, { isSame: true })
    }, 120_000)
  }

  test('[SE380] Crush: rows in the log of a database are not lost when a program connects during a restore', async () => {
    /** Restores a database whose program crashed, so that its last rows are in the log only. */
    const restoreAround = (moment: number) =>
      inFolder(async folder => {
        const { path, backups } = await brokenStore(crush, folder)
        await all(examineStores([path], { systems: [crush.system], fix: true, backups }))
        const [name = ''] = readdirSync(backups)
        spawnSync(process.execPath, ['-e', crashing, path])
        let program: LiveProgram | undefined
        let count = 0
        const connects = (number: number): void => {
          count = number + 1
          if (number === moment) program = startProgram({ connected: [path] })
        }
        try {
          const ended = await atEveryMoment(connects, () => restore(join(backups, name), [crush.system]).catch(e => e))
          const places = ended.kept ?? `${ended.message} ${ended.hint}`
          const kept = places.match(/\/\S+/g)?.filter((place: string) => !place.startsWith(path) || place !== path)
          const isNamed = kept?.some((place: string) => fs.existsSync(place.replace(/,$/, '')))
          return { count, isThere: hasRows(path) || isNamed }
        } finally {
          await program?.kill()
        }
      })
    await holdsAround(restoreAround, { isThere: true })
  }, 240_000)

  test('[SE380] opencode: goes on with the files that have their names, whenever it opens them in a repair', async () => {
    const repairAround = (moment: number) =>
      inFolder(async folder => {
        const { path, backups } = await brokenStore(opencode, folder)
        const files = filesIn(path)
        let program: LiveProgram | undefined
        let count = 0
        const opens = (number: number): void => {
          count = number + 1
          if (number === moment) program = startProgram({ open: files.filter(file => fs.existsSync(file)) })
        }
        try {
          await atEveryMoment(opens, () =>
            all(examineStores([path], { systems: [opencode.system], fix: true, backups })),
          )
          return { count, lost: program && openWithoutName(program) }
        } finally {
          await program?.kill()
        }
      })
    await holdsAround(repairAround, { lost: [] })
  }, 240_000)

  test('[SE381] a repaired file that a program opens right after its repair is not taken back', () =>
    inFolder(async folder => {
      const { path, backups } = await brokenStore(plain, folder)
      const { renameSync } = fs
      let program: LiveProgram | undefined
      fs.renameSync = (from, to) => {
        renameSync(from, to)
        if (to === path) program ??= startProgram({ open: [path] })
      }
      syncBuiltinESMExports()
      try {
        const found = await all(examineStores([path], { systems: [plain.system], fix: true, backups }))
        expect(found).toMatchObject([{ kind: 'conversation', backup: expect.any(String) }])
        expect(program && hasFile(program, path)).toBe(true)
      } finally {
        fs.renameSync = renameSync
        syncBuiltinESMExports()
        await program?.kill()
      }
      expect(await plain.refusals(path)).toEqual([])
    }))
})
