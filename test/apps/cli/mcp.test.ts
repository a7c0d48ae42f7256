import { once } from 'node:events'
import { copyFileSync, globSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BoundedText } from '../../../src/apps/mcp/bounded-text.ts'
import { programFile } from '../../programs.ts'
import { root } from '../../repository.ts'
import { antiphon, folder, lines } from './program.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'refund', arguments: '{}' } }
const stuck = [
  { role: 'user', content: 'Refund order 1042.' },
  { role: 'assistant', content: null, tool_calls: [call] },
]
const broken = JSON.stringify(stuck)
const rejected =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."

const cwd = folder({ 'chat.json': broken, 'healthy.json': '[{"role":"user","content":"Hi"}]' })
const client = new Client({ name: 'test', version: '1.0.0' })

beforeAll(async () => {
  const [sample = ''] = globSync(join(root, 'test/doctor/systems/codex/samples/broken/*.jsonl'))
  copyFileSync(sample, join(cwd, 'session.jsonl'))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programFile('antiphon'), 'mcp'],
      cwd,
      env: { ...(process.env as Record<string, string>), HOME: cwd, XDG_DATA_HOME: join(cwd, 'data') },
    }),
  )
})
afterAll(() => client.close())

/** What a tool says; an error begins with `error: `. */
async function use(name: string, given: Record<string, unknown> = {}): Promise<string[]> {
  const { content, isError } = await client.callTool({ name, arguments: given })
  return content.map(part => `${isError ? 'error: ' : ''}${part.type === 'text' ? part.text : part.type}`)
}

describe('[C120] mcp serves tools to an agent', () => {
  test('it names itself, what it is for, and four tools', async () => {
    const { tools } = await client.listTools()
    expect(client.getServerVersion()).toMatchObject({ name: 'antiphon' })
    expect(client.getInstructions()).toContain('Nothing on disk is changed unless')
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['check', true],
      ['heal', false],
      ['explain', true],
      ['doctor', false],
    ])
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/)
      for (const property of Object.values(inputSchema.properties ?? {})) expect(property).toHaveProperty('description')
    }
  })

  test('check says what a provider would reject, in a text and in a file', async () => {
    const [text] = await use('check', { text: broken, for: 'openai' })
    const [file] = await use('check', { file: 'chat.json' })
    const [healthy] = await use('check', { file: '~/healthy.json' })
    expect(text).toMatch(/^error\[unanswered-call\]: call call_1 of refund has no result\n {2}--> <stdin>/)
    expect(file).toContain('--> chat.json')
    expect(healthy).toMatch(/^healthy for openai/)
    expect((await use('check', { text: broken, because: rejected }))[0]).toMatch(/^rejected\[history\]/)
  })

  test('heal returns a repaired text, and what was repaired', async () => {
    const [healed = '', report] = await use('heal', { text: broken })
    expect(JSON.parse(healed)).toMatchObject([...stuck, { role: 'tool', tool_call_id: 'call_1' }])
    expect(report).toContain('unanswered-call')
    const body = JSON.stringify({ model: 'gpt-5', seed: 1, messages: stuck.slice(0, 1) })
    const [without = ''] = await use('heal', { text: body, because: "Unknown parameter: 'seed'." })
    expect(JSON.parse(without)).toEqual({ model: 'gpt-5', messages: stuck.slice(0, 1) })
  })

  test('explain explains rules and errors, and lists the rules', async () => {
    expect((await use('explain', { about: rejected }))[0]).toMatch(/^history \(/)
    expect((await use('explain', { about: 'unanswered-call' }))[0]).toMatch(/^error\[unanswered-call\]/)
    expect((await use('explain'))[0]).toMatch(/^unanswered-call /m)
  })
})

describe('[C121] mcp changes nothing unless it is told to', () => {
  test('heal reports on a file, and replaces it with write', async () => {
    const [planned] = await use('heal', { file: 'chat.json' })
    expect(planned).toContain('nothing was written')
    expect(readFileSync(join(cwd, 'chat.json'), 'utf8')).toBe(broken)
    const [made] = await use('heal', { file: 'chat.json', write: true })
    expect(made).toContain('backup in chat.json.bak')
    expect(readFileSync(join(cwd, 'chat.json.bak'), 'utf8')).toBe(broken)
    expect(JSON.parse(readFileSync(join(cwd, 'chat.json'), 'utf8'))).toHaveLength(3)
  })

  test('doctor reports on sessions, and repairs them with fix', async () => {
    const session = join(cwd, 'session.jsonl')
    const before = readFileSync(session, 'utf8')
    const [found] = await use('doctor', { paths: ['session.jsonl'] })
    expect(found).toContain('broken')
    expect(readFileSync(session, 'utf8')).toBe(before)
    const [fixed] = await use('doctor', { paths: ['session.jsonl'], fix: true })
    expect(fixed).toContain('backup')
    expect(readFileSync(session, 'utf8')).not.toBe(before)
    expect((await use('doctor', { paths: ['session.jsonl'] }))[0]).toContain('healthy')
  })
})

