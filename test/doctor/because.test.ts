import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { type ConversationResult, examineStores } from '../../src/doctor/doctor.ts'
import type { System } from '../../src/doctor/system.ts'
import { claudeCode } from '../../src/doctor/systems/claude-code/index.ts'
import { codex } from '../../src/doctor/systems/codex/index.ts'
import { systems } from '../../src/doctor/systems.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import type { Rejection } from '../../src/heal/rejections/rejection.ts'
import { antiphon, lines } from '../apps/cli/program.ts'
import { about, all, bytesOf, inFolder, type Subject } from './contract.ts'
import { subject as claudeCodeSubject } from './systems/claude-code/subject.ts'
import { call, item, meta, result, rollout, rolloutName, said, user } from './systems/codex/lines.ts'
import { subject as codexSubject } from './systems/codex/subject.ts'
import { inDatabase as langgraphRows, withSample } from './systems/langgraph/helpers.ts'
import { subject as langgraphSubject } from './systems/langgraph/subject.ts'
import { inDatabase, inFiles } from './systems/opencode/subject.ts'
import { subject as plainSubject } from './systems/plain/subject.ts'

function rejected(text: string): Rejection {
  const rejection = readRejection(400, text)
  return rejection ?? expect.fail(`not known: ${text}`)
}

const signature = rejected('messages.1.content.0: Invalid `signature` in `thinking` block')
const encrypted = rejected(
  'The encrypted content gAAA...zzzz could not be verified. Reason: it was sealed by another key',
)
const overflow = rejected('prompt is too long: 250000 tokens > 200000 maximum')

const conversations = async (path: string, system: System, rejection: Rejection, fix = false, root = '') =>
  (
    await all(
      examineStores([path], {
        systems: [system],
        rejection,
        fix,
        ...(fix && { backups: join(root, '..', 'backups') }),
      }),
    )
  ).map(one => {
    if (one.kind !== 'conversation') expect.fail(about(one))
    return one
  })

const repairsOf = (visits: readonly ConversationResult[]): string[] =>
  visits.flatMap(({ examination: { repairs } }) => repairs.map(({ rule }) => rule))

describe('[DD37] stored sessions at random, repaired for a rejection', () => {
  const cases: [string, Subject, Rejection][] = [
    ['Claude Code: a signature', claudeCodeSubject, signature],
    ['Claude Code: too long', claudeCodeSubject, overflow],
    ['Codex: encrypted reasoning', codexSubject, encrypted],
    ['Codex: too long', codexSubject, overflow],
    ['opencode in files: a signature', inFiles, signature],
    ['opencode in files: too long', inFiles, overflow],
    ['opencode in a database: a signature', inDatabase, signature],
    ['opencode in a database: too long', inDatabase, overflow],
    ['LangGraph: too long', langgraphSubject, overflow],
    ['plain files: too long', plainSubject, overflow],
  ]
  test.each(cases)('%s', async (_, subject, rejection) => {
    let repaired = 0
    for (let seed = 20261116; seed < 20261116 + 12; seed++)
      await inFolder(async folder => {
        const { system } = subject
        const contents = subject.contents ?? bytesOf
        const path = await subject.healthy(seed, folder)
        const rows = contents(path)
        const before = bytesOf(folder)
        const found = await conversations(path, system, rejection)
        expect(bytesOf(folder), `seed ${seed}: looking`).toEqual(before)
        const visits = await conversations(path, system, rejection, true, folder)
        expect({ seed, failures: visits.flatMap(({ failure }) => failure?.message ?? []) }).toEqual({
          seed,
          failures: [],
        })
        // A repair may be followed by one of what it left.
        expect(repairsOf(visits), `seed ${seed}`).toEqual(expect.arrayContaining(repairsOf(found)))
        const backups = visits.flatMap(({ backup }) => backup ?? [])
        if (backups.length === 0) expect(contents(path), `seed ${seed}`).toEqual(rows)
        else {
          repaired++
          expect(contents(path), `seed ${seed}`).not.toEqual(rows)
          expect({ seed, refusals: await subject.refusals(path) }).toEqual({ seed, refusals: [] })
          const after = await all(examineStores([path], { systems: [system] }))
          expect({ seed, broken: after.filter(one => about(one).includes('broken')).map(about) }).toEqual({
            seed,
            broken: [],
          })
          for (const backup of [...new Set(backups)].reverse()) await restore(backup, [system])
          expect(contents(path), `seed ${seed}: undone`).toEqual(rows)
        }
      })
    expect(repaired).toBeGreaterThan(0)
  })
})

const sample = (system: string, path: string): string =>
  join(import.meta.dirname, 'systems', system, 'samples', 'healthy', path)

