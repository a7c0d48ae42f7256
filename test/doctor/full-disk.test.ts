import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { programFile } from '../programs.ts'
import { sampleOf } from '../sample.ts'
import { about, all, bytesOf, inFolder, type Subject, state } from './contract.ts'
import { reading } from './reading.ts'
import { subject as crush } from './systems/crush/subject.ts'
import { subject as googleAdk } from './systems/google-adk/subject.ts'
import { subject as goose } from './systems/goose/subject.ts'
import { subject as hermes } from './systems/hermes/subject.ts'
import { subject as instatic } from './systems/instatic/subject.ts'
import { subject as langgraphPython } from './systems/langgraph/python/subject.ts'
import { subject as langgraph } from './systems/langgraph/subject.ts'
import { subject as openaiAgentsSqlite } from './systems/openai-agents-sqlite/subject.ts'
import { subject as openclawSqlite } from './systems/openclaw-sqlite/subject.ts'
import { inDatabase as opencode } from './systems/opencode/subject.ts'
import { subject as zed } from './systems/zed/subject.ts'

const subjects = [
  ...[instatic, langgraph, langgraphPython, openaiAgentsSqlite, opencode, hermes, openclawSqlite, googleAdk],
  ...[goose, crush, zed],
]

describe('a database on a disk that is full for real', () => {
  for (const subject of subjects)
    for (const mode of sampleOf(['delete', 'wal'], 1, `${subject.system.title} ${subject.tag}`))
      test(`[DS8] ${subject.system.title} (${subject.tag}), ${mode}: the rows are unchanged or repaired, and one clear line says so`, () =>
        inFolder(async folder => {
          const { path, states, copy, size } = await growing(subject, mode, folder)
          for (const room of mode === 'wal' ? [size] : [size / 2, size]) {
            putBack(copy, folder)
            const before = bytesOf(folder)
            const { complaints, ...end } = healWithin(room, subject, path)
            expect({ room, ...end }).toEqual({ room, signal: null, stderr: '' })
            const now = reading(path)
            expect({ room, isKnown: states.some(one => isDeepStrictEqual(one, now)) }).toEqual({ room, isKnown: true })
            // A log has its own space, so with one the disk may suffice.
            const isHealed = mode === 'wal' && isDeepStrictEqual(now, states.at(-1))
            expect({ room, isSaid: isHealed || complaints.length > 0 }).toEqual({ room, isSaid: true })
            for (const line of complaints) expect(line).toMatch(oneLine)
            if (room < size) expect(bytesOf(folder), 'without room for a backup').toEqual(before)
            const healed = await all(
              examineStores([path], { systems: [subject.system], fix: true, backups: backupsOf(folder) }),
            )
            expect(healed.flatMap(one => (one.kind === 'conversation' ? (one.failure ?? []) : about(one)))).toEqual([])
            expect(reading(path)).toEqual(states.at(-1))
            expect(await subject.refusals(path)).toEqual([])
          }
        }))
})

const oneLine =
  /^\S+: (no backup can be made there: )?(there is no space left|it cannot grow: no space, a quota, or a limit on file sizes|it would be larger than the system allows)(: its former content is in \S+)?$/

interface Growing {
  readonly path: string
  /** The rows before, and after each conversation. */
  readonly states: readonly unknown[]
  readonly copy: string
  readonly size: number
}

/** A broken database that needs more space for its repair, with pages so small and full that a row takes a new one. */
async function growing(subject: Subject, mode: string, folder: string): Promise<Growing> {
  const copy = join(folder, '..', 'copy')
  for (let seed = 20261115; ; seed++) {
    const path = await subject.corrupted(seed, folder)
    const database = new DatabaseSync(path)
    database.exec(`pragma journal_mode = delete; pragma page_size = 512; vacuum; pragma journal_mode = ${mode}`)
    database.close()
    const size = statSync(path).size
    rmSync(copy, { recursive: true, force: true })
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
    const states = [reading(path)]
    let broken = 0
    for await (const one of examineStores([path], {
      systems: [subject.system],
      fix: true,
      backups: backupsOf(folder),
    })) {
      states.push(reading(path))
      if (state(one) === 'broken') broken++
    }
    if (broken > 0 && statSync(path).size > size) return { path, states, copy, size }
    putBack(copy, folder)
    rmSync(path)
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  }
}

const backupsOf = (folder: string): string => join(folder, '..', 'backups')

function putBack(copy: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(copy, folder, { recursive: true, preserveTimestamps: true })
}

/** Heals in a process whose files cannot grow beyond so many bytes. */
function healWithin(bytes: number, { system }: Subject, path: string) {
  const limit = `ulimit -f ${Math.floor(bytes / 512)}; exec "$0" "$@"`
  const backups = join(path, '..', '..', 'backups')
  if (existsSync(backups)) rmSync(backups, { recursive: true })
  const args = ['-c', limit, process.execPath, programFile('full-disk-child'), system.id, path, backups]
  const { stdout, stderr, signal } = spawnSync('sh', args, { encoding: 'utf8' })
  return { signal, stderr, complaints: stderr === '' ? (JSON.parse(stdout) as string[]) : [] }
}
