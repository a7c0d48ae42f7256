import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import type { System } from '../../src/doctor/system.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { openhands } from '../../src/doctor/systems/openhands/index.ts'
import { systems } from '../../src/doctor/systems.ts'
import { lines } from '../apps/cli/program.ts'
import { about, all, bytesOf, inFolder, type Subject } from '../doctor/contract.ts'
import { subjects } from '../doctor/subjects.ts'
import { programFile } from '../programs.ts'
import { root as project } from '../repository.ts'
import { picture } from './picture.ts'

const look = (path: string, known: readonly System[]): Promise<DoctorResult[]> =>
  all(examineStores([path], { systems: known }))

const heal = (path: string, folder: string, known: readonly System[]): Promise<DoctorResult[]> =>
  all(examineStores([path], { systems: known, fix: true, backups: join(folder, '..', 'backups') }))

/** A store that is broken, so that there is something to write. */
async function brokenStore({ system, corrupted }: Subject, folder: string): Promise<string> {
  for (let seed = 20261116; ; seed++) {
    const place = join(folder, String(seed))
    mkdirSync(place)
    const path = await corrupted(seed, place)
    const found = await look(path, [system])
    if (found.some(one => one.kind === 'conversation' && one.examination.storeRepair)) return path
  }
}

/** The files and folders of a store, and the store itself. */
const placesIn = (path: string): string[] =>
  statSync(path).isDirectory() ? ['', ...(readdirSync(path, { recursive: true }) as string[]).sort()] : ['']

/** A store of many files has few kinds of them: two of each kind are enough. */
function fewOfEach(places: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return places.filter(place => {
    const kind = place.replace(/[0-9a-f_-]*\d[\w-]*/gi, '#')
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    return (seen.get(kind) as number) <= 2
  })
}

const named = subjects.map(
  subject => [`${subject.system.id} ${subject.changesFileByFile ? 'files' : ''}`, subject] as const,
)

describe('a link in the place of a file or a folder of a store', () => {
  test.each(named)('[SE20] %s: its target is not changed, and the link is reported', (_, subject) =>
    inFolder(async folder => {
      const source = await brokenStore(subject, folder)
      for (const place of fewOfEach(placesIn(source)))
        await inFolder(async root => {
          const [home, outside] = [join(root, 'home'), join(root, 'outside')]
          for (const made of [home, outside]) mkdirSync(made)
          const path = join(home, 'in', relative(folder, source))
          cpSync(source, path, { recursive: true })
          const link = join(path, place)
          renameSync(link, join(outside, 'target'))
          symlinkSync(join(outside, 'target'), link)
          const before = picture(outside)
          const visits = [...(await look(home, [subject.system])), ...(await heal(home, root, [subject.system]))]
          expect({ place, after: picture(outside) }).toEqual({ place, after: before })
          expect(lstatSync(link).isSymbolicLink(), place).toBe(true)
          const told = visits.map(about).filter(line => line.includes(link))
          expect({ place, told: told.length > 0, visits: told.length > 0 ? [] : visits.map(about) }).toEqual({
            place,
            told: true,
            visits: [],
          })
        })
    }),
  )

  test.each(named.filter(([, { changesFileByFile, system }]) => changesFileByFile || system === openhands))(
    '[SE20] %s: the same for a link that stays inside the store',
    (_, subject) =>
      inFolder(async folder => {
        const source = await brokenStore(subject, folder)
        for (const place of fewOfEach(placesIn(source)).filter(one => one !== ''))
          await inFolder(async root => {
            const path = join(root, relative(folder, source))
            cpSync(source, path, { recursive: true })
            const aside = join(path, 'aside')
            mkdirSync(aside)
            const link = join(path, place)
            renameSync(link, join(aside, 'target'))
            symlinkSync(relative(dirname(link), join(aside, 'target')), link)
            const before = picture(aside)
            await look(path, [subject.system])
            await heal(path, root, [subject.system])
            expect({ place, after: picture(aside) }).toEqual({ place, after: before })
          })
      }),
  )

  test.each(named)(
    '[SE20] %s: a store that the user named by a link is healed, and its backup brings it back',
    (_, subject) =>
      inFolder(async folder => {
        const source = await brokenStore(subject, folder)
        const link = join(folder, `link${/\.\w+$/.exec(source)?.[0] ?? ''}`)
        symlinkSync(source, link)
        const before = (subject.contents ?? bytesOf)(source)
        const visits = await heal(link, folder, [subject.system])
        const backups = visits.flatMap(one => (one.kind === 'conversation' && one.backup ? [one.backup] : []))
        expect(backups.length, visits.map(about).join('\n')).toBeGreaterThan(0)
        expect(lstatSync(link).isSymbolicLink()).toBe(true)
        for (const backup of [...new Set(backups)].reverse()) await restore(backup, [subject.system])
        expect((subject.contents ?? bytesOf)(source)).toEqual(before)
      }),
  )

  test.each(['subagents', 'subagents/one'])('[SE20] agents of OpenHands in a folder that is a link (%s)', place =>
    inFolder(async folder => {
      const subject = subjects.find(({ system }) => system === openhands) as Subject
      const source = await brokenStore(subject, folder)
      const [path, outside] = [join(folder, 'home', 'store'), join(folder, 'outside')]
      cpSync(source, path, { recursive: true })
      cpSync(source, join(outside, place === 'subagents' ? 'one' : ''), { recursive: true })
      mkdirSync(dirname(join(path, place)), { recursive: true })
      symlinkSync(outside, join(path, place))
      const before = picture(outside)
      const visits = await heal(path, folder, [openhands])
      expect(picture(outside)).toEqual(before)
      expect(visits.map(about).join('\n')).toContain(`${join(path, place)}: it is a symbolic link`)
    }),
  )

  test.each(['-wal', '-shm', '-journal'])('[SE20] what a database has next to it as a link (%s)', suffix =>
    inFolder(async folder => {
      for (const mode of ['wal', 'delete']) {
        const home = join(folder, mode)
        mkdirSync(home)
        const path = join(home, 'checkpoints.db')
        const prey = join(folder, `${mode}-prey`)
        const database = new DatabaseSync(path)
        database.exec(`pragma journal_mode = ${mode}`)
        database.exec(readFileSync(join(project, 'test/doctor/systems/langgraph/samples/broken.sql'), 'utf8'))
        database.close()
        writeFileSync(prey, 'precious\n'.repeat(5_000))
        symlinkSync(prey, path + suffix)
        const visits = [...(await look(path, [langgraph])), ...(await heal(path, folder, [langgraph]))]
        expect(readFileSync(prey, 'utf8')).toBe('precious\n'.repeat(5_000))
        expect(visits.map(about).join('\n')).toContain(`${path}${suffix}: it is a symbolic link`)
      }
    }),
  )
})

