import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/core/conversation.ts'
import type { Diagnostic } from '../../src/core/rules/check.ts'
import { type ConversationResult, examineStores } from '../../src/doctor/doctor.ts'
import { type SessionMessage, sessionMessages } from '../../src/doctor/extract/session.ts'
import { gatherSession } from '../../src/doctor/move/gather.ts'
import { imageIn } from '../../src/doctor/move/image.ts'
import { mappedCall } from '../../src/doctor/move/map-tool.ts'
import { prepareMove } from '../../src/doctor/move/move-session.ts'
import type { MovedMessage } from '../../src/doctor/move/moved-session.ts'
import type { MoveTarget } from '../../src/doctor/move/target.ts'
import { moveTargets } from '../../src/doctor/move/targets.ts'
import { toolsOf } from '../../src/doctor/move/tool-names.ts'
import type { Drawing } from '../../src/doctor/system.ts'
import { systems } from '../../src/doctor/systems.ts'
import { root } from '../repository.ts'
import { bytesOf, inFolder } from './contract.ts'
import { subjects } from './subjects.ts'

/** Whatever was written a moment ago counts as over. */
const now = Date.now() + 24 * 3_600_000

/** A database as a program that has never had a session leaves it. */
function makeOpencodeDatabase(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  const sample = readFileSync(join(root, 'test/doctor/systems/opencode/samples/healthy.sql'), 'utf8')
  for (const line of sample.split('\n')) if (line.startsWith('CREATE TABLE')) database.exec(line)
  database.exec(
    'create table project (id text primary key, worktree text not null, time_created integer not null, time_updated integer not null, sandboxes text not null)',
  )
  database.close()
}

/** A session and what it says, which can be read only while its store is open. */
type Found = ConversationResult & { readonly drawing: Drawing | undefined }

async function sessionsAt(path: string, system: string, session?: string): Promise<Found[]> {
  const found: Found[] = []
  const options = {
    systems: systems.filter(({ id }) => id === system),
    now,
    ...(session === undefined ? {} : { session }),
  }
  for await (const one of examineStores([path], options)) {
    expect(one).toMatchObject({ kind: 'conversation' })
    if (one.kind === 'conversation') found.push({ ...one, drawing: one.examination.draw?.() })
  }
  return found
}

function move(one: Found, target: MoveTarget, place: string, cwd?: string) {
  const user = { home: place, folder: '/work/here', environment: {}, platform: 'linux' }
  if (!one.drawing) throw new Error('it cannot be read')
  return prepareMove(one, one.drawing, { target, user, now, ...(cwd === undefined ? {} : { cwd }) })
}

const errorsIn = (found: readonly Diagnostic[]): Diagnostic[] => found.filter(({ severity }) => severity === 'error')

/** What is said and done, in order: a text, or a call with its result. */
type Said = string | readonly [name: string, input: unknown, result: string, isError: boolean]

const saidBy = (messages: readonly MovedMessage[]): Said[] =>
  messages.flatMap(({ role, parts }) =>
    parts.flatMap((part): Said[] => {
      if (part.kind === 'text') return [`${role}: ${part.text}`]
      if (part.kind === 'image') return [`${role}: image ${part.data}`]
      const { name, input, result } = part
      return [[name, input, result.text, result.isError]]
    }),
  )

/** Texts next to each other are one in some programs, so only what is in them is compared. */
const joined = (said: readonly Said[]): Said[] => {
  const list: Said[] = []
  for (const one of said) {
    const last = list.at(-1)
    const [role = ''] = typeof one === 'string' ? one.split(': ', 1) : []
    const text = typeof one === 'string' ? one.slice(role.length + 2).replaceAll(/\s+/g, '') : ''
    if (typeof one !== 'string') list.push(one)
    else if (typeof last === 'string' && last.startsWith(`${role}: `)) list[list.length - 1] = last + text
    else list.push(`${role}: ${text}`)
  }
  return list
}

/** Codex has no field for a failed call: what failed is in the result's text. */
const withoutErrors = (said: readonly Said[]): Said[] =>
  said.map(one => (typeof one === 'string' ? one : [one[0], one[1], one[2], false]))

const readBack = (messages: readonly SessionMessage[]): Said[] =>
  messages.flatMap(({ role, parts }) =>
    parts.flatMap((part): Said[] => {
      if (part.kind === 'text') return [`${role}: ${part.text}`]
      if (part.kind === 'other') return [`${role}: image ${imageIn(part.raw)?.data}`]
      if (part.kind !== 'call') return []
      return [[part.name, part.input, part.result?.text ?? 'none', part.result?.isError === true]]
    }),
  )

