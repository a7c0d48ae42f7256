import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf } from '../../doctor/contract.ts'
import { root } from '../../repository.ts'
import { antiphon, folder } from './program.ts'

const name = 'rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77.jsonl'
const samples = join(root, 'test/doctor/systems')
const broken = join(samples, 'codex/samples/broken', name)

test('[C160] a broken session is moved: what was written and how it is resumed is printed, and the original is as it was', async () => {
  const [place, out] = [folder(), folder()]
  cpSync(broken, join(place, name))
  const before = bytesOf(place)
  const { code, stdout, stderr } = await antiphon(['move', join(place, name), '--to', 'claude-code', '-o', out])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [file = ''] = /\S+\.jsonl/.exec(stdout) ?? []
  const id = basename(file, '.jsonl')
  expect(stdout.split('\n')).toEqual([
    `Wrote ${join(out, 'projects/-home-dev-app', `${id}.jsonl`)}`,
    expect.stringMatching(/^ {2}\d+ messages, \d+ calls, \d+ renamed to tools of Claude Code$/),
    '  Repaired here, not in the original: unanswered-call',
    expect.stringMatching(/^ {2}Reasoning is not copied: \d parts?$/),
    '  /home/dev/app does not exist here: --cwd names another working directory',
    'Resume it with:',
    `  cd /home/dev/app && CLAUDE_CONFIG_DIR=${out} claude --resume ${id}`,
    '',
  ])
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(bytesOf(place)).toEqual(before)
  const written = readFileSync(file)
  const again = await antiphon(['move', join(place, name), '--to', 'claude-code', '-o', out])
  expect(again.code).toBe(0)
  expect(readdirSync(join(out, 'projects/-home-dev-app'))).toHaveLength(2)
  expect(readFileSync(file)).toEqual(written)
  const healthy = await antiphon(['doctor', join(out, 'projects')])
  expect(healthy.code).toBe(0)
})

test('[C161] with --dry-run nothing is written, and --json says the same as one object', async () => {
  const out = folder()
  const plain = await antiphon(['move', broken, '--to', 'pi', '--out', out, '--cwd', '/', '--dry-run'])
  expect(plain.code).toBe(0)
  expect(plain.stdout).toContain('Would write ')
  expect(plain.stdout).toContain('It would be resumed with:\n  cd / && pi --session ')
  const json = await antiphon(['move', broken, '--to', 'pi', '--out', out, '--dry-run', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    from: { system: 'codex', id: '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77', path: broken },
    to: 'pi',
    written: false,
    command: expect.stringMatching(/^cd \/home\/dev\/app && pi --session \S+\.jsonl$/),
    repairs: ['unanswered-call', 'unanswered-call'],
    remaining: [],
  })
  expect(readdirSync(out)).toEqual([])
})

test('[C163] a session is found by its id where its program keeps it, and goes where the other program keeps its own', async () => {
  const home = folder()
  const sessions = join(home, '.codex/sessions/2026/05/14')
  mkdirSync(sessions, { recursive: true })
  cpSync(broken, join(sessions, name))
  const env = { HOME: home, USERPROFILE: home }
  const id = '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77'
  const { code, stdout } = await antiphon(['move', id, '--to', 'gemini-cli', '--json'], { env })
  expect(code).toBe(0)
  const moved = JSON.parse(stdout)
  expect(moved.path).toContain(join(home, '.gemini/tmp/app/chats/session-2026-05-14T10-22-'))
  expect(moved.command).toBe(`cd /home/dev/app && gemini --resume ${moved.id}`)
  expect(readFileSync(join(home, '.gemini/tmp/app/.project_root'), 'utf8')).toBe('/home/dev/app')
})

test('[C163] a store that names no working directory gets that of the caller, and says so', async () => {
  const [place, out] = [folder(), folder()]
  const chat = [
    { role: 'user', content: 'Look it up' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'user', content: '/quit is not a command here' },
  ]
  const file = join(folder({ 'chat.json': JSON.stringify(chat) }), 'chat.json')
  const { code, stdout } = await antiphon(['move', file, '--to', 'gemini-cli', '-o', out], { cwd: place })
  expect(code).toBe(0)
  expect(stdout).toContain('The store does not name a working directory')
  expect(stdout).toContain('Repaired here, not in the original: unanswered-call')
  const [written = ''] = /\S+\.jsonl/.exec(stdout) ?? []
  // Gemini CLI ignores prompts that begin like one of its commands.
  expect(readFileSync(written, 'utf8')).toContain('"Prompt: /quit is not a command here"')
})

test.each([
  ['a session of the same program', () => [broken, '--to', 'codex'], 'is already a session of Codex'],
  ['a place without sessions', () => [folder(), '--to', 'pi'], 'no session of a known program was found'],
  ['an unknown id', () => ['none', '--to', 'pi'], 'no session with this id'],
  ['a file that does not exist', () => [join(folder(), 'none.jsonl'), '--to', 'pi'], 'there is no such file'],
  ['an unknown program', () => [broken, '--to', 'emacs'], 'codex'],
  ['no program', () => [broken], '--to'],
  ['a folder that cannot be made', () => [broken, '--to', 'pi', '-o', join(broken, 'x')], 'there is no such file'],
])('[C164] %s is one line, exit code 2', async (_, args, said) => {
  const { code, stdout, stderr } = await antiphon(['move', ...args()], { env: { HOME: folder() } })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(said)])
})

test('[C164] of several sessions one is named', async () => {
  const [place, out] = [folder(), folder()]
  const other = name.replace('0f2a4e8d1b77', '0f2a4e8d1b78')
  cpSync(broken, join(place, name))
  cpSync(broken, join(place, other))
  const listed = await antiphon(['move', place, '--to', 'pi', '-o', out])
  expect(listed).toMatchObject({ code: 2, stdout: '' })
  expect(listed.stderr).toContain('has 2 sessions')
  expect(readdirSync(out)).toEqual([])
})
