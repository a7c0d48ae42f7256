import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf } from '../../doctor/contract.ts'
import { writeSessions } from '../../doctor/systems/google-adk/subject.ts'
import { root } from '../../repository.ts'
import { antiphon, folder } from './program.ts'

const name = 'rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77.jsonl'
const broken = join(root, 'test/doctor/systems/codex/samples/broken', name)

test('[C150] extract prints a broken session as Markdown or JSON, and changes nothing', async () => {
  const place = folder()
  cpSync(broken, join(place, name))
  const before = bytesOf(place)
  const { code, stdout, stderr } = await antiphon(['extract', join(place, name)])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^# List the packages and show the git status\n/)
  expect(stdout).toContain('- Repaired here, not in the store: unanswered-call\n')
  expect(stdout).toContain('**Call** `exec_command` (call_ls01)')
  const json = await antiphon(['extract', '--json', join(place, name)])
  expect(JSON.parse(json.stdout)).toMatchObject({
    system: 'codex',
    id: '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77',
    repairs: [{ rule: 'unanswered-call' }, { rule: 'unanswered-call' }],
    messages: expect.arrayContaining([expect.objectContaining({ role: 'tool', tool_call_id: 'call_ls01' })]),
  })
  expect(bytesOf(place)).toEqual(before)
})

test('[C150] of several sessions one is named, or all are written to a folder', async () => {
  const place = join(folder(), 'sessions')
  mkdirSync(place)
  const other = name.replace('0f2a4e8d1b77', '0f2a4e8d1b78')
  cpSync(broken, join(place, name))
  cpSync(broken, join(place, other))
  const listed = await antiphon(['extract', place])
  expect(listed).toMatchObject({ code: 2, stdout: '' })
  expect(listed.stderr).toContain('has 2 sessions')
  expect(listed.stderr).toContain('--session')
  const out = join(place, '../rescued')
  const written = await antiphon(['extract', '--out', out, place])
  expect(written.code).toBe(0)
  expect(written.stderr).toContain('2 sessions written to')
  expect(readdirSync(out)).toHaveLength(4)
  for (const file of readdirSync(out)) expect(statSync(join(out, file)).mode & 0o077).toBe(0)
  const contents = readdirSync(out).map(file => readFileSync(join(out, file), 'utf8'))
  const again = await antiphon(['extract', '--out', out, place])
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('existing files are not overwritten')
  expect(readdirSync(out).map(file => readFileSync(join(out, file), 'utf8'))).toEqual(contents)
})

test.each([
  ['a place without sessions', () => [folder()], 'no session of a known program was found'],
  ['a file that does not exist', () => [join(folder(), 'none.jsonl')], 'there is no such file'],
  ['an unknown id', () => ['--session', 'none', broken], 'no session with the id none was found'],
])('[C150] %s is one line, exit code 2', async (_, args, said) => {
  const { code, stdout, stderr } = await antiphon(['extract', ...args()])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(said)])
})

test('[C150] --json and --out exclude each other', async () => {
  const out = folder()
  const { code, stdout } = await antiphon(['extract', '--json', '--out', out, broken])
  expect({ code, written: readdirSync(out) }).toEqual({ code: 2, written: [] })
  expect(JSON.parse(stdout).error.message).toContain('--out writes both')
})

test('[D663] extract finds a session by its id, as move does', async () => {
  const home = folder()
  const place = join(home, '.codex/sessions/2026/05/14')
  mkdirSync(place, { recursive: true })
  cpSync(broken, join(place, name))
  const env = { HOME: home, CODEX_HOME: join(home, '.codex') }
  const { code, stdout } = await antiphon(['extract', '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^# List the packages and show the git status\n/)
  const none = await antiphon(['extract', 'no-such-id'], { env })
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('there is no such file, and no session with this id')
})

test('[D663] a session that is not repaired is shown with the command that gets the work out', async () => {
  const place = folder()
  const call = { content: { role: 'model', parts: [{ function_call: { id: 'c1', name: 'bash', args: {} } }] } }
  const user = (text: string, branch: string) => ({ content: { role: 'user', parts: [{ text }] }, branch })
  const path = writeSessions(place, [[user('Run it.', 'a'), { ...call, branch: 'a' }, user('Go on.', 'b')]])
  const { stdout } = await antiphon(['doctor', path])
  expect(stdout).toContain('it is not repaired')
  const command = `antiphon extract ${path} --session session-0`
  expect(stdout).toContain(command)
  const extracted = await antiphon(command.split(' ').slice(1))
  expect(extracted.code).toBe(0)
  expect(extracted.stdout).toContain('Go on.')
})
