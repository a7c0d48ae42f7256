import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import { rawLines } from '../../src/doctor/files/raw-lines.ts'
import { findStores } from '../../src/doctor/find-stores.ts'
import type { System } from '../../src/doctor/system.ts'
import { systems } from '../../src/doctor/systems.ts'
import { root } from '../repository.ts'
import { bytesOf, inFolder } from './contract.ts'
import { atEveryMoment, noSpace } from './moments.ts'

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const broken = JSON.stringify([
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'user', content: 'go on' },
])
const conversation = join(root, 'test/doctor/systems/openhands/samples/broken/9b2e6c1f5a344d7e8f103c6a1b2d4e5f')

describe('files around a store', () => {
  test('[DD10] copies in a backup are not stores, wherever the backup is and even if it is incomplete', () =>
    inFolder(async folder => {
      const chat = join(folder, 'chat.json')
      writeFileSync(chat, broken)
      const backups = join(folder, 'backups')
      const backup = backupIn(await heal(folder, backups))
      const kept = bytesOf(backups)
      renameSync(backup, join(backups, 'renamed'))
      const cut = join(backups, '2026-11-15T10-00-00-000Z-plain')
      mkdirSync(cut)
      writeFileSync(join(cut, '000000'), broken)
      const again = await heal(folder, backups)
      expect(again.map(said)).toEqual([`${chat}: healthy`])
      expect(Object.values(bytesOf(backups))).toEqual(expect.arrayContaining(Object.values(kept)))
      expect((await heal(join(backups, 'renamed'), backups)).map(said)).toEqual([
        expect.stringContaining('it is a backup, not a store'),
      ])
    }))

  test('[DD86] a plain history where a program keeps its sessions is reported, and changed only with --system plain', () =>
    inFolder(async folder => {
      const places = ['.codex/sessions/2026', '.kimi/sessions/x', '.pi/agent/sessions/y', '.continue/sessions', 'own']
      const files = places.map(place => {
        mkdirSync(join(folder, place), { recursive: true })
        const file = join(folder, place, 'chat.json')
        writeFileSync(file, broken)
        return file
      })
      const own = files.at(-1) as string
      const results = await heal(folder, join(folder, 'backups'))
      expect(results).toHaveLength(files.length)
      for (const file of files) {
        const result = results.find(({ path }) => path === file)
        if (result?.kind !== 'conversation') throw new Error(`${file} was not found`)
        expect(result.examination.state).toBe('broken')
        expect(result.backup === undefined).toBe(file !== own)
        expect(readFileSync(file, 'utf8') === broken).toBe(file !== own)
        const notes =
          file === own ? [] : [expect.stringMatching(/^it is where (Codex|kimi-cli|pi|Continue).* left alone/)]
        expect(result.examination.notes).toEqual(notes)
      }
      const plain = systems.filter(({ id }) => id === 'plain')
      for (const file of files.slice(0, -1)) {
        for await (const result of examineStores([file], { systems: plain, fix: true, backups: join(folder, 'more') }))
          expect(result).toMatchObject({ backup: expect.any(String) })
        expect(readFileSync(file, 'utf8')).not.toBe(broken)
      }
    }))

  test('[DD11] pipes, dangling links and cyclic links are one line each, and nothing blocks on them', () =>
    inFolder(async folder => {
      const pipe = join(folder, 'pipe.jsonl')
      execFileSync('mkfifo', [pipe])
      symlinkSync('nothing', join(folder, 'a-link'))
      symlinkSync('circle', join(folder, 'circle'))
      writeFileSync(join(folder, 'chat.json'), broken)
      expect((await look(folder)).map(said)).toEqual([
        `${join(folder, 'a-link')}: it is a symbolic link to a missing file`,
        `${join(folder, 'chat.json')}: broken`,
        `${join(folder, 'circle')}: its symbolic links form a cycle`,
      ])
      expect((await look(pipe)).map(said)).toEqual([`${pipe}: it is neither a file nor a folder`])
    }))

  test('[DD22] folders may be nested as deeply as the system allows', () =>
    inFolder(async folder => {
      const deep = join(folder, 'd/'.repeat(1_850))
      mkdirSync(deep, { recursive: true })
      writeFileSync(join(deep, 'chat.json'), broken)
      writeFileSync(join(folder, 'last.json'), broken)
      const found = [...findStores(folder, systems.slice(-1))]
      expect(found.map(({ path }) => basename(path))).toEqual(['chat.json', 'last.json'])
    }))

  test('[DD21] a log that disappears when its database is repaired is not an error, and is restored with it', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      const sql = readFileSync(join(root, 'test/doctor/systems/langgraph/samples/broken.sql'), 'utf8')
      // Its program is killed, so that its log stays.
      const script = `
        const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)})
        database.exec('pragma journal_mode = wal')
        database.exec(${JSON.stringify(sql)})
        process.kill(process.pid, 'SIGKILL')`
      spawnSync(process.execPath, ['-e', script])
      const before = bytesOf(folder)
      expect(Object.keys(before)).toEqual(['checkpoints.db', 'checkpoints.db-shm', 'checkpoints.db-wal'])
      const visits = await heal(folder, join(folder, '..', 'backups'))
      expect(visits.map(said)).toEqual([`${path}: healed`])
      await restore(backupIn(visits), systems)
      expect(bytesOf(folder)).toEqual(before)
    }))

  test('[DD12] a running writer is detected under any name of the file', () =>
    inFolder(async folder => {
      const chat = join(folder, 'chat.json')
      writeFileSync(chat, broken)
      symlinkSync(folder, join(folder, '..', 'link'))
      const writer = execFileSync(
        process.execPath,
        [
          '-e',
          `const fs = require('node:fs')
          fs.openSync(${JSON.stringify(chat)}, 'a')
          for (const name of ['chat.json', '../link/chat.json']) {
            const args = [${JSON.stringify(join(root, 'src/apps/cli/main.ts'))}, 'doctor', '--fix', name]
            console.log(require('node:child_process').spawnSync(process.execPath, args).stderr.toString())
          }`,
        ],
        { cwd: folder, encoding: 'utf8', env: { ...process.env, XDG_STATE_HOME: join(folder, '..') } },
      )
      expect(writer.match(/has it open for writing/g)).toHaveLength(2)
      expect(readFileSync(chat, 'utf8')).toBe(broken)
    }))

  test('[DD24] a file that changes after the look, or in the last moment, is left as it is then', () =>
    inFolder(async folder => {
      const chat = join(folder, 'chat.json')
      const later = `${broken}\n`
      for (const change of ['before', 'in the midst'] as const) {
        writeFileSync(chat, broken)
        const [system] = systems.filter(({ id }) => id === 'plain')
        const store = await system.open(chat, { now: 0 })
        for await (const { examine } of store.conversations()) {
          const { storeRepair } = await examine()
          if (change === 'before') writeFileSync(chat, later)
          const healed = atEveryMoment(
            (_, name) => {
              if (name === 'renameSync' && change === 'in the midst') writeFileSync(chat, later)
            },
            async () => storeRepair?.apply(),
          )
          await expect(healed).rejects.toThrow('it changed during the repair')
        }
        await store.close()
        expect(readFileSync(chat, 'utf8')).toBe(later)
        expect(Object.keys(bytesOf(folder, true))).toEqual(['chat.json'])
      }
    }))

  test('[DD13] a backup cannot be inside the store that it backs up', () =>
    inFolder(async folder => {
      const path = join(folder, basename(conversation))
      cpSync(conversation, path, { recursive: true })
      const before = bytesOf(path)
      const visits = await heal(path, join(path, 'backups'))
      expect(visits.map(said)).toEqual([expect.stringContaining('a backup cannot be inside the store')])
      expect(bytesOf(path)).toEqual(before)
    }))
})

