import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../doctor/contract.ts'
import { programFile } from '../../programs.ts'
import { root } from '../../repository.ts'
import { antiphon, folder, lines } from './program.ts'

const samples = join(root, 'test/doctor/systems')
const rollout = 'rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77.jsonl'

/** A home with a broken session of Codex where Codex keeps it, and a healthy one beside it. */
function home(): { home: string; broken: string; healthy: string } {
  const path = folder()
  const day = join(path, '.codex/sessions/2026/05/14')
  mkdirSync(day, { recursive: true })
  const broken = join(day, rollout)
  const healthy = join(day, rollout.replace('0f2a4e8d1b77', '0f2a4e8d1b78'))
  cpSync(join(samples, 'codex/samples/broken', rollout), broken)
  cpSync(join(samples, 'codex/samples/healthy', rollout), healthy)
  return { home: path, broken, healthy }
}

const env = (path: string): Record<string, string> => ({
  HOME: path,
  USERPROFILE: path,
  XDG_STATE_HOME: join(path, 'state'),
  CODEX_HOME: '',
})

describe('antiphon doctor', () => {
  test('[DD1] without a path it looks where the known systems keep theirs, and changes nothing', async () => {
    const { home: path, broken } = home()
    const before = bytesOf(path)
    const { code, stdout } = await antiphon(['doctor'], { env: env(path), cwd: path })
    expect(code).toBe(1)
    expect(stdout).toContain(`broken   codex  ${broken}`)
    expect(stdout).toContain('error[unanswered-call]')
    expect(stdout).toContain('broken since turn 2')
    expect(stdout).toContain(`heal: antiphon doctor --fix ${broken}`)
    expect(stdout).toMatch(/last written \d{4}-\d\d-\d\d \d\d:\d\d/)
    expect(stdout).toContain('2 sessions: 1 healthy, 1 broken; --fix repairs what is broken, with a backup')
    expect(bytesOf(path)).toEqual(before)
  })

  test('a store without the session that --session names is not called unknown', async () => {
    const { home: path, broken } = home()
    const { stdout } = await antiphon(['doctor', '--session', 'none', broken], { env: env(path) })
    expect(stdout).toBe('no session with the id none was found\n')
  })

  test('[DD60] without a path, what is broken is printed first, the newest first, on one screen', async () => {
    const { home: path, broken } = home()
    const copies = Array.from({ length: 30 }, (_, index) => broken.replace('rollout-2026', `rollout-${2027 + index}`))
    for (const [index, copy] of copies.entries()) {
      cpSync(broken, copy)
      utimesSync(copy, 1_000_000 + index * 60, 1_000_000 + index * 60)
    }
    const { code, stdout } = await antiphon(['doctor'], { env: env(path), cwd: path })
    expect(code).toBe(1)
    const printed = lines(stdout).filter(line => line.startsWith('broken'))
    expect(printed.map(line => line.split('  ')[2])).toEqual([broken, ...copies.toReversed()].slice(0, printed.length))
    expect(lines(stdout).length).toBeLessThan(50)
    expect(stdout).toContain(`... and ${31 - printed.length} sessions more; --all prints every session`)
    expect(stdout).toContain('healthy  codex  1 session\n')
    expect(stdout).not.toContain('error[')
    const all = await antiphon(['doctor', '--all'], { env: env(path), cwd: path })
    expect(lines(all.stdout).filter(line => line.startsWith('broken'))).toHaveLength(31)
    expect(all.stdout).toContain('error[unanswered-call]')
  })

  test('[DD2] --fix heals with a backup, says what it did, and --restore brings the old bytes back', async () => {
    const { home: path, broken, healthy } = home()
    const before = { broken: readFileSync(broken), healthy: readFileSync(healthy) }
    const healed = await antiphon(['doctor', '--fix', path], { env: env(path) })
    expect(healed.code).toBe(0)
    expect(readFileSync(broken).equals(readFileSync(join(samples, 'codex/samples/healed', rollout)))).toBe(true)
    expect(readFileSync(healthy).equals(before.healthy)).toBe(true)
    const backup = /backup: (\S+)/.exec(healed.stdout)?.[1] as string
    expect(backup.startsWith(join(path, 'state/antiphon/backups'))).toBe(true)
    expect((await antiphon(['doctor', path], { env: env(path) })).code).toBe(0)
    const restored = await antiphon(['doctor', '--restore', backup], { env: env(path) })
    expect(restored.code).toBe(0)
    expect(lines(restored.stdout)).toEqual([
      `restored ${broken} (codex): 1 file`,
      expect.stringContaining('the replaced content is kept in '),
    ])
    expect(readFileSync(broken).equals(before.broken)).toBe(true)
  })

  test('[DD3] --json gives a line a conversation, with what was wrong, dropped and done', async () => {
    const { home: path } = home()
    const { code, stdout } = await antiphon(['doctor', '--json', '--fix', path], { env: env(path) })
    expect(code).toBe(0)
    const found = lines(stdout).map(line => JSON.parse(line))
    expect(found).toMatchObject([
      {
        system: 'codex',
        state: 'broken',
        healed: true,
        counts: { calls: 4, results: 2, orphans: 0, unanswered: 2 },
        since: { turn: 2 },
        repairs: [{ rule: 'unanswered-call' }, { rule: 'unanswered-call' }],
        dropped: [],
      },
      { system: 'codex', state: 'healthy', healed: false },
    ])
  })

  test('[DD4] --report writes one page that loads nothing and runs nothing, and replaces nothing but a report', async () => {
    const { home: path, broken } = home()
    writeFileSync(broken, readFileSync(broken, 'utf8').replace('Skip the tests', '<script>alert(1)</script>'))
    const file = join(path, 'report.html')
    expect((await antiphon(['doctor', '--report', file, path], { env: env(path) })).code).toBe(1)
    const page = readFileSync(file, 'utf8')
    expect(page).toContain('unanswered-call')
    expect(page).toContain('the provider would reject it with')
    expect(page).not.toMatch(/<script|https?:\/\/[^"]*\.(js|css)|src=|href=/)
    expect((await antiphon(['doctor', '--report', file, path], { env: env(path) })).code).toBe(1)
    const before = readFileSync(broken)
    const refused = await antiphon(['doctor', '--report', broken, path], { env: env(path) })
    expect({ code: refused.code, lines: lines(refused.stderr).length }).toEqual({ code: 2, lines: 1 })
    expect(readFileSync(broken).equals(before)).toBe(true)
  })

  test('[DD5] what cannot be read is one clear line each, and the rest goes on', async () => {
    const { home: path, broken } = home()
    const day = join(broken, '..')
    writeFileSync(join(day, rollout.replace('1b77', '1b01')), '')
    writeFileSync(join(day, 'notes.db'), Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(600, 7)]))
    writeFileSync(join(day, rollout.replace('1b77', '1b02')), Buffer.from([0xff, 0xfe, 0x00, 0xff]))
    const truncated = readFileSync(broken).subarray(0, -200)
    writeFileSync(join(day, rollout.replace('1b77', '1b03')), truncated)
    const outside = folder({ 'secret.jsonl': readFileSync(broken) })
    symlinkSync(join(outside, 'secret.jsonl'), join(day, rollout.replace('1b77', '1b04')))
    const { code, stderr, stdout } = await antiphon(['doctor', '--fix', path], { env: env(path) })
    expect(code).toBe(2)
    for (const line of lines(stderr)) expect(line).toMatch(/^antiphon: /)
    expect(stderr).toContain('symbolic link out of the folder')
    expect(stdout).toContain('healed   codex')
    expect(stdout).toContain('repaired[torn-record]')
    expect(
      readFileSync(join(outside, 'secret.jsonl')).equals(readFileSync(join(samples, 'codex/samples/broken', rollout))),
    ).toBe(true)
    expect(readFileSync(broken).equals(readFileSync(join(samples, 'codex/samples/healed', rollout)))).toBe(true)
  })

  test('[DD6] a path that is not there, an empty one and one of an unknown program are one clear line and exit code 2', async () => {
    const path = folder({ 'empty.jsonl': '', 'photo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47]) })
    for (const [name, words] of [
      ['missing', 'there is no such file'],
      ['empty.jsonl', 'the file is empty'],
      ['photo.png', 'not a store of a known system'],
    ]) {
      const { code, stderr } = await antiphon(['doctor', join(path, name)])
      expect({ name, code, lines: lines(stderr).length, said: stderr.includes(words) }).toEqual({
        name,
        code: 2,
        lines: 1,
        said: true,
      })
    }
    const restored = await antiphon(['doctor', '--restore', path])
    expect({ code: restored.code, lines: lines(restored.stderr).length }).toEqual({ code: 2, lines: 1 })
  })

  test('[DD7] a file that another process has open for writing is left as it is', async () => {
    const { home: path, broken } = home()
    const before = readFileSync(broken)
    const script = `
      const fs = require('node:fs')
      fs.openSync(${JSON.stringify(broken)}, 'a')
      const { spawnSync } = require('node:child_process')
      const { status, stderr } = spawnSync(process.execPath, ${JSON.stringify([programFile('antiphon'), 'doctor', '--fix', broken])}, { encoding: 'utf8' })
      console.log(JSON.stringify({ status, stderr }))`
    const outcome = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env: { ...process.env, ...env(path) } }),
    )
    expect(outcome).toEqual({ status: 1, stderr: expect.stringContaining('has it open for writing') })
    expect(readFileSync(broken).equals(before)).toBe(true)
  })

  test('[DD35] without --fix nothing is said to be done, and with it the command that undoes it is', async () => {
    const path = folder({
      'chat with spaces.jsonl': `${['hello', 'there'].map(content => JSON.stringify({ role: 'user', content })).join('\n')}\n${JSON.stringify({ role: 'tool', tool_call_id: 'c9', content: 'refunded' })}\n`,
    })
    const file = join(path, 'chat with spaces.jsonl')
    const before = readFileSync(file)
    const options = { env: env(path) }
    const looked = await antiphon(['doctor', file], options)
    expect(looked.stdout).not.toMatch(/repaired|dropped|= repair/)
    const healed = await antiphon(['doctor', '--fix', '--backup', join(path, 'my backups'), file], options)
    const undo = /^ {2}undo: antiphon (.+)$/m.exec(healed.stdout)?.[1] as string
    expect(undo).toMatch(/^doctor --restore '.+my backups.+'$/)
    await antiphon(
      undo.split(/ (?=')| (?=--)/).map(word => word.replace(/^'|'$/g, '')),
      options,
    )
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('[DD8] without room for a backup nothing is changed', async () => {
    const { home: path, broken } = home()
    const before = readFileSync(broken)
    const place = join(path, 'no-entry')
    writeFileSync(place, '')
    const { code, stderr } = await antiphon(['doctor', '--fix', '--backup', join(place, 'backups'), broken], {
      env: env(path),
    })
    expect({ code, lines: lines(stderr).length }).toEqual({ code: 1, lines: 1 })
    expect(readFileSync(broken).equals(before)).toBe(true)
    expect(readdirSync(join(broken, '..')).filter(name => name.includes('antiphon'))).toEqual([])
  })

  test('[DD20] options that say nothing together, and places where no report can be, are one clear line', async () => {
    const path = folder({ 'chat.json': '[]' })
    execFileSync('mkfifo', [join(path, 'pipe.html')])
    for (const [args, words] of [
      [['--restore', path, '--report', join(path, 'report.html')], '--restore can be combined only with --json'],
      [['--restore', path, '--system', 'codex'], '--restore can be combined only with --json'],
      [['--report', join(path, 'pipe.html'), path], 'exists and is not a file'],
      [['--report', join(path, 'none', 'report.html'), path], 'cannot write the report: its folder does not exist'],
      [['--report', join(path, 'report.html'), '--because', 'no such error', path], 'unknown error of a provider'],
      [['--system', 'madz', join(path, 'chat.json')], 'it is not a store of madz'],
    ] as const) {
      const { code, stderr } = await antiphon(['doctor', ...args])
      expect({ args, code, lines: lines(stderr).length, said: stderr.includes(words) }).toEqual({
        args,
        code: 2,
        lines: 1,
        said: true,
      })
    }
    expect(readdirSync(path).sort()).toEqual(['chat.json', 'pipe.html'])
  })

  test('[DD9] a damaged backup restores nothing', async () => {
    const { home: path, broken } = home()
    const { stdout } = await antiphon(['doctor', '--fix', broken], { env: env(path) })
    const backup = /backup: (\S+)/.exec(stdout)?.[1] as string
    const copy = readdirSync(backup).find(name => /^\d+$/.test(name)) as string
    chmodSync(join(backup, copy), 0o600)
    writeFileSync(join(backup, copy), 'other bytes')
    const healed = readFileSync(broken)
    const { code, stderr } = await antiphon(['doctor', '--restore', backup], { env: env(path) })
    expect({ code, said: stderr.includes('this copy is damaged') }).toEqual({ code: 2, said: true })
    expect(readFileSync(broken).equals(healed)).toBe(true)
    expect(existsSync(backup)).toBe(true)
  })
})

test('[PK9] without SQLite, sessions in files are repaired, and a store in SQLite says which Node it needs', async () => {
  const { home: path, broken } = home()
  const database = join(path, '.local/share/crush/crush.db')
  mkdirSync(join(path, '.local/share/crush'), { recursive: true })
  execFileSync(process.execPath, [
    '-e',
    "const { DatabaseSync } = require('node:sqlite'); new DatabaseSync(process.argv[2]).exec(require('node:fs').readFileSync(process.argv[1], 'utf8'))",
    join(samples, 'crush/samples/broken/store/crush.sql'),
    database,
  ])
  const before = [bytesOf(broken), bytesOf(database)]
  const options = { env: { ...env(path), NODE_OPTIONS: '--no-experimental-sqlite' } }
  const fixed = await antiphon(['doctor', '--fix', broken, database], options)
  expect(fixed.code).toBe(2)
  expect(fixed.stdout).toContain('healed   codex')
  expect(fixed.stderr).toContain(
    `${database}: a store in SQLite needs Node 22.18 or newer, this is ${process.versions.node} (update Node;`,
  )
  expect(bytesOf(broken)).not.toEqual(before[0])
  expect(bytesOf(database)).toEqual(before[1])
})