describe('[C122] what a tool of mcp cannot do is an error with a hint', () => {
  test.each([
    ['check', {}, 'give either file or text (pass the path as file, or the content as text, but not both)'],
    [
      'check',
      { file: 'chat.json', text: '[]' },
      'give either file or text (pass the path as file, or the content as text, but not both)',
    ],
    ['check', { file: 'absent.json' }, 'absent.json: there is no such file'],
    ['check', { file: '--for=all' }, '--for=all: there is no such file'],
    ['check', { text: broken, for: 'nobody' }, 'unknown dialect "nobody" (one of: '],
    ['heal', { text: broken, write: true }, 'write needs a file (without write, the text is returned)'],
    ['heal', { text: '-nonsense' }, '<stdin>:1:1: expected a value'],
    ['explain', { about: 'unanswered' }, 'unknown rule or error code "unanswered" (did you mean unanswered-call'],
    ['explain', { about: '@chat.json' }, 'unknown error of a provider (pass the whole error'],
    ['heal', { text: broken, because: 'chat.json' }, 'unknown error of a provider'],
    ['doctor', { paths: ['absent'] }, 'absent: there is no such file'],
    ['doctor', { system: 'nothing' }, "'nothing' is invalid"],
  ])('%s %o', async (name, given, message) => {
    const answer = (await use(name, given)).join('\n')
    expect(answer).toMatch(/^error: antiphon: /m)
    expect(answer).toContain(message)
  })

  test('wrong types are refused before anything runs', async () => {
    expect((await use('doctor', { paths: 'session.jsonl', fix: 'yes' }))[0]).toMatch(/^error: .*paths/s)
  })

  test('no password of a database is in an answer', async () => {
    const answer = await use('doctor', { paths: ['postgres://me:hunter2@127.0.0.1:1/chat'] })
    expect(answer.join('\n')).toMatch(/^error: /)
    expect(answer.join('\n')).not.toContain('hunter2')
  })

  test('a repaired history that is too long is not returned in part', async () => {
    const long = JSON.stringify([{ role: 'user', content: 'a'.repeat(60_000) }, ...stuck])
    expect(await use('heal', { text: long })).toEqual([
      'error: antiphon: the repaired history is too long to be returned (save the original history to a file, and call heal with file and write: true)',
    ])
  })
})

test('[C123] of a long text the beginning and the end are kept', async () => {
  const text = new BoundedText(8)
  for (const piece of ['abcd', 'efghi', 'jklmnopq', 'rs']) text.add(piece)
  expect(String(text)).toBe('abcdef\n... 11 characters omitted ...\nrs')
  const short = new BoundedText(8)
  for (const piece of ['abcd', 'efgh']) short.add(piece)
  expect([String(short), short.isCut]).toEqual(['abcdefgh', false])
  const history = Array.from({ length: 2_000 }, (_, index) => [
    { role: 'user', content: `Question ${index}` },
    { role: 'assistant', content: null, tool_calls: [{ ...call, id: `call_${index}` }] },
  ]).flat()
  const [report = ''] = await use('check', { text: history.map(message => JSON.stringify(message)).join('\n') })
  expect(report.length).toBeLessThan(41_000)
  expect(report).toContain('2000 calls')
})

test('[C123] a call that is cancelled ends its command, and the server goes on', async () => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const stop = new AbortController()
  const paths = [`postgres://me@127.0.0.1:${port}/chat`]
  const asked = client.callTool({ name: 'doctor', arguments: { paths } }, { signal: stop.signal })
  const [connection] = (await once(silent, 'connection')) as [Socket]
  connection.resume()
  stop.abort()
  await expect(asked).rejects.toThrow()
  await once(connection, 'close')
  silent.close()
  expect((await use('check', { file: 'healthy.json' }))[0]).toMatch(/^healthy/)
})

test('[C120] mcp ends with its input, and a wrong option is one line', async () => {
  const ended = await antiphon(['mcp'], { cwd })
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
  const wrong = await antiphon(['mcp', '--port', '1'], { cwd })
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(lines(wrong.stderr)).toHaveLength(1)
})
