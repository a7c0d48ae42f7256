import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { programFile } from '../../programs.ts'
import { antiphon, folder, lines } from './program.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The command, serving. */
async function serving(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [programFile('antiphon'), 'strict', ...args])
  closing.push(() => child.kill('SIGKILL'))
  const heard = { stdout: '', stderr: '' }
  child.stdout?.on('data', chunk => {
    heard.stdout += chunk
  })
  child.stderr?.on('data', chunk => {
    heard.stderr += chunk
  })
  await expect.poll(() => heard.stdout + heard.stderr, { timeout: 120_000 }).toMatch(/others .*\n|antiphon: /)
  return { heard, url: /http:\S+/.exec(heard.stdout)?.[0] ?? '' }
}

/** An API that answers every request in this way, and remembers what it was asked. */
async function api(answer: (body: { [name: string]: unknown }) => { status?: number; body: unknown }) {
  const asked: { path: string; key: unknown; body: { [name: string]: unknown } }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const { authorization, 'x-api-key': key, 'x-goog-api-key': google } = request.headers
    asked.push({ path: request.url ?? '', key: authorization ?? key ?? google, body })
    const { status = 200, body: text } = answer(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const secret = 'sk-test-0123456789abcdef'
const user = { role: 'user' as const, content: 'How is the weather in Lisbon?' }
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } }
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

