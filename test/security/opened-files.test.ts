import fs, { readdirSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { all, inFolder, type Subject, state } from '../doctor/contract.ts'
import { type LiveProgram, startProgram } from '../doctor/live.ts'
import { atEveryMoment } from '../doctor/moments.ts'
import { subject as crush } from '../doctor/systems/crush/subject.ts'
import { subject as plain } from '../doctor/systems/plain/subject.ts'

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

describe.runIf(process.platform === 'linux')('a program that opens a file meanwhile', () => {
  for (const subject of subjects) {
    const { system } = subject

    /** Restores a repaired store while a program opens it before this change to the disk. */
    const restoreAround = (moment: number): Promise<{ count: number; isSame: boolean | undefined }> =>
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
          await atEveryMoment(opened, () => restore(join(backups, name), [system]).catch(error => error))
          return { count, isSame: program && hasFile(program, path) }
        } finally {
          await program?.kill()
        }
      })

    test(`[SE380] ${system.title}: goes on with the file that has its name, whenever it opens it in a restore`, async () => {
      const { count } = await restoreAround(-1)
      for (let moment = 0; moment < count; moment++)
        expect({ moment, ...(await restoreAround(moment)) }).toMatchObject({ moment, isSame: true })
    }, 120_000)
  }

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
