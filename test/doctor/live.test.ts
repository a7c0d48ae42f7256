import { spawn, spawnSync } from 'node:child_process'
import fs, { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type DoctorOptions, type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import { isAlive } from '../../src/doctor/files/processes/is-alive.ts'
import { isNamed, processNames } from '../../src/doctor/files/processes/process-names.ts'
import type { ProcessTable } from '../../src/doctor/files/processes/process-table.ts'
import { lookAtProcesses } from '../../src/doctor/files/processes/processes.ts'
import { linuxProcesses } from '../../src/doctor/files/processes/processes-linux.ts'
import { lsofProcesses, parsePsAndLsof as readUnix } from '../../src/doctor/files/processes/processes-lsof.ts'
import { parseProcessList as readWindows } from '../../src/doctor/files/processes/processes-windows.ts'
import { kindAmong, mountsIn, mountsListed } from '../../src/doctor/files/remote-kind.ts'
import { findUse } from '../../src/doctor/in-use.ts'
import type { System } from '../../src/doctor/system.ts'
import { systems } from '../../src/doctor/systems.ts'
import { programFile } from '../programs.ts'
import { about, all, bytesOf, inFolder, type Subject, state } from './contract.ts'
import { type LiveOptions, type LiveProgram, startProgram } from './live.ts'
import { atEveryMoment } from './moments.ts'
import { subjects } from './subjects.ts'
import { subject as agentFramework } from './systems/agent-framework/subject.ts'
import { subject as aiSdkChat } from './systems/ai-sdk-chat/subject.ts'
import { subject as madz } from './systems/madz/subject.ts'
import { inFiles } from './systems/opencode/subject.ts'
import { subject as openhands } from './systems/openhands/subject.ts'

describe('a store that a live program has open', () => {
  for (const subject of subjects) {
    const { system } = subject
    const contents = subject.contents ?? bytesOf
    const name = system.title

    test(`[DS11] ${name}: is left alone, also without --fix, and is repaired without --force once the program was killed`, () =>
      inFolder(async folder => {
        const path = await brokenStore(subject, folder)
        const { files, isDatabase } = await heldIn(system, path)
        const before = bytesOf(path)
        const program = startProgram(isDatabase ? { connected: files } : { open: files })
        try {
          for (const fix of [false, true]) {
            const visits = await doctor(system, path, folder, { fix })
            const treated = visits.filter(one => state(one) === 'broken' && isTreatable(one))
            expect({ fix, treated: treated.map(about) }).toEqual({ fix, treated: [] })
            expect(visits.find(one => state(one) === 'busy')).toMatchObject({
              use: { pid: program.pid },
              examination: { notes: expect.arrayContaining([expect.stringContaining(`process ${program.pid} `)]) },
            })
          }
          expect(bytesOf(path)).toEqual(before)
          expect(existsSync(join(folder, '..', 'backups'))).toBe(false)
          const forced = await doctor(system, path, folder, { fix: true, force: true })
          // A file that changes its name below an open handle would lose all that is written to it.
          expect(forced.some(one => one.kind === 'conversation' && one.backup !== undefined)).toBe(isDatabase)
          if (!isDatabase) expect(bytesOf(path)).toEqual(before)
        } finally {
          await program.kill()
        }
        const healed = await doctor(system, path, folder, { fix: true })
        expect(healed.filter(one => state(one) === 'busy').map(about)).toEqual([])
        expect(await subject.refusals(path)).toEqual([])
      }))

    test(`[DS12] ${name}: is left alone if the program starts between the look and the change`, () =>
      inFolder(async folder => {
        const path = await brokenStore(subject, folder)
        const { files, isDatabase } = await heldIn(system, path)
        const before = contents(path)
        let program: LiveProgram | undefined
        try {
          const visits = await atEveryMoment(
            () => (program ??= startProgram(isDatabase ? { connected: files } : { open: files })),
            () => doctor(system, path, folder, { fix: true }),
          )
          const failures = visits.flatMap(one =>
            one.kind === 'conversation' && one.failure ? [one.failure.message] : [],
          )
          expect(failures.length).toBeGreaterThan(0)
          expect(failures[0]).toContain(`process ${program?.pid} `)
          expect(contents(path)).toEqual(before)
        } finally {
          await program?.kill()
        }
        await doctor(system, path, folder, { fix: true })
        expect(await subject.refusals(path)).toEqual([])
      }))
  }

  test('[DD30] a program that opens the file in the very last moment gets it back', () =>
    inFolder(async folder => {
      const path = join(folder, 'chat.json')
      writeFileSync(path, broken)
      let program: LiveProgram | undefined
      try {
        const visits = await atEveryMoment(
          (_, name, args) => {
            if (name === 'renameSync' && args[1] === path) program ??= startProgram({ open: [path] })
          },
          () => doctor(systemOf('plain'), path, folder, { fix: true }),
        )
        expect(visits.map(failureOf)).toEqual([expect.stringContaining(`process ${program?.pid} `)])
      } finally {
        await program?.kill()
      }
      expect(readFileSync(path, 'utf8')).toBe(broken)
    }))

  test('[DD31] nothing is restored below a live program, and --force does not replace a file that is open', () =>
    inFolder(async folder => {
      const path = join(folder, 'chat.json')
      writeFileSync(path, broken)
      const [visited] = await doctor(systemOf('plain'), path, folder, { fix: true })
      const backup = (visited as { backup?: string }).backup as string
      const healed = readFileSync(path, 'utf8')
      const program = startProgram({ open: [path] })
      try {
        await expect(restore(backup, systems)).rejects.toThrow(`process ${program.pid} `)
        await expect(restore(backup, systems, undefined, true)).rejects.toThrow('nothing was restored')
        expect(readFileSync(path, 'utf8')).toBe(healed)
      } finally {
        await program.kill()
      }
      await restore(backup, systems)
      expect(readFileSync(path, 'utf8')).toBe(broken)
    }))
})

describe('a program that has no file open', () => {
  /** Where a broken store is put, and what its program looks like while it is between two records. */
  const cases: readonly [Subject, string, (folder: string) => LiveOptions][] = [
    [inFiles, 'opencode/storage', folder => ({ name: 'opencode', open: [join(folder, 'opencode/log/now.log')] })],
    [openhands, '.openhands/conversations', folder => ({ name: 'openhands', folder })],
    [openhands, 'workspace/conversations', folder => ({ name: 'python3', folder })],
    [madz, 'memory/sessions', folder => ({ name: 'madz', folder })],
    [madz, 'memory/sessions', folder => ({ name: 'node', folder })],
    [aiSdkChat, '.chats', folder => ({ name: 'next-server', folder })],
    [agentFramework, 'sessions', folder => ({ name: 'python3', folder: join(folder, 'sessions') })],
  ]

  for (const [subject, place, live] of cases)
    test(`[DS13] ${subject.system.title} in ${place}: is recognised by its process, and its store is left alone until the process ends`, () =>
      inFolder(async folder => {
        for (const name of [place, 'opencode/log']) mkdirSync(join(folder, name), { recursive: true })
        const path = await brokenStore(subject, join(folder, place))
        const { system } = subject
        const before = bytesOf(path)
        const { files } = await heldIn(system, path)
        const program = startProgram({ ...live(folder), appended: files })
        try {
          const visits = await doctor(system, path, folder, { fix: true })
          expect(visits.find(one => state(one) === 'busy')).toMatchObject({ use: { pid: program.pid } })
          expect(bytesOf(path)).toEqual(before)
          await program.kill()
          await doctor(system, path, folder, { fix: true })
          expect(await subject.refusals(path)).toEqual([])
        } finally {
          await program.kill()
        }
      }))

  test('[DS20] a plain session is left alone while a call is open and a runtime works near, until that ends', () =>
    inFolder(async folder => {
      const place = join(folder, 'project', 'sessions', 'today')
      mkdirSync(place, { recursive: true })
      const path = join(place, 'session.jsonl')
      const plain = systemOf('plain')
      for (const works of [place, join(folder, 'project')]) {
        writeFileSync(path, openSession)
        const program = startProgram({ name: 'python3', folder: works, appended: [path] })
        try {
          const visits = await doctor(plain, path, folder, { fix: true })
          expect(visits.map(state)).toEqual(['busy'])
          expect(visits).toMatchObject([{ use: { pid: program.pid } }])
          expect(readFileSync(path, 'utf8')).toBe(openSession)
          await doctor(plain, path, folder, { fix: true, force: true })
          expect(readFileSync(path, 'utf8')).not.toBe(openSession)
          writeFileSync(path, strayed)
          await doctor(plain, path, folder, { fix: true })
          expect(readFileSync(path, 'utf8')).not.toBe(strayed)
          writeFileSync(path, openSession)
        } finally {
          await program.kill()
        }
        expect((await doctor(plain, path, folder, { fix: true })).map(failureOf)).toEqual([undefined])
        expect(readFileSync(path, 'utf8')).not.toBe(openSession)
      }
    }))

  test('[DS20] where a runtime does not show its folder and a call is open, --force is asked for with the reason', () =>
    inFolder(async folder => {
      const path = join(folder, 'session.jsonl')
      writeFileSync(path, openSession)
      const asked = { system: systemOf('plain'), place: path, files: [path], isShared: false, now: 0 }
      const shown = (folder?: string, pid = 7): ProcessTable => ({
        processes: [{ pid, parent: 1, names: ['node'], isReadable: true, ...(folder ? { folder } : {}) }],
        tellsHandles: true,
        writersOf: () => [],
      })
      const open = { ...asked, hasOpenCalls: true }
      expect(findUse(open, () => shown())).toEqual({
        kind: 'unknown',
        why: expect.stringContaining('process 7 (node)'),
      })
      expect(findUse(open, () => shown(folder))).toMatchObject({ kind: 'used', pid: 7 })
      expect(findUse(open, () => shown(undefined, process.ppid))).toEqual({ kind: 'free' })
      for (const elsewhere of ['/', tmpdir(), homedir(), dirname(homedir()), `${folder}-other`])
        expect(
          findUse(open, () => shown(elsewhere)),
          elsewhere,
        ).toEqual({ kind: 'free' })
      expect(findUse(asked, () => shown())).toEqual({ kind: 'free' })
    }))

  test('[DS13] a process that works elsewhere, and what started the doctor, do not count', () =>
    inFolder(async folder => {
      mkdirSync(join(folder, '.chats'))
      const path = await brokenStore(aiSdkChat, join(folder, '.chats'))
      const elsewhere = startProgram({ name: 'node', folder: join(folder, '..') })
      const args = [programFile('antiphon'), 'doctor', '--fix', '--backup', join(folder, '..', 'backups'), path]
      const script = `process.exit(require('node:child_process').spawnSync(process.execPath, ${JSON.stringify(args)}).status)`
      try {
        expect(spawnSync(process.execPath, ['-e', script], { cwd: folder }).status).toBe(0)
        expect(await aiSdkChat.refusals(path)).toEqual([])
      } finally {
        await elsewhere.kill()
      }
    }))

  test('[DS13] --force repairs a store that its program may be using', () =>
    inFolder(async folder => {
      mkdirSync(join(folder, '.chats'))
      const path = await brokenStore(aiSdkChat, join(folder, '.chats'))
      const program = startProgram({ name: 'node', folder })
      try {
        await doctor(aiSdkChat.system, path, folder, { fix: true, force: true })
        expect(await aiSdkChat.refusals(path)).toEqual([])
      } finally {
        await program.kill()
      }
    }))

  describe('Claude Code', () => {
    const record = {
      ...{
        parentUuid: null,
        isSidechain: false,
        type: 'assistant',
        uuid: 'a1',
        sessionId: 'session',
        version: '2.0.1',
      },
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { id: 'm1', role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
    }
    const system = systemOf('claude-code')

    /** A session of a project, in the folder that the program names by it. */
    const session = (folder: string): { path: string; project: string; home: string } => {
      const [project, home] = [join(folder, 'project'), join(folder, 'home')]
      const path = join(home, 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'), 'session.jsonl')
      for (const place of [project, dirname(path), join(home, 'sessions')]) mkdirSync(place, { recursive: true })
      writeFileSync(path, `${JSON.stringify(record)}\n`)
      return { path, project, home }
    }
    const statesOf = async (path: string, folder: string): Promise<string[]> =>
      (await doctor(system, path, folder, {})).map(state)

    test('[DC15] an older version, which writes nothing down, is known by the folder that it works in', () =>
      inFolder(async folder => {
        const { path, project } = session(folder)
        for (const name of ['claude', '/opt/node_modules/@anthropic-ai/claude-code/cli.js']) {
          const program = startProgram({ name, folder: project, appended: [path] })
          expect(await statesOf(path, folder), name).toEqual(['busy'])
          await program.kill()
          expect(await statesOf(path, folder), name).toEqual(['broken'])
        }
        for (const other of [
          startProgram({ name: 'claude', folder }),
          startProgram({ name: 'vim', folder: project }),
        ]) {
          expect(await statesOf(path, folder)).toEqual(['broken'])
          await other.kill()
        }
      }))

    test('[DC15] a newer version records which session it has, and only that one is left alone', () =>
      inFolder(async folder => {
        const { path, project, home } = session(folder)
        const program = startProgram({ name: 'claude', folder: project })
        const says = (sessionId: string, procStart?: string): void =>
          writeFileSync(join(home, 'sessions', `${program.pid}.json`), JSON.stringify({ sessionId, procStart }))
        says('session')
        expect(await statesOf(path, folder)).toEqual(['busy'])
        says('another')
        expect(await statesOf(path, folder)).toEqual(['broken'])
        // Another process had this number, and the one of now has written nothing down.
        says('another', '1')
        expect(await statesOf(path, folder)).toEqual(['busy'])
        says('session')
        await program.kill()
        expect(await statesOf(path, folder)).toEqual(['broken'])
      }))
  })

  test('[DX28] Codex: the lock of a thread counts as the rollout does', () =>
    inFolder(async folder => {
      const thread = '01a1e3b4-d1a5-7ee2-bdb4-2a60a132495f'
      const path = join(folder, 'sessions/2026/11/16', `rollout-2026-11-16T09-34-00-${thread}.jsonl`)
      const lock = join(folder, 'thread-writer-locks', `${thread}.lock`)
      for (const file of [path, lock]) mkdirSync(dirname(file), { recursive: true })
      const call = { type: 'function_call', name: 'exec', arguments: '{}', call_id: 'c1' }
      const lines = [
        { timestamp: '2026-11-16T09:34:00.000Z', type: 'session_meta', payload: { id: thread, cwd: '/work' } },
        { timestamp: '2026-11-16T09:34:01.000Z', type: 'response_item', payload: call },
      ]
      writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
      const program = startProgram({ open: [lock] })
      expect((await doctor(systemOf('codex'), path, folder, { fix: true })).map(state)).toEqual(['busy'])
      await program.kill()
      expect((await doctor(systemOf('codex'), path, folder, { fix: true })).map(failureOf)).toEqual([undefined])
    }))
})

/** The program that a process runs. */
const commandOf = (pid: number): string =>
  (existsSync('/proc/self/comm')
    ? readFileSync(`/proc/${pid}/comm`, 'utf8')
    : String(spawnSync('ps', ['-o', 'comm=', '-p', String(pid)]).stdout)
  ).trim()

describe('what the operating system shows', () => {
  test('[DD32] a process that was killed and not taken note of does not run', async () => {
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'])
    try {
      const pid = Number(await new Promise(resolve => parent.stdout.once('data', data => resolve(String(data)))))
      expect(isAlive(pid)).toBe(true)
      // The shell would still take note of it; what it becomes does not.
      await expect.poll(() => commandOf(Number(parent.pid))).toMatch(/sleep$/)
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => isAlive(pid)).toBe(false)
      expect(() => process.kill(pid, 0)).not.toThrow()
      expect(lookAtProcesses().processes.some(one => one.pid === pid)).toBe(false)
    } finally {
      parent.kill('SIGKILL')
    }
  })

  test('[DD32] a process that ends while it is looked at does not run, and hides nothing', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
    const { readlinkSync } = fs
    let isKilled = false
    fs.readlinkSync = ((path: string) => {
      if (path === `/proc/${child.pid}/cwd`) {
        isKilled = child.kill('SIGKILL')
        while (isAlive(Number(child.pid)));
      }
      return readlinkSync(path)
    }) as typeof readlinkSync
    syncBuiltinESMExports()
    try {
      expect(linuxProcesses().processes.some(one => one.pid === child.pid)).toBe(false)
      expect(isKilled).toBe(true)
    } finally {
      fs.readlinkSync = readlinkSync
      syncBuiltinESMExports()
      child.kill('SIGKILL')
    }
  })

  test('[DD32] a process is known by its own name, its program, its package, its script or its module', () => {
    const known = (own: string, file: string, args: string[], ...names: string[]): boolean =>
      isNamed(processNames(own, file, args), names)
    expect(known('claude', '/usr/bin/node', ['claude'], 'claude')).toBe(true)
    expect(known('2.1.9', '/home/ada/.local/share/claude/versions/2.1.9', ['claude', '-p'], 'claude')).toBe(true)
    const script = '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'
    expect(known('node', '/usr/bin/node', ['node', '--import', 'x', script], '@anthropic-ai/claude-code')).toBe(true)
    expect(known('python3.12', '/usr/bin/python3.12', ['python', '-m', 'openhands.cli'], 'openhands')).toBe(true)
    expect(known('', 'C:\\Tools\\codex.exe', ['"C:\\Tools\\codex.exe"'], 'codex')).toBe(true)
    expect(known('bash', '/bin/bash', ['bash', '-c', 'claude'], 'claude')).toBe(false)
    expect(known('vim', '/usr/bin/vim', ['vim', 'claude'], 'claude')).toBe(false)
    expect(known('node', '/usr/bin/node', ['node', 'server.js', 'claude'], 'claude')).toBe(false)
    expect(known('node', '/usr/bin/node', ['node', '-e', 'claude'], 'claude')).toBe(false)
  })

  test('[DD33] lsof and ps show the same as /proc', () =>
    inFolder(async folder => {
      const file = join(folder, 'session.jsonl')
      writeFileSync(file, '')
      const program = startProgram({ name: 'claude', folder, open: [file] })
      try {
        for (const table of [lookAtProcesses(), lsofProcesses()]) {
          expect(table.writersOf([file])).toEqual([program.pid])
          expect(table.writersOf([`${folder}/`])).toEqual([program.pid])
          const one = table.processes.find(({ pid }) => pid === program.pid)
          expect(one).toMatchObject({ folder, parent: process.pid, isReadable: true, user: process.getuid?.() })
          expect(isNamed(one?.names ?? [], ['claude'])).toBe(true)
        }
      } finally {
        await program.kill()
      }
    }))

  test('[DD33] what macOS and Windows print is read', () => {
    const ps =
      '  501   1   501 S    /Applications/Claude.app/Contents/MacOS/Claude\n  77 501 501 S+ claude --resume\n 78 1 501 Z (gone)\n'
    const lsof =
      'p77\nfcwd\nn/Users/ada/app\nftxt\nn/opt/homebrew/bin/node\nf21\nau\nn/Users/ada/x.jsonl\nf22\nar\nn/Users/ada/y.jsonl\n'
    const table = readUnix(ps, lsof)
    expect(table.processes.map(({ pid, folder }) => ({ pid, folder }))).toEqual([
      { pid: 501, folder: undefined },
      { pid: 77, folder: '/Users/ada/app' },
    ])
    expect(table.processes.map(({ names }) => isNamed(names, ['claude']))).toEqual([false, true])
    expect(table.writersOf(['/Users/ada/x.jsonl', '/Users/ada/y.jsonl'])).toEqual([77])
    const line = '"C:\\Program Files\\nodejs\\node.exe" C:\\npm\\node_modules\\@anthropic-ai\\claude-code\\cli.js'
    const rows = [{ ProcessId: 9, ParentProcessId: 1, Name: 'node.exe', ExecutablePath: null, CommandLine: line }]
    const [one] = readWindows(JSON.stringify(rows))
    expect(isNamed(one.names, ['@anthropic-ai/claude-code'])).toBe(true)
  })

  test('[DD34] if use cannot be determined, nothing is changed, and the message gives the reason and asks for --force', () =>
    inFolder(async folder => {
      const path = join(folder, 'chat.json')
      writeFileSync(path, broken)
      const asked = { system: systemOf('plain'), place: path, files: [path], isShared: false, now: 0 }
      const none = (): ProcessTable => {
        throw new Error('lsof cannot be run')
      }
      expect(findUse(asked, none)).toEqual({ kind: 'unknown', why: expect.stringContaining('lsof cannot be run') })
      const blind: ProcessTable = { processes: [], tellsHandles: false, writersOf: () => [] }
      expect(findUse({ ...asked, isShared: true }, () => blind)).toMatchObject({ kind: 'unknown' })
      expect(findUse(asked, () => blind)).toEqual({ kind: 'free' })
    }))

  test('[DD34] a network file system is known by its mount, and a Windows drive under WSL', () => {
    const mounts = mountsIn(`22 1 0:1 / / rw - ext4 /dev/sda rw
23 22 0:2 / /home/ada\\040x rw - nfs4 server:/home rw
24 22 0:3 / /mnt/c rw - 9p C:\\134 rw
25 22 0:4 / /data rw - 9p root rw`)
    expect(['/tmp/x', '/home/ada x/y', '/mnt/c/y', '/data/y'].map(path => kindAmong(mounts, path))).toEqual([
      undefined,
      'nfs4',
      'drvfs',
      undefined,
    ])
    const listed = mountsListed('/dev/disk1 on / (apfs, local)\n//ada@nas/share on /Volumes/share (smbfs, nodev)\n')
    expect(['/Users/ada', '/Volumes/share/x'].map(path => kindAmong(listed, path))).toEqual([undefined, 'smbfs'])
  })
})

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const broken = JSON.stringify([
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'user', content: 'go on' },
])

