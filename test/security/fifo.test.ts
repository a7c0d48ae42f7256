import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSource } from '../../src/doctor/files/source.ts'
import { openJournal } from '../../src/journal/index.ts'
import { lines } from '../apps/cli/program.ts'
import { inFolder, type Subject } from '../doctor/contract.ts'
import { subjects } from '../doctor/subjects.ts'
import { programFile } from '../programs.ts'
import { root } from '../repository.ts'

/** Opening one to read it waits until it is opened to write. */
const makeFifo = (path: string): void => void execFileSync('mkfifo', [path])

const companions = ['-wal', '-shm', '-journal']

/** The files of a store, one of each kind, and what a database may have next to it. */
function placesIn(path: string): string[] {
  const names = statSync(path).isDirectory() ? (readdirSync(path, { recursive: true }) as string[]).sort() : ['']
  const kinds = new Map<string, string>()
  for (const name of names) {
    const file = join(path, name)
    if (!statSync(file).isFile()) continue
    const isDatabase = readFileSync(file).subarray(0, 15).toString() === 'SQLite format 3'
    for (const place of [file, ...(isDatabase ? companions.map(suffix => file + suffix) : [])]) {
      const kind = place.replace(/[0-9a-f_-]*\d[\w-]*/gi, '#')
      if (!kinds.has(kind)) kinds.set(kind, place)
    }
  }
  return [...kinds.values()]
}

interface Told {
  readonly begun?: string
  readonly done?: string
  readonly told: readonly string[]
}

const named = subjects.map(
  subject => [`${subject.system.id} ${subject.changesFileByFile ? 'files' : ''}`, subject] as const,
)

describe('a FIFO in the place of a file', () => {
  test.each(named)('[SE70] %s: the doctor does not wait for it, and leaves it', (_, subject: Subject) =>
    inFolder(async folder => {
      const made = join(folder, 'made')
      mkdirSync(made)
      const source = await subject.corrupted(20261116, made)
      const isFolder = statSync(source).isDirectory()
      const cases = placesIn(source).map((place, index) => {
        const home = join(folder, String(index))
        const path = join(home, basename(source))
        cpSync(source, path, { recursive: true })
        const fifo = path + place.slice(source.length)
        rmSync(fifo, { force: true })
        makeFifo(fifo)
        return { path, fifo, place: relative(source, place) }
      })
      const args = [
        programFile('visit-child'),
        subject.system.id,
        join(folder, 'backups'),
        ...cases.map(one => one.path),
      ]
      const { stdout, stderr } = spawnSync(process.execPath, args, {
        timeout: 60_000,
        killSignal: 'SIGKILL',
        encoding: 'utf8',
      })
      const told = lines(stdout).map(line => JSON.parse(line) as Told)
      for (const { path, fifo, place } of cases) {
        const done = told.filter(one => one.done === path)
        expect({ place, ended: done.length, stderr }).toEqual({ place, ended: 2, stderr: '' })
        // Where a folder is searched, it is passed over like any other special file.
        if (!isFolder) expect(done.flatMap(one => one.told).join('\n'), place).toContain(fifo)
        expect(lstatSync(fifo).isFIFO(), place).toBe(true)
      }
    }),
  )

  const run = (...args: string[]): { code: number | null; lines: string[] } => {
    const { status, stderr } = spawnSync(process.execPath, [programFile('antiphon'), ...args], {
      timeout: 40_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    })
    return { code: status, lines: lines(stderr) }
  }

  test.each(['', ...companions])('[SE70] threads and view do not wait for it (chat.db%s)', suffix =>
    inFolder(async folder => {
      const file = join(folder, 'chat.db')
      const journal = await openJournal(`sqlite:${file}`)
      await journal.thread('chat', { for: 'anthropic' }).submit('hello', { key: '1' })
      await journal.close()
      rmSync(file + suffix, { force: true })
      makeFifo(file + suffix)
      for (const args of [
        ['threads', file],
        ['view', file, '--export', join(folder, 'page.html')],
      ])
        expect({ args, ...run(...args) }).toEqual({
          args,
          code: 2,
          lines: [expect.stringMatching(`${suffix}: it is (not a regular file|neither a file nor a folder)`)],
        })
    }),
  )

  test.each(['backup.json', '000000', 'data'])('[SE70] doctor --restore does not wait for it (%s)', name =>
    inFolder(async folder => {
      const [store, backup] = [join(folder, 'chat.json'), join(folder, 'backup')]
      mkdirSync(backup)
      writeFileSync(store, '[]')
      const files = [{ path: store, copy: '000000', sha256: '0' }]
      const data = name === 'data' ? { data: { copy: 'data', sha256: '0' } } : {}
      writeFileSync(
        join(backup, 'backup.json'),
        JSON.stringify({ antiphon: 1, system: 'plain', path: store, made: '', files, ...data }),
      )
      rmSync(join(backup, name), { force: true })
      makeFifo(join(backup, name))
      expect(run('doctor', '--restore', backup)).toEqual({ code: 2, lines: [expect.stringContaining(backup)] })
      expect(readFileSync(store, 'utf8')).toBe('[]')
    }),
  )

  test('[SE70] doctor --restore does not wait for one in the store', () =>
    inFolder(async folder => {
      const [store, backup] = [join(folder, 'chat.json'), join(folder, 'backup')]
      mkdirSync(backup)
      makeFifo(store)
      writeFileSync(join(backup, '000000'), '')
      const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
      const files = [{ path: store, copy: '000000', sha256 }]
      writeFileSync(
        join(backup, 'backup.json'),
        JSON.stringify({ antiphon: 1, system: 'plain', path: store, made: '', files }),
      )
      expect(run('doctor', '--restore', backup)).toEqual({ code: 2, lines: [expect.stringContaining(store)] })
      expect(lstatSync(store).isFIFO()).toBe(true)
    }))
})

test('[SE126] a device that a file leads to is refused, and a pipe is read to its end', () =>
  inFolder(async folder => {
    const link = join(folder, 'chat.json')
    symlinkSync('/dev/zero', link)
    await expect(readSource(link)).rejects.toMatchObject({ code: 'unreadable', message: `${link}: it is a device` })
    const pipe = join(folder, 'pipe')
    makeFifo(pipe)
    const ended = once(spawn('sh', ['-c', 'echo "[]" > "$0"', pipe]), 'close')
    expect((await readSource(pipe)).text).toBe('[]\n')
    await ended
  }))

test('[SE70] the doctor opens files to read them in one place only', () => {
  const folder = join(root, 'src/doctor')
  const opens = /\b(readFileSync|createReadStream|readFile)\((?!handle\))|\bopenSync\((?!folder\b)[^)]*'r'/
  const found = (readdirSync(folder, { recursive: true }) as string[]).filter(
    name => name.endsWith('.ts') && !allowed.test(name) && opens.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(found).toEqual([])
})

/** That place, what the user names on the command line (which may be a pipe), and what the system keeps. */
const allowed = /^files\/(regular-file\.ts|source\.ts|remote-kind\.ts|processes\/)/
