import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moveTargets } from '../../src/doctor/move/targets.ts'
import { antiphon } from '../apps/cli/program.ts'
import { inFolder } from '../doctor/contract.ts'

let seconds = 0
const record = (uuid: string, parentUuid: string | null, type: string, fields: object): string =>
  JSON.stringify({
    ...{ parentUuid, isSidechain: false, type, ...fields, uuid, cwd: '/work' },
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
  })
const user = (uuid: string, parent: string | null, content: unknown): string =>
  record(uuid, parent, 'user', { message: { role: 'user', content } })
const assistant = (uuid: string, parent: string, id: string, block: object): string =>
  record(uuid, parent, 'assistant', { message: { role: 'assistant', id, content: [block] } })
const queued = (uuid: string, parent: string, more: object): string =>
  record(uuid, parent, 'attachment', { attachment: { type: 'queued_command', commandMode: 'prompt', ...more } })

/** As Claude Code 2.1.110 writes it: what the user wrote while a tool ran follows the result of the tool. */
const session = [
  user('u1', null, 'Run the tests.'),
  assistant('a1', 'u1', 'm1', { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'npm test' } }),
  user('r1', 'a1', [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }]),
  queued('q1', 'r1', { prompt: 'And <the> lint, please.' }),
  queued('q2', 'q1', { prompt: [{ type: 'text', text: 'With --fix.' }], origin: { kind: 'human' } }),
  queued('q3', 'q2', { prompt: 'A task has ended.', commandMode: 'task-notification' }),
  queued('q4', 'q3', { prompt: 'Words of a coordinator.', origin: { kind: 'coordinator' }, isMeta: true }),
  assistant('a2', 'q4', 'm2', { type: 'text', text: 'Both pass.' }),
]
const text = session.map(line => `${line}\n`).join('')

test('[SE672] what a user of Claude Code wrote while it worked is extracted, and the session stays as it is', () =>
  inFolder(async folder => {
    const path = join(folder, 's.jsonl')
    writeFileSync(path, text)
    const { stdout } = await antiphon(['extract', path, '--json'])
    const { messages } = JSON.parse(stdout)
    expect(messages.map(({ role, content }: Record<string, unknown>) => [role, content])).toEqual([
      ['user', 'Run the tests.'],
      ['assistant', null],
      ['tool', 'ok'],
      ['user', 'And <the> lint, please.'],
      ['user', 'With --fix.'],
      ['assistant', 'Both pass.'],
    ])
    const { code } = await antiphon(['doctor', path, '--fix'])
    expect(code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(text)
  }))

test.each(moveTargets.filter(({ id }) => id !== 'claude-code'))('[SE672] it is moved to $title', target =>
  inFolder(async folder => {
    const path = join(folder, 's.jsonl')
    writeFileSync(path, text)
    const out = join(folder, 'out')
    const { code, stdout } = await antiphon(['move', path, '--to', target.id, '-o', out, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).repairs).toEqual([])
    const written = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    expect(written).toContain('lint, please.')
    expect(written).not.toContain('coordinator')
  }),
)