const messages = JSON.parse(broken) as object[]
const linesOf = (...list: readonly object[]): string => list.map(message => `${JSON.stringify(message)}\n`).join('')
/** A session whose tool runs, and one with a result in the wrong place. */
const openSession = linesOf(messages[0], messages[1])
const strayed = linesOf(...messages, { role: 'tool', tool_call_id: 'c1', content: 'seen' })

/** Writes a store that is broken and can be repaired. */
async function brokenStore(subject: Subject, folder: string): Promise<string> {
  for (let seed = 4_000; seed < 4_200; seed++) {
    const trial = await inFolder(async place => {
      const found = await all(examineStores([await subject.corrupted(seed, place)], { systems: [subject.system] }))
      return found.some(isTreatable)
    })
    if (trial) return subject.corrupted(seed, folder)
  }
  throw new Error('no seed gives a broken store')
}

const isTreatable = (one: DoctorResult): boolean =>
  one.kind === 'conversation' && one.examination.storeRepair !== undefined

/** The existing files that a repair would change: those of a database are opened through one of them. */
async function heldIn(system: System, path: string): Promise<{ files: string[]; isDatabase: boolean }> {
  const visits = await all(examineStores([path], { systems: [system] }))
  const treatments = visits.flatMap(one =>
    one.kind === 'conversation' && one.examination.storeRepair ? [one.examination.storeRepair] : [],
  )
  const isDatabase = treatments.some(({ isShared }) => isShared === true)
  const files = [...new Set(treatments.flatMap(({ files }) => files))].filter(file => existsSync(file))
  return { files: isDatabase ? files.filter(file => !/-(wal|shm|journal)$/.test(file)) : files, isDatabase }
}

const doctor = (
  system: System,
  path: string,
  folder: string,
  options: Partial<DoctorOptions>,
): Promise<DoctorResult[]> =>
  all(examineStores([path], { systems: [system], backups: join(folder, '..', 'backups'), ...options }))

const failureOf = (one: DoctorResult): string | undefined =>
  one.kind === 'conversation' ? one.failure?.message : one.kind

function systemOf(id: string): System {
  const system = systems.find(one => one.id === id)
  if (!system) throw new Error(`there is no system ${id}`)
  return system
}