/** Texts and results of the original that are to arrive, in its order. */
const originalTexts = (messages: readonly SessionMessage[]): string[] =>
  messages
    .filter(({ role }) => role !== 'system')
    .flatMap(({ parts }) =>
      parts.flatMap(part => {
        if (part.kind === 'text') return [part.text]
        return part.kind === 'call' && part.result && part.result.text !== '' ? [part.result.text] : []
      }),
    )

describe.each(moveTargets.map(target => [target.id, target] as const))('to %s', (to, target) => {
  test.each(subjects.filter(({ system }) => system.id !== to).map(subject => [subject.tag, subject] as const))(
    '[C160] from %s: a corrupted session arrives repaired, with its texts, calls and results in order, and the original is as it was',
    async (_, subject) => {
      let moves = 0
      for (const seed of [1, 2])
        await inFolder(async folder => {
          const place = join(folder, '..', `home-${seed}`)
          if (to === 'opencode') makeOpencodeDatabase(join(place, '.local/share/opencode/opencode.db'))
          const path = await subject.corrupted(seed, folder)
          const before = bytesOf(folder)
          const sessions = (await sessionsAt(path, subject.system.id)).filter(({ drawing }) => drawing)
          for (const one of sessions.slice(0, 3)) {
            const original = one.drawing ? sessionMessages(one.drawing) : []
            if (originalTexts(original).length === 0) continue
            const prepared = await move(one, target, place)
            prepared.plan.write()
            const [moved, ...others] = await sessionsAt(
              prepared.plan.path,
              to,
              to === 'opencode' ? prepared.plan.id : undefined,
            )
            expect(others).toEqual([])
            expect({ seed, state: moved?.examination.state, remaining: errorsIn(prepared.remaining) }).toEqual({
              ...{ seed, state: 'healthy', remaining: [] },
            })
            const adapt = to === 'codex' ? withoutErrors : (said: Said[]) => said
            expect(joined(readBack(moved?.drawing ? sessionMessages(moved.drawing) : []))).toEqual(
              joined(adapt(saidBy(prepared.messages))),
            )
            const whole = JSON.stringify(saidBy(prepared.messages))
            let at = 0
            for (const text of originalTexts(original)) {
              const found = whole.indexOf(JSON.stringify(text).slice(1, -1), Math.max(0, at))
              expect(found, `${text} of seed ${seed}`).toBeGreaterThanOrEqual(0)
              at = found
            }
            moves++
          }
          expect(bytesOf(folder)).toEqual(before)
        })
      expect(moves).toBeGreaterThan(0)
    },
  )

  test('[C161] a second move writes another session and leaves the first as it is', () =>
    inFolder(async folder => {
      const place = join(folder, '..', 'home')
      if (to === 'opencode') makeOpencodeDatabase(join(place, '.local/share/opencode/opencode.db'))
      const from = subjects.find(({ system }) => system.id === (to === 'codex' ? 'pi' : 'codex'))
      const path = (await from?.healthy(1, folder)) ?? ''
      const [one] = await sessionsAt(path, from?.system.id ?? '')
      if (!one) throw new Error('there is no session')
      const first = await move(one, target, place, '/home/dev/my app')
      first.plan.write()
      const files = [...Object.entries(bytesOf(place))]
      const second = await move(one, target, place, '/home/dev/my app')
      second.plan.write()
      expect(second.plan.id).not.toBe(first.plan.id)
      if (to === 'opencode') {
        const found = await sessionsAt(first.plan.path, to)
        expect(found.map(({ id }) => id).sort()).toEqual([first.plan.id, second.plan.id].sort())
      } else {
        expect(second.plan.path).not.toBe(first.plan.path)
        expect(bytesOf(place)).toMatchObject(Object.fromEntries(files))
      }
      expect(() => first.plan.write()).toThrow()
    }))
})

const ours = { callKind: 'function', by: 'client' } as const
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }

