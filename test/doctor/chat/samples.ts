import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { restore } from '../../../src/doctor/backup/restore.ts'
import { examineStores } from '../../../src/doctor/doctor.ts'
import type { System } from '../../../src/doctor/system.ts'
import { about, all, bytesOf, inFolder, state } from '../contract.ts'
import type { ChatMessage } from './chat.ts'
import { differences, type Expected } from './expected.ts'

export interface SamplePlan {
  readonly system: System
  /** Their folder in `systems`, if it is not that of the system. */
  readonly samples?: string
  /** The title of their tests, with the promise that they check. */
  readonly title: string
  /** The store as its program reads it. */
  read(folder: string): ChatMessage[]
  /** Everything in the store as text. By default the bytes of all files. */
  raw?(folder: string): string
  /** What must be the same where nothing is wrong. By default the bytes of all files. */
  contents?(folder: string): unknown
  /** Makes a store from the sample that was copied to a folder, where the sample is a dump of a database. */
  load?(folder: string): void
  /** What else must hold for a store that is healthy or was repaired. */
  bookkeeping?(folder: string): readonly string[]
}

/** The samples of a system: a broken store is repaired to what is expected, and comes back; others stay as they are. */
export function describeSamples({ system, title, ...plan }: SamplePlan): void {
  const samples = fileURLToPath(new URL(`../systems/${plan.samples ?? system.id}/samples`, import.meta.url))
  const { read, bookkeeping = () => [], contents = bytesOf, raw = rawOf } = plan

  test.each(readdirSync(samples).sort())(`${title}: %s`, async name => {
    await inFolder(async folder => {
      cpSync(join(samples, name, 'store'), folder, { recursive: true })
      plan.load?.(folder)
      const before = contents(folder)
      const found = await all(
        examineStores([folder], { systems: [system], fix: true, backups: join(folder, '..', 'backups') }),
      )
      const visits = found.filter(({ kind }) => kind !== 'unrecognised')
      const list = join(samples, name, 'expected.json')
      if (!existsSync(list)) {
        expect(visits.map(state)).not.toContain('broken')
        expect(visits.filter(({ kind }) => kind === 'unreadable').map(about)).toEqual([])
        expect(visits.length).toBeGreaterThan(0)
        expect(contents(folder)).toEqual(before)
        return
      }
      expect(visits.map(state)).toContain('broken')
      expect(
        visits.filter(one => one.kind === 'unreadable' || (one.kind === 'conversation' && one.failure)).map(about),
      ).toEqual([])
      const expected = JSON.parse(readFileSync(list, 'utf8')) as Expected
      expect([...bookkeeping(folder), ...differences(read(folder), raw(folder), expected)]).toEqual([])
      const backups = visits.flatMap(one => (one.kind === 'conversation' && one.backup ? [one.backup] : []))
      for (const backup of backups.reverse()) await restore(backup, [system])
      expect(contents(folder)).toEqual(before)
    })
  })
}

const rawOf = (folder: string): string =>
  Object.values(bytesOf(folder))
    .map(text => Buffer.from(text, 'latin1').toString())
    .join('\n')

/** The files of a folder whose path ends like this, in order. */
export const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => path.endsWith(ending))
    .sort()
