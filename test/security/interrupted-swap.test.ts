import fs, { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { swapFolder } from '../../src/doctor/files/swap-folder.ts'
import { openhands } from '../../src/doctor/systems/openhands/index.ts'
import { all, bytesOf, inFolder } from '../doctor/contract.ts'
import { subject } from '../doctor/systems/openhands/subject.ts'

/** The program of a store starts, and makes the folder of its conversation if there is none. */
function makeAgain(path: string): void {
  mkdirSync(join(path, 'events'), { recursive: true })
  writeFileSync(join(path, 'base_state.json'), '{}')
}

test('[SE128] a conversation whose repair was killed between two renames is not removed if its program made the folder again', () =>
  inFolder(async folder => {
    const path = await subject.corrupted(1, folder)
    const before = bytesOf(path)
    const workshop = join(dirname(path), '.antiphon-999999999')
    const [old, fresh] = ['old', 'new'].map(side => join(workshop, side, basename(path)))
    mkdirSync(dirname(old), { recursive: true })
    cpSync(path, fresh, { recursive: true })
    renameSync(path, old)
    makeAgain(path)
    for (const _ of ['once', 'again']) {
      const backups = join(folder, '..', 'backups')
      const found = await all(examineStores([dirname(path)], { systems: [openhands], fix: true, backups }))
      const errors = found.flatMap(one => (one.kind === 'unreadable' ? one.error.message : []))
      expect(errors).toEqual([`${path}: it was created again during a repair; what was there before is in ${old}`])
      expect(bytesOf(old)).toEqual(before)
    }
    // A swap that was complete left only the old folder, which is removed.
    renameSync(fresh, join(folder, '..', 'elsewhere'))
    await all(examineStores([dirname(path)], { systems: [openhands], fix: true }))
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
  }))

test('[SE128] nor if the program makes it during the repair', () =>
  inFolder(async folder => {
    const path = join(folder, 'conversation')
    mkdirSync(path)
    writeFileSync(join(path, 'event.json'), 'all that was said')
    const rename = fs.renameSync
    const spy = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      rename(from, to)
      if (dirname(String(to)).endsWith('old')) makeAgain(path)
    })
    syncBuiltinESMExports()
    const build = (fresh: string): void => writeFileSync(join(fresh, 'event.json'), 'repaired')
    try {
      expect(() => swapFolder(path, build, () => true, undefined)).toThrow(
        /created again during a repair; what was there before is in/,
      )
    } finally {
      spy.mockRestore()
      syncBuiltinESMExports()
    }
    const old = join(folder, `.antiphon-${process.pid}`, 'old/conversation/event.json')
    expect(fs.readFileSync(old, 'utf8')).toBe('all that was said')
  }))