test.each(moveTargets.map(target => [target.id, target] as const))(
  '[C160] to %s: images, text after a call and a result of two megabytes arrive',
  (to, target) =>
    inFolder(async folder => {
      const long = 'x'.repeat(2_000_000)
      const messages: Omit<Message, 'key'>[] = [
        { role: 'system', parts: [{ kind: 'text', text: 'You are an agent.' }] },
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'What is this?' },
            { kind: 'other', raw: image },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'Hm.', signed: true },
            { kind: 'call', id: 'a', name: 'look', input: {}, ...ours },
            { kind: 'call', id: 'b', name: 'read', input: {}, ...ours },
            { kind: 'text', text: 'One moment.' },
          ],
        },
        {
          role: 'tool',
          parts: [{ kind: 'result', id: 'a', content: [{ type: 'text', text: 'seen' }, image], ...ours }],
        },
        { role: 'tool', parts: [{ kind: 'result', id: 'b', content: long, error: true, ...ours }] },
      ]
      const drawing = {
        messages: messages.map((message, key) => ({ ...message, key })),
        repairs: [],
        remaining: [],
        records: [],
      }
      const options = { from: 'plain', to, dialect: target.dialect, cwd: '/w', now }
      const gathered = gatherSession(drawing, options)
      expect(gathered.notCopied).toEqual({ reasoning: 1, instructions: 1, others: 0 })
      const user = { home: folder, folder: '/w', environment: {}, platform: 'linux' }
      if (to === 'opencode') makeOpencodeDatabase(join(target.root(user), 'opencode.db'))
      const named = { id: '5b0c8f4e-7a0e-4c2e-9a55-0d7f0a7d1e42', title: 'T', cwd: '/w', created: now }
      const plan = target.plan({ ...named, messages: gathered.messages }, target.root(user))
      plan.write()
      const [moved] = await sessionsAt(plan.path, to)
      expect(moved?.examination.state).toBe('healthy')
      const read = moved?.drawing ? sessionMessages(moved.drawing) : []
      const calls = read.flatMap(({ parts }) => parts.filter(part => part.kind === 'call'))
      expect(calls.map(({ name, result }) => [name, result?.text])).toEqual([
        ['look', 'seen'],
        ['read', long],
      ])
      expect(JSON.stringify(read)).toContain('One moment.')
      expect(JSON.stringify(read)).not.toContain('Hm.')
      const stored = to === 'opencode' ? JSON.stringify(moved?.drawing?.records) : readFileSync(plan.path, 'utf8')
      // Codex shows an image of a prompt from a second record.
      expect(stored.split('iVBORw0KGgo=')).toHaveLength(to === 'codex' ? 4 : 3)
    }),
)

test('[C160] the summary of a compaction of pi comes first', () => {
  const kept: Message = { key: 0, role: 'user', parts: [{ kind: 'text', text: 'And now?' }] }
  const drawing = { messages: [kept], repairs: [], remaining: [], records: [], summary: 'They fixed the cart.' }
  const options = { from: 'pi', to: 'codex', dialect: 'openai-responses', cwd: '/w', now } as const
  const { messages } = gatherSession(drawing, options)
  expect(saidBy(messages)).toEqual(['user: Summary of what was said before:\n\nThey fixed the cart.', 'user: And now?'])
})

test('[C162] a call gets the name and the arguments of the other program, or stays as it is', () => {
  const map = (name: string, input: Record<string, unknown>, from: string, to: string) =>
    mappedCall({ name, input }, from, to, '/home/dev/app')
  expect(map('Bash', { command: 'ls', description: 'Lists', timeout: 5 }, 'claude-code', 'codex')).toEqual({
    name: 'exec_command',
    input: { cmd: 'ls' },
  })
  expect(map('shell', { command: ['bash', '-lc', 'ls | wc'], workdir: '/home/dev/app' }, 'codex', 'pi')).toEqual({
    name: 'bash',
    input: { command: 'ls | wc' },
  })
  expect(map('edit', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }, 'pi', 'gemini-cli')).toEqual({
    name: 'replace',
    input: { file_path: 'a', old_string: 'x', new_string: 'y' },
  })
  expect(map('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, 'claude-code', 'pi')).toEqual({
    name: 'edit',
    input: { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] },
  })
  expect(map('read', { filePath: 'a', offset: 3, limit: 9 }, 'opencode', 'claude-code')).toEqual({
    name: 'Read',
    input: { file_path: 'a', offset: 3, limit: 9 },
  })
  const unchanged: [string, object, string, string][] = [
    ['exec_command', { cmd: 'ls', workdir: '/elsewhere' }, 'codex', 'claude-code'],
    ['shell', { command: ['python', '-c', 'print("a b")'] }, 'codex', 'claude-code'],
    ['Edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }, 'claude-code', 'pi'],
    ['read_file', { file_path: 'a', start_line: 3 }, 'gemini-cli', 'pi'],
    ['edit', { path: 'a', edits: [1, 2].map(n => ({ oldText: `${n}`, newText: 'y' })) }, 'pi', 'opencode'],
    ['Bash', { command: 'ls', run_in_background: true }, 'claude-code', 'pi'],
    ['apply_patch', { input: '*** Begin Patch' }, 'codex', 'claude-code'],
    ['Read', { file_path: 'a' }, 'claude-code', 'codex'],
    ['constructor', {}, 'claude-code', 'codex'],
    ['Bash', { constructor: 1, command: 'ls' }, 'claude-code', 'codex'],
  ]
  for (const [name, input, from, to] of unchanged)
    expect(map(name, { ...input }, from, to), name).toEqual({ name, input })
})