/** A Claude Code session of these contents, each in turn of the user and of the assistant. */
const session = (...contents: unknown[]): string =>
  contents
    .map((content, index) => {
      const role = index % 2 === 0 ? 'user' : 'assistant'
      return JSON.stringify({
        parentUuid: index === 0 ? null : `00000000-0000-4000-8000-00000000000${index - 1}`,
        isSidechain: false,
        type: role,
        message: { role, content, ...(role === 'assistant' && { id: `msg_${index}` }) },
        uuid: `00000000-0000-4000-8000-00000000000${index}`,
        timestamp: `2026-05-14T08:00:0${index}.000Z`,
      })
    })
    .map(line => `${line}\n`)
    .join('')

/** The header of a PNG. */
const png = (width: number, height: number): string => {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return Buffer.concat([bytes, Buffer.alloc(40, 1)]).toString('base64')
}

const textsIn = (text: string): unknown[] => lines(text).map(line => JSON.parse(line).message.content)

describe('[DD37] what a rejection names', () => {
  const repaired = (text: string, rejection: Rejection): Promise<string> =>
    inFolder(async folder => {
      const path = join(folder, 'session.jsonl')
      writeFileSync(path, text)
      await conversations(path, claudeCode, rejection, true, folder)
      return readFileSync(path, 'utf8')
    })

  const thinking = (signature: string) => ({ type: 'thinking', thinking: signature, signature })
  const text = (text: string) => ({ type: 'text', text })

  test('Claude Code: a record that holds only the thinking goes, and the next one follows the one before', async () => {
    const before = session('hello', [thinking('a')], 'go on', [thinking('b'), text('done')], 'thanks')
    const after = await repaired(before, signature)
    expect(textsIn(after)).toEqual(['hello', 'go on', [text('done')], 'thanks'])
    expect(lines(after).map(line => JSON.parse(line).parentUuid?.slice(-1) ?? null)).toEqual([null, '0', '2', '3'])
  })

  test('Claude Code: of two images only the one that is too large becomes a text', async () => {
    const image = (width: number) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: png(width, 10) },
    })
    const results = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image(12_000), image(10)] }]
    const before = session('draw', [{ type: 'tool_use', id: 'toolu_1', name: 'draw', input: {} }], results, [
      text('ok'),
    ])
    const tall = rejected(
      'messages.2.content.0.tool_result.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    )
    const [, , [{ content }]] = textsIn(await repaired(before, tall)) as { content: { type: string }[] }[][]
    expect(content.map(({ type }) => type)).toEqual(['text', 'image'])
    expect(content[1]).toEqual(image(10))
  })

  test('Claude Code: a tool reference becomes a text', async () => {
    const results = [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'tool_reference', tool_name: 'gone' }] },
    ]
    const before = session('find', [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: {} }], results, [
      text('ok'),
    ])
    const unknown = rejected("Tool reference 'gone' not found in available tools")
    expect(await repaired(before, unknown)).not.toContain('"tool_reference"')
  })

  test('Codex: encrypted reasoning goes, and nothing else', async () => {
    const history = [
      meta(),
      user('one'),
      item({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAone' }),
      call('c1'),
      result('c1'),
      said('done'),
      user('two'),
      item({ type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAtwo' }),
      said('bye'),
    ]
    await inFolder(async folder => {
      const path = join(folder, rolloutName().split('/').at(-1) as string)
      writeFileSync(path, rollout(history))
      const named = rejected('The encrypted content for item rs_2 could not be verified.')
      await conversations(path, codex, named, true, folder)
      expect(readFileSync(path, 'utf8')).toBe(
        rollout(history)
          .split('\n')
          .filter(line => !line.includes('gAAA'))
          .join('\n'),
      )
    })
  })

  test('LangGraph: thinking in the content of a message', () =>
    withSample('healthy', async path => {
      langgraphRows(path, database => {
        const { checkpoint } = database.prepare('select checkpoint from checkpoints').get() ?? {}
        const value = JSON.parse(Buffer.from(checkpoint as Uint8Array).toString())
        const message = value.channel_values.messages.find((one: { id: string[] }) => one.id.at(-1) === 'AIMessage')
        message.kwargs.content = [thinking('a'), text('I look')]
        database.prepare('update checkpoints set checkpoint = ?').run(Buffer.from(JSON.stringify(value)))
      })
      const system = systems.find(({ id }) => id === 'langgraph') as System
      const [visited] = await conversations(path, system, signature, true, join(path, '..', 'x'))
      expect(repairsOf([visited])).toEqual(['reasoning-signature'])
      expect(bytesOf(path)['']).not.toContain('"type":"thinking"')
      expect(bytesOf(path)['']).toContain('I look')
    }))
})

test('[DD38] LangGraph: what is not in the content of a message is not reported as repaired', () =>
  inFolder(async folder => {
    const unsigned = rejected(
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
    )
    const path = await langgraphSubject.healthy(15, folder)
    const visits = await conversations(path, langgraphSubject.system, unsigned, true, folder)
    expect(repairsOf(visits)).toEqual([])
    expect(visits.flatMap(({ backup }) => backup ?? [])).toEqual([])
  }))

describe('[DD38] a rejection that a stored session cannot answer', () => {
  test.each([
    ['the length of the answer', 'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens'],
    [
      'the history together with the answer',
      "This model's maximum context length is 128000 tokens. However, you requested 140000 tokens (100000 in the messages, 40000 in the completion). Please reduce the length of the messages or completion.",
    ],
    ['a parameter', "Unsupported parameter: 'temperature' is not supported with this model."],
    ['a field of another format', 'The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['the account', 'Your credit balance is too low to access the Anthropic API'],
  ])('%s', async (_, text) => {
    for (const subject of [codexSubject, claudeCodeSubject, inFiles])
      await inFolder(async folder => {
        const path = await subject.healthy(7, folder)
        const before = bytesOf(folder)
        const visits = await all(
          examineStores([path], { systems: [subject.system], rejection: rejected(text), fix: true }),
        )
        const conversations = visits.filter(one => one.kind === 'conversation')
        expect(conversations.length).toBeGreaterThan(0)
        for (const one of conversations) {
          expect(one.examination).toMatchObject({ repairs: [], remaining: [] })
          expect(one.examination.notes.at(-1)).toMatch(
            /no change of a session can help|is about (a setting of|how) the request/,
          )
        }
        expect(bytesOf(folder)).toEqual(before)
      })
  })
})

describe('antiphon doctor --because', () => {
  const withSession = <T>(work: (path: string, folder: string) => Promise<T>): Promise<T> =>
    inFolder(async folder => {
      cpSync(sample('codex', ''), folder, { recursive: true })
      const name = 'rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77.jsonl'
      return work(join(folder, name), folder)
    })
  const error =
    '{"error":{"message":"The encrypted content gAAA...ABo could not be verified.","code":"invalid_encrypted_content"}}'
  const run = (args: string[], folder: string, input?: string) =>
    antiphon(['doctor', ...args], {
      ...(input === undefined ? {} : { input }),
      env: { XDG_STATE_HOME: join(folder, '..', 'state') },
    })

  test('[DD38] reports what would be done, and does it with --fix; the error is text, a file or standard input', () =>
    withSession(async (path, folder) => {
      const before = bytesOf(folder)
      writeFileSync(join(folder, '..', 'error.json'), error)
      const ways = [
        await run([path, '--because', error], folder),
        await run([path, '--because', join(folder, '..', 'error.json')], folder),
        await run([path, '--because', `@${join(folder, '..', 'error.json')}`], folder),
        await run([path, '--because', '-'], folder, error),
      ]
      for (const { code, stdout } of ways) {
        expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('reasoning-encrypted') })
        expect(stdout).toContain('would drop')
      }
      expect(bytesOf(folder)).toEqual(before)
      const fixed = await run([path, '--because', error, '--fix'], folder)
      expect(fixed).toMatchObject({ code: 0, stdout: expect.stringContaining('undo: antiphon doctor --restore') })
      expect(readFileSync(path, 'utf8')).not.toContain('gAAAAABo')
      expect(readFileSync(path, 'utf8')).toContain('Two packages: api and web')
    }))

  test('[DD38] what cannot be repaired is reported with the reason, and changes nothing', () =>
    withSession(async (path, folder) => {
      const before = bytesOf(folder)
      const rate = await run(
        [path, '--because', 'Your credit balance is too low to access the Anthropic API', '--fix'],
        folder,
      )
      expect(rate).toMatchObject({ code: 1, stdout: expect.stringContaining('no change of a session can help') })
      const unknown = await run([path, '--because', 'it rains in Lisbon', '--fix'], folder)
      expect(unknown).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('unknown error of a provider'),
      })
      const missing = await run([path, '--because', 'nowhere.json'], folder)
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') })
      expect(bytesOf(folder)).toEqual(before)
    }))

  test('[DD39] an error that does not name one of several sessions changes none of them', () =>
    inFolder(async folder => {
      const thinking = [
        { type: 'thinking', thinking: 'x', signature: 'y' },
        { type: 'text', text: 'hi' },
      ]
      for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.jsonl`), session('hello', thinking, 'bye'))
      const before = bytesOf(folder)
      const because = ['--because', 'Invalid `signature` in `thinking` block']
      expect(await run([folder, ...because, '--fix'], folder)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('does not say which session it is about'),
      })
      expect(bytesOf(folder)).toEqual(before)
      const listed = await run([folder, ...because], folder)
      expect(listed.stdout.match(/would drop/g)).toHaveLength(2)
      expect(await run([folder, ...because, '--fix', '--session', 'two'], folder)).toMatchObject({ code: 0 })
      expect(bytesOf(folder)['one.jsonl']).toBe(before['one.jsonl'])
      expect(bytesOf(folder)['two.jsonl']).not.toContain('signature')
    }))

  test('[DD39] an error about calls without results repairs every broken session', () =>
    inFolder(async folder => {
      const calls = [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }]
      for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.jsonl`), session('hello', calls, 'bye'))
      const because = 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1'
      expect(await run([folder, '--because', because, '--fix'], folder)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('2 healed'),
      })
      expect(await run([folder], folder)).toMatchObject({ code: 0 })
    }))
})