describe('restoring a backup', () => {
  test('[DD14] the present content is backed up, and can be restored too; equal content is left alone', () =>
    inFolder(async folder => {
      const chat = join(folder, 'chat.json')
      writeFileSync(chat, broken)
      const backup = backupIn(await heal(chat, join(folder, '..', 'backups')))
      const longer = readFileSync(chat, 'utf8').replace('go on', 'went on')
      writeFileSync(chat, longer)
      const { kept } = await restore(backup, systems)
      expect(readFileSync(chat, 'utf8')).toBe(broken)
      expect((await restore(backup, systems)).kept).toBeUndefined()
      await restore(kept as string, systems)
      expect(readFileSync(chat, 'utf8')).toBe(longer)
    }))

  test('[DD15] a link to a file stays one, and the file has its rights again', () =>
    inFolder(async folder => {
      const [file, link] = [join(folder, 'real.json'), join(folder, 'link.json')]
      writeFileSync(file, broken)
      chmodSync(file, 0o640)
      symlinkSync('real.json', link)
      const backup = backupIn(await heal(link, join(folder, '..', 'backups')))
      expect(readFileSync(file, 'utf8')).not.toBe(broken)
      await restore(backup, systems)
      expect(lstatSync(link).isSymbolicLink()).toBe(true)
      expect(readFileSync(file, 'utf8')).toBe(broken)
      expect(statSync(file).mode & 0o777).toBe(0o640)
    }))

  test('[DD16] a folder that was continued with new files is not mixed with its earlier content', () =>
    inFolder(async folder => {
      const path = join(folder, basename(conversation))
      cpSync(conversation, path, { recursive: true })
      const backup = backupIn(await heal(path, join(folder, '..', 'backups')))
      const event = join(path, 'events/event-00007-aaaaaaaa-0000-4000-8000-000000000000.json')
      writeFileSync(event, '{}')
      const healed = bytesOf(path)
      await expect(restore(backup, systems)).rejects.toThrow('it was continued after its repair')
      expect(bytesOf(path)).toEqual(healed)
    }))

  test('[DD17] a backup stays as long as the store is not what it was', () =>
    inFolder(async folder => {
      const chat = join(folder, 'chat.json')
      writeFileSync(chat, broken)
      const backups = join(folder, '..', 'backups')
      const plain = systems.find(({ id }) => id === 'plain') as System
      let opened = 0
      const forgetful: System = {
        ...plain,
        open: async (...args) => {
          if (++opened > 1) throw new Error('cannot be read any more')
          return plain.open(...args)
        },
      }
      await heal(chat, backups, [forgetful])
      expect(readFileSync(chat, 'utf8')).toBe(broken)
      opened = 0
      const isRestoring = (): boolean => opened > 1
      const [failed] = await atEveryMoment(
        (_, name) => {
          if (isRestoring() && name === 'writeSync') throw noSpace()
        },
        () => heal(chat, backups, [forgetful]),
      )
      expect(readFileSync(chat, 'utf8')).not.toBe(broken)
      const place = /its former content is in (.+)$/.exec(said(failed))?.[1] as string
      await restore(place, systems)
      expect(readFileSync(chat, 'utf8')).toBe(broken)
    }))
})