test('[C162] the names of each program are different, and a call of a mapped tool can be mapped back', () => {
  for (const [from, tools = []] of Object.entries(toolsOf)) {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    for (const { name, kind, arguments: known, listed } of tools) {
      const plain = Object.entries(known).filter(([, argument]) => Object.keys(argument).length === 1)
      const flat = Object.fromEntries(plain.map(([key, { as }]) => [key, `${as}!`]))
      const { path, ...rest } = flat
      const input = listed === undefined ? flat : { path, [listed]: [rest] }
      for (const [to, others = []] of Object.entries(toolsOf)) {
        const call = { name, input }
        const there = mappedCall(call, from, to, '/x')
        const isFirst = tools.find(tool => tool.kind === kind)?.name === name
        if (there === call || !isFirst) continue
        expect(others.map(tool => tool.name)).toContain(there.name)
        expect(mappedCall(there, to, from, '/x')).toEqual(call)
      }
    }
  }
})

test('[C163] title, working directory and times of the original are those of the new session', () =>
  inFolder(async folder => {
    const name = 'rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77.jsonl'
    const [one] = await sessionsAt(join(root, 'test/doctor/systems/codex/samples/healthy', name), 'codex')
    if (!one) throw new Error('there is no session')
    const target = moveTargets.find(({ id }) => id === 'claude-code') as MoveTarget
    const { plan, title, cwd, messages, notCopied } = await move(one, target, folder)
    expect({ title, cwd, notCopied }).toMatchObject({
      title: 'List the packages and show the git status',
      cwd: '/home/dev/app',
      notCopied: { reasoning: expect.any(Number) },
    })
    expect(notCopied.reasoning).toBeGreaterThan(0)
    expect(messages[0]?.time).toBe(Date.parse('2026-05-14T10:22:00.008Z'))
    const times = messages.flatMap(({ time, parts }) => [
      time,
      ...parts.flatMap(part => (part.kind === 'call' ? [part.result.time] : [])),
    ])
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    plan.write()
    const records = readFileSync(plan.path, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(plan.path).toContain('/projects/-home-dev-app/')
    expect(records[0]).toMatchObject({ cwd: '/home/dev/app', timestamp: '2026-05-14T10:22:00.008Z' })
    expect(records.at(-1)).toMatchObject({ customTitle: 'List the packages and show the git status' })
    expect(readFileSync(plan.path, 'utf8')).not.toContain('Two independent reads.')
  }))

test('[C165] without a database, opencode gets a file for its import command', () =>
  inFolder(async folder => {
    const [one] = await sessionsAt(join(root, 'test/doctor/systems/pi/samples/healthy/store'), 'pi')
    if (!one) throw new Error('there is no session')
    const target = moveTargets.find(({ id }) => id === 'opencode') as MoveTarget
    const { plan } = await move(one, target, folder)
    expect(plan.resume).toEqual([
      ['opencode', 'import', plan.path],
      ['opencode', '-s', plan.id],
    ])
    expect(existsSync(plan.path)).toBe(false)
    plan.write()
    const { info, messages } = JSON.parse(readFileSync(plan.path, 'utf8'))
    expect(info).toMatchObject({ id: plan.id, directory: '/home/dev/shop' })
    const ids = messages.flatMap((message: { info: { id: string }; parts: { id: string }[] }) => [
      message.info.id.slice(3),
      ...message.parts.map(({ id }) => id.slice(3)),
    ])
    expect(ids).toEqual([...ids].sort())
  }))
