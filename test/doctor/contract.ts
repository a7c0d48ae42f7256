import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import {
  type ConversationResult,
  type DoctorOptions,
  type DoctorResult,
  examineStores,
} from '../../src/doctor/doctor.ts'
import type { System } from '../../src/doctor/system.ts'
import { isChosen, seedsOf, triesAll } from '../sample.ts'
import { atEveryMoment, noSpace, takesSpace } from './moments.ts'

/** What a system must bring along to be held to the contract of all systems. */
export interface Subject {
  readonly system: System
  /** The prefix of its own promises in docs/spec/doctor.md. */
  readonly tag: string
  /** Writes a random healthy store into an empty folder, and returns its path. */
  healthy(seed: number, folder: string): string | Promise<string>
  /** The same, corrupted at random like defects of the system. */
  corrupted(seed: number, folder: string): string | Promise<string>
  /** What strict providers reject in what the system would send from this store; empty if all is accepted. */
  refusals(path: string): readonly string[] | Promise<readonly string[]>
  /** What must not change where nothing is wrong. By default the bytes of all files. */
  contents?(path: string): unknown
  /** The text in the store from a user or a tool: what is not dropped must still be there. Not checked by default. */
  words?(path: string): readonly string[]
  readonly runs?: number
  /** Its files are changed one by one: cut off, each of them is the old or the new one. */
  readonly changesFileByFile?: true
}

/** A corrupted store after its repair. */
interface RepairedStore {
  readonly folder: string
  readonly path: string
  /** What was in it before, and its text. */
  readonly before: unknown
  readonly words: readonly string[]
  readonly visits: readonly DoctorResult[]
}

export function describeSystem({ system, runs = 15, ...subject }: Subject): void {
  const contents = subject.contents ?? bytesOf
  const seeds = seedsOf(runs, Math.ceil(runs / 3)).map(seed => seed + firstSeed)
  const repaired = new Map<number, Promise<RepairedStore>>()

  /** The store of a seed, which is repaired once for all tests that look at a repair. They use it in the order of the file. */
  const repairedStore = (seed: number): Promise<RepairedStore> => {
    const known = repaired.get(seed) ?? repairCorrupted(seed)
    repaired.set(seed, known)
    return known
  }
  const repairCorrupted = async (seed: number): Promise<RepairedStore> => {
    const folder = newFolder()
    roots.push(dirname(folder))
    const path = await subject.corrupted(seed, folder)
    const before = contents(path)
    const words = subject.words?.(path) ?? []
    return { folder, path, before, words, visits: await heal(path, folder) }
  }
  const roots: string[] = []
  afterAll(() => {
    for (const root of roots) rmSync(root, { recursive: true, force: true })
  })

  describe(`${system.title} at random`, () => {
    test('[DS1] a healthy store is left as it is, byte for byte', async () => {
      for (const seed of seeds) {
        await inFolder(async folder => {
          const path = await subject.healthy(seed, folder)
          const before = contents(path)
          const visits = await heal(path, folder)
          const faults = visits.filter(
            one => one.kind !== 'conversation' || !['healthy', 'pending'].includes(one.examination.state),
          )
          expect({ seed, faults: faults.map(about) }).toEqual({ seed, faults: [] })
          expect(contents(path), `seed ${seed}`).toEqual(before)
        })
      }
    })

    test('[DS2] without --fix nothing is changed, and the defects are reported', async () => {
      for (const seed of seeds) {
        await inFolder(async folder => {
          const path = await subject.corrupted(seed, folder)
          const before = bytesOf(path)
          const found = await look(path)
          expect(bytesOf(path), `seed ${seed}`).toEqual(before)
          const refused = await subject.refusals(path)
          if (refused.length > 0)
            expect({ seed, refused, states: found.map(state) }).toMatchObject({
              states: expect.arrayContaining(['broken']),
            })
        })
      }
    })

    test('[DS3] a corrupted store is repaired to what strict providers accept', async () => {
      let broken = 0
      for (const seed of seeds) {
        const { path, visits } = await repairedStore(seed)
        broken += visits.filter(one => state(one) === 'broken').length
        const failures = visits.filter(one => one.kind === 'unreadable' || (one.kind === 'conversation' && one.failure))
        expect({ seed, failures: failures.map(about) }).toEqual({ seed, failures: [] })
        expect({ seed, refusals: await subject.refusals(path) }).toEqual({ seed, refusals: [] })
      }
      expect(broken).toBeGreaterThan(triesAll ? runs / 4 : 0)
    })

    if (subject.words) {
      const { words } = subject
      test('[DS6] every word is still there, or in the report', async () => {
        for (const seed of seeds) {
          const { path, visits, words: before } = await repairedStore(seed)
          const kept = new Set(words(path))
          const reported = JSON.stringify(
            visits.map(one => (one.kind === 'conversation' ? one.examination.dropped : [])),
          )
          const lost = before.filter(
            word => !kept.has(word) && !reported.includes(JSON.stringify(JSON.stringify(word)).slice(3, -3)),
          )
          expect({ seed, lost }).toEqual({ seed, lost: [] })
        }
      })
    }

    test('[DS4] a second repair changes nothing', async () => {
      for (const seed of seeds) {
        const { folder, path } = await repairedStore(seed)
        const once = contents(path)
        const again = await heal(path, folder)
        expect({ seed, broken: again.filter(one => state(one) === 'broken').map(about) }).toEqual({
          seed,
          broken: [],
        })
        expect(contents(path), `seed ${seed}`).toEqual(once)
      }
    })

    test('[DS5] a backup brings back what was there, byte for byte', async () => {
      for (const seed of seeds.slice(0, Math.ceil(seeds.length / 2))) {
        const { path, visits, before } = await repairedStore(seed)
        const backups = visits.flatMap(one => (one.kind === 'conversation' && one.backup ? [one.backup] : []))
        for (const backup of backups.reverse()) await restore(backup, [system])
        expect(contents(path), `seed ${seed}`).toEqual(before)
      }
    })
  })

  describe(`${system.title} cut off`, () => {
    test('[DS7] whenever it is killed, the old or the new store is there, or the doctor finishes it', async () => {
      for (const seed of seeds.slice(0, momentsMax)) {
        await inFolder(async folder => {
          const path = await subject.corrupted(seed, folder)
          const old = contents(path)
          const between: string[] = []
          await atEveryMoment(
            number => {
              if (!isChosen(number, 3)) return
              if (existsSync(path) && isDeepStrictEqual(contents(path), old)) return
              const copy = join(folder, '..', `moment-${number}`)
              cpSync(folder, copy, { recursive: true })
              between.push(copy)
            },
            () => heal(path, folder),
          )
          const healed = contents(path)
          for (const copy of between) {
            const cut = join(copy, relative(folder, path))
            if (existsSync(cut) && isDeepStrictEqual(contents(cut), healed)) continue
            letGo(copy)
            await heal(existsSync(cut) ? cut : dirname(cut), folder)
            expect(contents(cut), `seed ${seed}, ${copy}`).toEqual(healed)
          }
        })
      }
    })

    test('[DS8] whenever the disk is full, the store is unchanged or repaired, and one clear line says so', async () => {
      const seed = await brokenSeed()
      // At first there is room, to see how many changes there are.
      for (let full = -1, changes = 0; full < changes; full++) {
        if (full >= 0 && !isChosen(full, 3)) continue
        await inFolder(async folder => {
          const path = await subject.corrupted(seed, folder)
          const old = contents(path)
          const visits = await atEveryMoment(
            (number, name) => {
              changes = Math.max(changes, number + 2)
              if (number === full && takesSpace(name)) throw noSpace()
            },
            () => heal(path, folder),
          )
          const failures = visits.filter(
            one => one.kind === 'unreadable' || (one.kind === 'conversation' && one.failure),
          )
          const isOld = isDeepStrictEqual(contents(path), old)
          const left = isOld ? [] : (await look(path)).filter(one => state(one) === 'broken')
          const leftovers = Object.keys(bytesOf(folder, true)).filter(isOurs)
          const outcome = { full, said: isOld ? failures.length > 0 : true, left: left.map(about), leftovers }
          expect(outcome).toEqual({ full, said: true, left: [], leftovers: [] })
          for (const failure of failures) expect(about(failure)).not.toContain('\n')
        })
        if (full > 1_000) throw new Error('there is no end of changes to the disk')
      }
    })
  })

  /** A seed whose store is broken and can be repaired. */
  const brokenSeed = async (): Promise<number> => {
    for (const seed of seeds) {
      const found = await inFolder(async folder => look(await subject.corrupted(seed, folder)))
      if (found.some(one => state(one) === 'broken')) return seed
    }
    throw new Error('no seed gives a broken store')
  }

  const options: DoctorOptions = { systems: [system] }
  const look = (path: string): Promise<DoctorResult[]> => all(examineStores([path], options))
  const heal = (path: string, folder: string): Promise<DoctorResult[]> =>
    all(examineStores([path], { ...options, fix: true, backups: join(folder, '..', 'backups') }))
}

