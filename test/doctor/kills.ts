import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { isBackup, manifestName } from '../../src/doctor/backup/backup.ts'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import { programFile } from '../programs.ts'
import { atEveryChange } from './changes.ts'
import { about, all, bytesOf, inFolder, isOurs, type Subject, state } from './contract.ts'
import { reading } from './reading.ts'

export interface KillPlan {
  /** At which of so many changes of a repair to kill. */
  healing(count: number): Iterable<number>
  /** And of a restoring. */
  restoring(count: number): Iterable<number>
  /** How many stores are repaired and interrupted. */
  stores: number
  readonly firstSeed?: number
}

/** Heals broken stores in processes that are killed in the middle of a change to the disk, for real. */
export function describeKills(subject: Subject, { healing, restoring, stores, firstSeed = 20261116 }: KillPlan): void {
  const { system } = subject
  const contents = subject.contents ?? bytesOf

  test(`[DS9] ${system.title}: a process that is killed leaves the old or the new store, and the next one finishes`, async () => {
    for (const seed of await brokenSeeds()) {
      await inFolder(async folder => {
        const prepared = await prepare(seed, folder)
        const count = await countChanges(() => heal(prepared.path, prepared.backups))
        for (const moment of healing(count)) {
          const where = `seed ${seed}, change ${moment} of ${count}`
          prepared.reset()
          kill('heal', prepared.path, prepared.backups, moment)
          expect(isLegal(prepared), `${where}: old or new`).toBe(true)
          const found = (await look(standing(prepared.path))).filter(({ kind }) => kind === 'unreadable').map(about)
          expect({ where, found: found.filter(line => !line.includes('a repair was interrupted here')) }).toEqual({
            where,
            found: [],
          })
          const failures = (await heal(standing(prepared.path), prepared.backups)).filter(hasFailed).map(about)
          const refusals = await subject.refusals(prepared.path)
          expect({ where, failures, refusals }).toEqual({ where, failures: [], refusals: [] })
          expect(reading(prepared.path), `${where}: healed`).toEqual(prepared.states.at(-1))
          expect({ where, left: leftIn(folder) }).toEqual({ where, left: [] })
          for (const backup of backupsIn(prepared.backups).reverse()) await restore(backup, [system])
          expect(contents(prepared.path), `${where}: brought back`).toEqual(prepared.old)
        }
      })
    }
  })

  test(`[DS10] ${system.title}: a restoring that is killed is finished by the next one`, async () => {
    for (const seed of await brokenSeeds()) {
      await inFolder(async folder => {
        const prepared = await prepare(seed, folder)
        await heal(prepared.path, prepared.backups)
        const [backup] = backupsIn(prepared.backups).reverse()
        const healed = join(folder, '..', 'healed')
        cpSync(folder, healed, { recursive: true, preserveTimestamps: true })
        const count = await countChanges(() => restore(backup, [system]))
        const before = contents(prepared.path)
        for (const moment of restoring(count)) {
          const where = `seed ${seed}, change ${moment} of ${count}`
          putBack(healed, folder)
          kill('restore', prepared.path, backup, moment)
          await restore(backup, [system])
          expect(contents(prepared.path), where).toEqual(before)
          expect({ where, left: leftIn(folder) }).toEqual({ where, left: [] })
        }
      })
    }
  })

  interface Prepared {
    readonly path: string
    readonly backups: string
    /** The previous content, compared byte for byte. */
    readonly old: unknown
    /** What may be found: the broken store, and its state after each conversation. */
    readonly states: unknown[]
    reset(): void
  }

  const prepare = async (seed: number, folder: string): Promise<Prepared> => {
    const path = await subject.corrupted(seed, folder)
    const backups = join(folder, '..', 'backups')
    const first = join(folder, '..', 'first')
    cpSync(folder, first, { recursive: true, preserveTimestamps: true })
    const old = contents(path)
    const states = [reading(path)]
    for await (const _ of examineStores([path], { systems: [system], fix: true, backups })) states.push(reading(path))
    const reset = (): void => {
      rmSync(backups, { recursive: true, force: true })
      putBack(first, folder)
    }
    reset()
    return { path, backups, old, states, reset }
  }

  const isLegal = ({ path, states }: Prepared): boolean => {
    const now = reading(path)
    if (now === undefined) return readdirSync(dirname(path)).some(name => name.startsWith('.antiphon-'))
    return (
      states.some(one => isDeepStrictEqual(one, now)) || (subject.changesFileByFile === true && isMixed(now, states))
    )
  }

  const kill = (task: 'heal' | 'restore', path: string, backup: string, moment: number): void => {
    const args = [programFile('store-kill-child'), task, system.id, path, backup, String(moment)]
    const { signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ moment, signal, stderr }).toEqual({ moment, signal: 'SIGKILL', stderr: '' })
  }

  const brokenSeeds = async (): Promise<number[]> => {
    const seeds: number[] = []
    for (let seed = firstSeed; seeds.length < stores; seed++) {
      const found = await inFolder(async folder => look(await subject.corrupted(seed, folder)))
      if (found.some(one => state(one) === 'broken')) seeds.push(seed)
      if (seed > firstSeed + 1_000) throw new Error('no seed gives a broken store')
    }
    return seeds
  }

  const look = (path: string): Promise<DoctorResult[]> => all(examineStores([path], { systems: [system] }))
  const heal = (path: string, backups: string): Promise<DoctorResult[]> =>
    all(examineStores([path], { systems: [system], fix: true, backups }))
}

/** A few moments that lie as far apart as they can, the last one among them. */
export const spread =
  (wanted: number) =>
  (count: number): number[] => [
    ...new Set(Array.from({ length: wanted }, (_, index) => Math.floor(((index + 1) * count) / wanted) - 1)),
  ]

async function countChanges(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  await atEveryChange(number => {
    count = number + 1
  }, work)
  return count
}

function putBack(from: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(from, folder, { recursive: true, preserveTimestamps: true })
}

/** A folder that has lost its name is found through its parent folder. */
const standing = (path: string): string => (existsSync(path) ? path : dirname(path))

/** Whether each file is what it is in one of the states. */
function isMixed(now: unknown, states: readonly unknown[]): boolean {
  const known = states as readonly Record<string, string>[]
  const names = new Set([now as Record<string, string>, ...known].flatMap(Object.keys))
  return [...names].every(name => known.some(one => one[name] === (now as Record<string, string>)[name]))
}

const leftIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isOurs)

/** The complete backups, the oldest first. */
const backupsIn = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder).sort() : [])
    .map(name => join(folder, name))
    .filter(backup => isBackup(backup) && existsSync(join(backup, manifestName)))

const hasFailed = (one: DoctorResult): boolean =>
  one.kind === 'unreadable' || (one.kind === 'conversation' && !!one.failure)
