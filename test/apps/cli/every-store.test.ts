import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { restore } from '../../../src/doctor/backup/restore.ts'
import { examineStores } from '../../../src/doctor/doctor.ts'
import { systems } from '../../../src/doctor/systems.ts'
import { all, bytesOf, type Subject } from '../../doctor/contract.ts'
import { subjects } from '../../doctor/subjects.ts'
import { antiphon, folder, lines } from './program.ts'

/** Found only where a user names them: applications keep these files where they like. */
const isAnywhere = new Set(['agent-framework', 'plain'])

/** A subject of each system that has a place of its own. Open WebUI has one outside of the home, and is not repaired. */
const placed = [...new Map(subjects.map(subject => [subject.system.id, subject])).values()].filter(
  ({ system }) => !isAnywhere.has(system.id),
)

test('[DD90] a home with a broken store of every system: each is found, shown, repaired, and brought back by the command that is printed', async () => {
  const home = folder()
  const cwd = join(home, 'work')
  const environment = { TMPDIR: join(home, 'tmp') }
  mkdirSync(cwd)
  for (const subject of placed) await placeIn({ home, cwd, environment }, subject)
  const known = systems.map(({ id }) => id).filter(id => !isAnywhere.has(id) && id !== 'open-webui')
  expect(placed.map(({ system }) => system.id).toSorted()).toEqual(known.toSorted())
  const env = { ...noVariables, ...environment, HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, 'state') }
  const doctor = (...args: string[]) => antiphon(['doctor', ...args], { env, cwd })
  const before = bytesOf(home)

  const screen = await doctor()
  expect(screen.code).toBe(1)
  expect(screen.stderr).toBe('')
  expect(lines(screen.stdout).length).toBeLessThan(50)
  const shown = lines(screen.stdout).filter(line => /^(broken|pending|healthy)/.test(line))
  const firstOther = shown.findIndex(line => !line.startsWith('broken'))
  expect(shown.slice(firstOther).filter(line => line.startsWith('broken'))).toEqual([])
  const broken = screen.stdout.split(/^(?=broken )/m).filter(block => block.startsWith('broken'))
  expect(broken.length).toBeGreaterThan(5)
  for (const block of broken) {
    expect(block).toMatch(/^broken +[\w-]+ {2}\S+/)
    expect(block).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/)
    expect(block).toMatch(/heal: antiphon doctor --fix \S+/)
  }
  const everything = await doctor('--all')
  const found = new Set([...everything.stdout.matchAll(/^broken +([\w-]+) {2}/gm)].map(([, id]) => id))
  expect([...found].toSorted()).toEqual(known.toSorted())
  expect(bytesOf(home)).toEqual(before)

  const fixed = await doctor('--fix')
  expect(fixed.code).toBe(0)
  const undo = [...fixed.stdout.matchAll(/antiphon doctor --restore (\S+)/g)].map(([, backup]) => backup)
  expect(undo.length).toBeGreaterThanOrEqual(known.length)
  expect((await doctor('--all')).stdout).not.toMatch(/^broken/m)
  const [last, ...others] = undo.reverse()
  expect((await doctor('--restore', last)).code).toBe(0)
  for (const backup of others) await restore(backup, systems)
  const again = await doctor('--all')
  expect(new Set([...again.stdout.matchAll(/^broken +([\w-]+) {2}/gm)].map(([, id]) => id))).toEqual(found)
})

/** What would lead the doctor out of the home. */
const noVariables = Object.fromEntries(
  ['CODEX_HOME', 'DATABASE_URL', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'GEMINI_CLI_HOME', 'CLAUDE_CONFIG_DIR'].map(
    name => [name, ''],
  ),
)

interface Machine {
  readonly home: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

/** Puts a broken store where its program keeps its sessions. */
async function placeIn({ home, cwd, environment }: Machine, subject: Subject): Promise<void> {
  const { system } = subject
  const own = folder()
  const draft = join(own, 'draft')
  for (let seed = 1; ; seed++) {
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft)
    const path = await subject.corrupted(seed, draft)
    const visits = await all(examineStores([path], { systems: [system] }))
    if (!visits.some(one => one.kind === 'conversation' && one.examination.storeRepair)) continue
    const [first = join(cwd, '.tmp/dev.db')] = system.places({
      home,
      folder: cwd,
      environment,
      platform: process.platform,
    })
    const isFile = statSync(path).isFile()
    const place = isFile && !/\.(db|sqlite)$/.test(first) ? join(first, basename(path)) : first
    mkdirSync(dirname(place), { recursive: true })
    cpSync(path, !isFile && system.id === 'openhands' ? join(place, basename(path)) : place, { recursive: true })
    return
  }
}