describe('[C126] strict --record records a real API as a script', () => {
  test('with OpenAI: calls, streams, and no key; --script replays it, and both are strict', async () => {
    const { url: real, asked } = await api(({ messages }) => {
      const isFirst = (messages as unknown[]).length === 1
      const call = { id: 'call_9f2', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } }
      const message = isFirst
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: `Sunny. Your key is ${secret}, theirs is AIzaSyA-0123456789abcdefghij.` }
      const usage = { prompt_tokens: 21, completion_tokens: 7 }
      const finish_reason = isFirst ? 'tool_calls' : 'stop'
      return {
        body: {
          id: 'x',
          object: 'chat.completion',
          model: 'gpt-5',
          choices: [{ index: 0, message, finish_reason }],
          usage,
        },
      }
    })
    const file = join(folder(), 'replies.json')
    const recording = await serving('--record', file, '--to', real)
    expect(read(file)).toEqual([])
    const converse = async (url: string) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 })
      const first = await client.chat.completions.create({ model: 'gpt-5', messages: [user], tools })
      const [called] = first.choices
      const call = called.message.tool_calls?.[0]
      const messages = [
        ...[user, called.message],
        { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'sunny' },
      ]
      const stream = await client.chat.completions.create({ model: 'gpt-5', messages, tools, stream: true })
      let text = ''
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
      const refused = client.chat.completions.create({ model: 'gpt-5', messages: messages.slice(0, 2), tools })
      await expect(refused).rejects.toThrow('must be followed by tool messages')
      return { call, text, usage: first.usage?.prompt_tokens }
    }
    const live = await converse(recording.url)
    expect(live).toMatchObject({ call: { id: 'call_9f2', function: { arguments: '{"city":"Lisbon"}' } }, usage: 21 })
    expect(live.text).toContain(secret)
    expect(asked.map(({ path, key, body }) => [path, key, body.stream])).toEqual([
      ['/v1/chat/completions', `Bearer ${secret}`, undefined],
      ['/v1/chat/completions', `Bearer ${secret}`, undefined],
    ])
    const usage = { input: 21, output: 7 }
    expect(read(file)).toEqual([
      { calls: [{ id: 'call_9f2', name: 'weather', input: { city: 'Lisbon' } }], usage },
      { text: 'Sunny. Your key is [key], theirs is [key].', usage },
    ])
    const replay = await serving('--script', file)
    const again = await converse(replay.url)
    expect(again).toEqual({ ...live, text: 'Sunny. Your key is [key], theirs is [key].' })
    expect(asked).toHaveLength(2)
  })

  test.each(['anthropic', 'gemini', 'openai-responses'] as const)('with %s', async name => {
    const said = [
      { thinking: 'I look.', calls: [{ name: 'weather', input: { city: 'Lisbon' } }], usage: { input: 5, output: 3 } },
    ]
    await using real = await startStrict({ script: said })
    const file = join(folder(), 'replies.json')
    const { url, heard } = await serving('--record', file, '--to', real.url)
    if (name === 'anthropic') {
      const client = new Anthropic({ baseURL: url, apiKey: secret, maxRetries: 0 })
      const asked = { model: 'claude-opus-4-5', max_tokens: 4000, messages: [user] }
      const thinking = { type: 'enabled' as const, budget_tokens: 2000 }
      const message = await client.messages
        .stream({ ...asked, thinking, tools: [{ name: 'weather', input_schema: parameters }] })
        .finalMessage()
      expect(message.content.at(-1)).toMatchObject({ type: 'tool_use', input: { city: 'Lisbon' } })
    } else if (name === 'gemini') {
      const client = new GoogleGenAI({ apiKey: secret, httpOptions: { baseUrl: url } })
      const chunks = await client.models.generateContentStream({
        ...{ model: 'gemini-2.5-pro', contents: user.content },
        config: { tools: [{ functionDeclarations: [{ name: 'weather' }] }], thinkingConfig: { includeThoughts: true } },
      })
      for await (const { functionCalls } of chunks)
        if (functionCalls) expect(functionCalls).toMatchObject([{ name: 'weather' }])
    } else {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 })
      const { output } = await client.responses.create({
        ...{ model: 'gpt-5', input: user.content },
        tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
      })
      expect(output.at(-1)).toMatchObject({ type: 'function_call', name: 'weather' })
    }
    expect(heard.stderr).toMatch(/^200 /)
    expect(read(file)).toMatchObject([
      { calls: [{ name: 'weather', input: { city: 'Lisbon' } }], usage: { input: 5, output: 3 } },
    ])
    expect(real.requests).toHaveLength(1)
    expect(real.requests[0]).toMatchObject({ stream: false })
  })

  test('a credential in the query is not recorded, whatever its name is', async () => {
    const message = {
      role: 'assistant',
      content: 'Your tokens are quiet-violet-river and calm-amber-field (2026-01-01).',
    }
    const { url: real, asked } = await api(() => ({
      body: {
        id: 'x',
        object: 'chat.completion',
        model: 'gpt-5',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      },
    }))
    const file = join(folder(), 'replies.json')
    const { url } = await serving('--record', file, '--to', real)
    const query = 'api-version=2026-01-01&code=quiet-violet-river&sig=calm-amber-field'
    const body = JSON.stringify({ model: 'gpt-5', messages: [user] })
    expect((await fetch(`${url}/v1/chat/completions?${query}`, { method: 'POST', body })).status).toBe(200)
    expect(asked.map(({ path }) => path)).toEqual([`/v1/chat/completions?${query}`])
    expect(read(file)).toEqual([{ text: 'Your tokens are [key] and [key] (2026-01-01).' }])
  })

  test('a failure that passes is recorded; any other error reaches the client, and is not recorded', async () => {
    const answers = [
      { status: 529, body: {} },
      { status: 401, body: { error: { message: `Incorrect API key provided: ${secret}` } } },
      { body: { nothing: true } },
    ]
    const { url: real } = await api(() => answers.shift() ?? { body: {} })
    const file = join(folder(), 'replies.json')
    const { url } = await serving('--record', file, '--to', real)
    const ask = async () => {
      const headers = { authorization: `Bearer ${secret}` }
      const body = JSON.stringify({ model: 'gpt-5', messages: [user] })
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
      return { status: response.status, text: await response.text() }
    }
    expect((await ask()).status).toBe(503)
    const [refused, strange] = [await ask(), await ask()]
    expect(refused.text).toContain('the API answered 401')
    expect(refused.text).not.toContain(secret)
    expect(strange.text).toContain('cannot be recorded')
    expect(read(file)).toEqual([{ fail: 'overload' }])
  })
})

describe('[C127] wrong options of strict --record are one line, and nothing is written', () => {
  const cwd = folder({ 'there.json': '[]' })
  test.each([
    [['--record', 'new.json'], '--record needs --to'],
    [['--to', 'https://api.openai.com'], '--to needs --record'],
    [['--record', 'new.json', '--to', 'https://api.openai.com', '--script', 'there.json'], '--script'],
    [['--record', 'new.json', '--to', 'https://api.openai.com', '--mode', 'cut'], '--mode'],
    [['--record', 'there.json', '--to', 'https://api.openai.com'], 'the file exists already'],
    [['--record', 'no/new.json', '--to', 'https://api.openai.com'], 'its folder does not exist'],
    [['--record', 'new.json', '--to', 'api.openai.com'], 'an upstream must be a URL'],
    [['--record', 'new.json', '--to', 'https://me:hunter2@api.openai.com'], 'must not contain a user name'],
  ])('%o', async (args, message) => {
    const { code, stdout, stderr } = await antiphon(['strict', ...args], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(lines(stderr)).toEqual([expect.stringContaining(message)])
    expect(stderr).not.toContain('hunter2')
    expect(existsSync(join(cwd, 'new.json'))).toBe(false)
    expect(readFileSync(join(cwd, 'there.json'), 'utf8')).toBe('[]')
  })
})
