import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { fileError } from '../../src/doctor/files/file-error.ts'
import { fingerprint } from '../../src/doctor/files/fingerprint.ts'
import { swapFile } from '../../src/doctor/files/swap-file.ts'
import { swapFolder } from '../../src/doctor/files/swap-folder.ts'
import { swapFiles } from '../../src/doctor/systems/opencode/swap-files.ts'
import { inFolder } from '../doctor/contract.ts'

const text = (path: string): string => readFileSync(path, 'utf8')

/** A file with one line, whose repair adds another. `late` is what its program does after the new file has its name. */
async function repairFile(folder: string, late: (path: string, old: string) => void): Promise<string> {
  const path = join(folder, 'session.jsonl')
  writeFileSync(path, 'said\n')
  await swapFile(path, fingerprint(path), [Buffer.from('said\nrepaired\n')], (...files) => {
    const [old] = files
    if (old !== undefined) late(path, old)
  })
  return path
}

const inUse = (path: string): Error => fileError(path, 'its program runs, so it was left as it is')

test('[SE270] a repair of a file is not taken back over what its program has added to the new file', () =>
  inFolder(async folder => {
    const path = join(folder, 'session.jsonl')
    const repaired = repairFile(folder, () => {
      appendFileSync(path, 'added\n')
      throw inUse(path)
    })
    await expect(repaired).rejects.toThrow('a program used it during its repair, so it was left as it is now')
    expect(text(path)).toBe('said\nrepaired\nadded\n')
    expect(readdirSync(folder)).toEqual(['session.jsonl'])
  }))

test('[SE270] nor is what the program added to both versions lost', () =>
  inFolder(async folder => {
    const path = join(folder, 'session.jsonl')
    const repaired = repairFile(folder, (_, old) => {
      appendFileSync(old, 'added to the old one\n')
      appendFileSync(path, 'added to the new one\n')
    })
    await expect(repaired).rejects.toThrow(/the version before is in .*antiphon-kept/)
    expect(text(path)).toBe('said\nrepaired\nadded to the new one\n')
    const kept = readdirSync(folder).find(name => name !== basename(path)) ?? ''
    expect(text(join(folder, kept))).toBe('said\nadded to the old one\n')
    // The next repair removes what interrupted ones left, and not this.
    await repairFile(folder, () => {})
    expect(existsSync(join(folder, kept))).toBe(true)
  }))

test('[SE270] nor is what the program wrote to the old file, also if its length is the same', () =>
  inFolder(async folder => {
    const repaired = repairFile(folder, (_, old) => {
      writeFileSync(old, 'SAID\n')
      utimesSync(old, 2_000_000_000, 2_000_000_000)
    })
    await expect(repaired).rejects.toThrow('it changed during the repair')
    expect(text(join(folder, 'session.jsonl'))).toBe('SAID\n')
  }))

test('[SE270] a file that the program adds to the new folder of a conversation is not lost when the old one is put back', () =>
  inFolder(async folder => {
    const path = join(folder, 'conversation')
    mkdirSync(join(path, 'events'), { recursive: true })
    writeFileSync(join(path, 'events', '0'), 'said')
    const build = (fresh: string): void => {
      mkdirSync(join(fresh, 'events'))
      writeFileSync(join(fresh, 'events', '0'), 'repaired')
    }
    let looks = 0
    const isStill = (place: string): boolean => {
      if (++looks === 1) return true
      // The program has written one event before the swap, and the next one after it.
      writeFileSync(join(place, 'events', '1'), 'added to the old one')
      writeFileSync(join(path, 'events', '2'), 'added to the new one')
      return false
    }
    expect(() => swapFolder(path, build, isStill, undefined)).toThrow('it changed during the repair')
    const events = readdirSync(join(path, 'events')).map(name => text(join(path, 'events', name)))
    expect(events).toEqual(['said', 'added to the old one', 'added to the new one'])
    expect(readdirSync(folder)).toEqual(['conversation'])
  }))

test('[SE270] what the program changed in both folders stays in both', () =>
  inFolder(async folder => {
    const path = join(folder, 'conversation')
    mkdirSync(path)
    writeFileSync(join(path, 'state'), 'said')
    let looks = 0
    const isStill = (place: string): boolean => {
      if (++looks === 1) return true
      writeFileSync(join(place, 'state'), 'changed in the old one')
      writeFileSync(join(path, 'state'), 'changed in the new one')
      return false
    }
    const build = (fresh: string): void => writeFileSync(join(fresh, 'state'), 'repaired')
    expect(() => swapFolder(path, build, isStill, undefined)).toThrow(/what it wrote to the repaired version is in/)
    expect(text(join(path, 'state'))).toBe('changed in the old one')
    const [kept = ''] = readdirSync(folder).filter(name => name !== 'conversation')
    expect(text(join(folder, kept, 'state'))).toBe('changed in the new one')
  }))

test('[SE270] a file of the folder that the repair does not read is not lost if its program replaces it meanwhile', () =>
  inFolder(async folder => {
    const path = join(folder, 'conversation')
    mkdirSync(path)
    writeFileSync(join(path, 'event'), 'said')
    writeFileSync(join(path, 'meta.json'), 'a title')
    const replaceMeta = (): void => {
      writeFileSync(join(path, 'meta.new'), 'another title')
      renameSync(join(path, 'meta.new'), join(path, 'meta.json'))
    }
    const build = (fresh: string): void => {
      linkSync(join(path, 'meta.json'), join(fresh, 'meta.json'))
      writeFileSync(join(fresh, 'event'), 'repaired')
      replaceMeta()
    }
    const isStill = (place: string): boolean => text(join(place, 'event')) === 'said'
    expect(() => swapFolder(path, build, isStill, undefined)).toThrow('it changed during the repair')
    expect(text(join(path, 'meta.json'))).toBe('another title')
    expect(text(join(path, 'event'))).toBe('said')
    expect(readdirSync(folder)).toEqual(['conversation'])
  }))

test('[SE270] several files are not taken back over what the program wrote to one of them', () =>
  inFolder(async folder => {
    const [one, two] = ['one', 'two'].map(name => join(folder, name)) as [string, string]
    for (const file of [one, two]) writeFileSync(file, 'said')
    const [first, second] = [fingerprint(one), fingerprint(two)]
    const swaps = [
      { file: one, before: first, text: 'repaired' },
      // It is looked at after the first one was replaced.
      {
        file: two,
        text: 'repaired',
        get before() {
          if (text(one) === 'repaired') {
            writeFileSync(one, 'repaired and continued')
            writeFileSync(two, 'changed as well')
          }
          return second
        },
      },
    ]
    expect(() => swapFiles(swaps, folder, undefined)).toThrow(/a program used it during its repair/)
    expect(text(one)).toBe('repaired and continued')
    expect(text(two)).toBe('changed as well')
    expect(readdirSync(folder)).toEqual(['one', 'two'])
  }))