describe('an interrupted repair', () => {
  test('[DD18] is finished though its number is ours now, and nothing that is not of it is removed', () =>
    inFolder(async folder => {
      const old = join(folder, `.antiphon-${process.pid}`, 'old')
      mkdirSync(old, { recursive: true })
      cpSync(conversation, join(old, 'conversation'), { recursive: true })
      mkdirSync(join(folder, '.antiphon-999999999', 'new', 'half'), { recursive: true })
      mkdirSync(join(folder, '.antiphon-999999998'))
      writeFileSync(join(folder, '.antiphon-999999998', 'mine'), 'precious')
      writeFileSync(join(folder, 'chat.json'), broken)
      writeFileSync(join(folder, `.chat.json.${process.pid}.antiphon`), 'a draft of before')
      const visits = await heal(folder, join(folder, '..', 'backups'))
      expect(visits.map(said)).toEqual([
        `${join(folder, 'conversation')}: healed`,
        `${join(folder, 'chat.json')}: healed`,
      ])
      expect(readdirSync(folder).sort()).toEqual(['.antiphon-999999998', 'chat.json', 'conversation'])
      expect(existsSync(join(folder, '.antiphon-999999998', 'mine'))).toBe(true)
    }))

  test('[DD23] is finished when the folder that lost its name is named', () =>
    inFolder(async folder => {
      const workshop = join(folder, '.antiphon-999999999')
      cpSync(conversation, join(workshop, 'old', 'conversation'), { recursive: true })
      const path = join(folder, 'conversation')
      expect((await look(path)).map(said)).toEqual([expect.stringContaining('a repair was interrupted here')])
      expect((await heal(path, join(folder, '..', 'backups'))).map(said)).toEqual([`${path}: healed`])
      expect(readdirSync(folder)).toEqual(['conversation'])
    }))

  test('[DD19] is left alone while a process with its id runs, and a message says so', () =>
    inFolder(async folder => {
      mkdirSync(join(folder, `.antiphon-${process.ppid}`, 'old', 'conversation'), { recursive: true })
      const visits = await heal(folder, join(folder, '..', 'backups'))
      expect(visits.map(said)).toEqual([expect.stringContaining(`process ${process.ppid} is repairing something here`)])
    }))
})

describe('lines', () => {
  test('[DR5] a line longer than the longest string makes a file unreadable, instead of its neighbours broken', () =>
    inFolder(async folder => {
      const file = join(folder, 'long.jsonl')
      writeFileSync(file, '{"role":"user","content":"hello"}\n')
      // The rest of the line is a hole in the file, which uses no space.
      truncateSync(file, 513 * 1024 * 1024)
      expect(() => [...rawLines(file)]).toThrow('a line of it is too long to be read')
    }))
})

async function heal(path: string, backups: string, known: readonly System[] = systems): Promise<DoctorResult[]> {
  const visits: DoctorResult[] = []
  for await (const one of examineStores([path], { systems: known, fix: true, backups })) visits.push(one)
  return visits.filter(({ kind }) => kind !== 'unrecognised')
}

async function look(path: string): Promise<DoctorResult[]> {
  const visits: DoctorResult[] = []
  for await (const one of examineStores([path], { systems })) visits.push(one)
  return visits.filter(({ kind }) => kind !== 'unrecognised')
}

function said(one: DoctorResult): string {
  if (one.kind === 'unreadable') return one.error.message
  if (one.kind === 'unrecognised') return `${one.path}: not known`
  if (one.failure) return one.failure.message
  return `${one.path}: ${one.backup === undefined ? one.examination.state : 'healed'}`
}

function backupIn(visits: readonly DoctorResult[]): string {
  for (const one of visits) if (one.kind === 'conversation' && one.backup !== undefined) return one.backup
  throw new Error(`nothing was healed: ${visits.map(said).join('; ')}`)
}