test('[SE25] a hard link that is parted is told in one line, before and after', () =>
  inFolder(async folder => {
    const [chat, other] = [join(folder, 'chat.json'), join(folder, '..', 'other.json')]
    const broken = JSON.stringify([
      { role: 'user', content: 'hello' },
      { role: 'tool', tool_call_id: 'c1', content: 'lost' },
    ])
    writeFileSync(chat, broken)
    linkSync(chat, other)
    const plain = systems.filter(({ id }) => id === 'plain')
    for (const [one] of [await look(chat, plain), await heal(chat, folder, plain)])
      expect(one).toMatchObject({ examination: { notes: [expect.stringContaining(`${chat} is a hard link`)] } })
    expect(readFileSync(other, 'utf8')).toBe(broken)
    expect(readFileSync(chat, 'utf8')).not.toBe(broken)
  }))

test('[SE64] --restore and heal --write say so as well', () =>
  inFolder(async folder => {
    const [chat, other] = [join(folder, 'chat.json'), join(folder, '..', 'other.json')]
    writeFileSync(
      chat,
      JSON.stringify([
        { role: 'user', content: 'hello' },
        { role: 'tool', tool_call_id: 'c1', content: 'lost' },
      ]),
    )
    const plain = systems.filter(({ id }) => id === 'plain')
    const [healed] = await heal(chat, folder, plain)
    linkSync(chat, other)
    const backup = healed.kind === 'conversation' ? String(healed.backup) : ''
    const words = expect.stringContaining(`${chat} is a hard link`)
    expect(await restore(backup, plain)).toMatchObject({ notes: [words] })
    expect((await restore(backup, plain)).notes).toBeUndefined()

    linkSync(chat, join(folder, '..', 'third.json'))
    const run = (...args: string[]): string =>
      spawnSync(process.execPath, [programFile('antiphon'), 'heal', '--write', ...args], { encoding: 'utf8' }).stderr
    const before = readFileSync(chat)
    expect(lines(run(chat)).filter(line => line.includes('hard link'))).toEqual([words])
    writeFileSync(chat, before)
    expect(run(chat)).not.toContain('hard link')
    writeFileSync(chat, before)
    linkSync(chat, join(folder, '..', 'fourth.json'))
    expect(JSON.parse(run('--json', chat))).toMatchObject({ notes: [words] })
  }))

describe('what looks like a healing that was cut off', () => {
  test.each([
    ['the workshop', (workshop: string, outside: string) => symlinkSync(outside, workshop)],
    [
      'the folder in it',
      (workshop: string, outside: string) => {
        mkdirSync(workshop)
        symlinkSync(join(outside, 'old'), join(workshop, 'old'))
      },
    ],
  ])('[SE20] %s is a link: no file is moved from behind it', (_, make) =>
    inFolder(async folder => {
      const [home, outside] = [join(folder, 'home'), join(folder, 'outside')]
      mkdirSync(home)
      mkdirSync(join(outside, 'old'), { recursive: true })
      writeFileSync(join(outside, 'old', 'letters'), 'precious')
      make(join(home, '.antiphon-999999999'), outside)
      const before = picture(outside)
      const visits = await heal(home, folder, systems)
      expect(picture(outside)).toEqual(before)
      expect(existsSync(join(home, 'letters'))).toBe(false)
      expect(visits.map(about).join('\n')).toContain('it is a symbolic link')
    }),
  )

  test.each(named)('[SE20] %s: drafts that are links are not written through', (_, subject) =>
    inFolder(async folder => {
      const path = await brokenStore(subject, folder)
      const prey = join(folder, '..', 'prey')
      writeFileSync(prey, 'precious')
      for (const place of placesIn(path).filter(one => statSync(join(path, one)).isFile())) {
        const file = join(path, place)
        for (const end of ['', '-old'])
          symlinkSync(prey, join(dirname(file), `.${basename(file)}.${process.pid}.antiphon${end}`))
      }
      const visits = await heal(path, folder, [subject.system])
      expect(visits.some(one => one.kind === 'conversation' && one.backup !== undefined)).toBe(true)
      expect(readFileSync(prey, 'utf8')).toBe('precious')
    }),
  )
})