/** Repairs the sample in `before` in a copy, and returns the result. */
export async function healSample(
  system: System,
  sample: string,
  check: (path: string, visits: readonly ConversationResult[]) => void | Promise<void>,
): Promise<void> {
  await inFolder(async folder => {
    const path = join(folder, sample.split('/').at(-1) as string)
    cpSync(sample, path, { recursive: true })
    const visits = await all(
      examineStores([path], { systems: [system], fix: true, backups: join(folder, '..', 'backups') }),
    )
    const conversations = visits.filter(one => one.kind === 'conversation')
    expect(conversations.flatMap(({ failure }) => failure?.message ?? [])).toEqual([])
    await check(path, conversations)
  })
}

/** A folder for the duration of a test, with room for backups next to it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = newFolder()
  try {
    return await work(folder)
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true })
  }
}

function newFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'antiphon-store-')), 'store')
  mkdirSync(folder)
  return folder
}

/** A killed process has ended: its id belongs to no process. */
function letGo(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isOurs).reverse()) {
    const name = basename(entry).replace(`${process.pid}`, '999999999')
    renameSync(join(folder, entry), join(folder, dirname(entry), name))
  }
}

/** What a repair has next to a store while it runs. */
export const isOurs = (path: string): boolean => /\.antiphon(-\d+|-old)?$/.test(basename(path))

/** The bytes of a file, or of all files in a folder, without what a repair has next to them. */
export function bytesOf(path: string, withOurs = false): Record<string, string> {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
        .filter(file => withOurs || !relative(path, file).split(sep).some(isOurs))
    : [path]
  return Object.fromEntries(files.sort().map(file => [relative(path, file), readFileSync(file, 'latin1')]))
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

export const state = (one: DoctorResult): string => (one.kind === 'conversation' ? one.examination.state : one.kind)

export const about = (one: DoctorResult): string => {
  if (one.kind === 'unreadable') return one.error.message
  if (one.kind === 'unrecognised') return `${one.path}: not known`
  const { failure, examination, id } = one
  const found = [...examination.repairs, ...examination.remaining].map(({ rule, message }) => `${rule}: ${message}`)
  return `${id} ${examination.state}: ${[failure?.message ?? '', ...found].join('; ')}`
}

const momentsMax = 6

const firstSeed = Number(process.env.ANTIPHON_FUZZ_SEED ?? 20261115)
