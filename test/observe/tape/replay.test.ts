import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replay } from '../../../src/apps/cli/commands/tape-replay.ts'
import { failures } from '../../../src/apps/demo-failures.ts'
import type { CodecId } from '../../../src/codecs/index.ts'
import { bodyOfTape } from '../../../src/doctor/files/tape-source.ts'
import { repair } from '../../../src/heal/heal.ts'
import { shrink } from '../../../src/heal/shrink/shrink.ts'
import { inspect, readTape } from '../../../src/observe/tape/index.ts'
import { redactBody } from '../../../src/observe/tape/redact-body.ts'
import { type ReceivedRequest, type Strict, startStrict } from '../../../src/strict/index.ts'
import { validHistory } from '../../laws/history.ts'
import { recording } from './recording.ts'

let strict: Strict
beforeAll(async () => {
  strict = await startStrict()
})
afterAll(() => strict.close())

const send = async (path: string, body: unknown): Promise<ReceivedRequest['verdict']> => {
  await (await fetch(`${strict.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).arrayBuffer()
  return (strict.requests.at(-1) as ReceivedRequest).verdict
}

describe.each(failures)('replay: $title', ({ for: reader, format, request, history }) => {
  const healed = repair(history, { for: reader, format }).messages

  test.each([true, false])('[TP13] with redact %s it is rejected and accepted like the original', async redact => {
    const { tape, text } = recording({ redact })
    for (const messages of [history, healed]) {
      const body = { ...request.body, messages }
      tape.request({
        url: `https://example.test/${reader}${request.path}`,
        dialect: reader,
        body: JSON.stringify(body),
      })
    }
    const [broken, repaired] = inspect(readTape(text()).entries).requests
    const original = await send(`/${reader}${request.path}`, { ...request.body, messages: history })
    if (original === 'accepted') throw new Error('the original must be rejected')
    const again = await replay(broken, undefined, strict)
    expect(again.outcome).toBe('rejected')
    expect(again.words).toContain((original.body as { error: { message: string } }).error.message)
    expect(await replay(repaired, undefined, strict)).toEqual({ outcome: 'accepted', words: `by ${reader}` })
  })

  test('[TP14] a tape gives the malformed request to every reader of histories, and it shrinks to the same fault', () => {
    const { tape, text } = recording()
    tape.request({ dialect: reader, body: { ...request.body, messages: healed } })
    tape.request({ dialect: reader, body: { ...request.body, messages: history } })
    tape.request({ dialect: reader, body: { ...request.body, messages: healed } })
    const source = bodyOfTape({ name: 'chat.tape', bytes: Buffer.from(text()), text: text() })
    expect(source).toMatchObject({ name: 'chat.tape, request 2', for: reader })
    expect(source.path).toBeUndefined()
    const { messages } = JSON.parse(source.text)
    const [hidden, shown] = [messages, history].map(list => shrink(list, { for: reader, format }))
    expect(hidden?.diagnostic).toEqual(shown?.diagnostic)
    expect(hidden?.messages).toHaveLength(shown?.messages.length ?? 0)
  })
})

describe('replay of what is healthy', () => {
  const paths: Partial<Record<CodecId, [string, object]>> = {
    'openai-chat': ['/v1/chat/completions', { model: 'gpt-5' }],
    'openai-responses': ['/v1/responses', { model: 'gpt-5' }],
    anthropic: ['/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 1024 }],
    gemini: ['/v1beta/models/gemini-2.5-pro:generateContent', {}],
    bedrock: ['/model/anthropic.claude-sonnet-4-5/converse', {}],
  }

  test.each(Object.entries(paths))(
    '[TP13] random requests of %s get the same verdict when redacted',
    async (codec, to) => {
      const [path, settings] = to as [string, object]
      const roots = { 'openai-responses': 'input', gemini: 'contents' } as Record<string, string>
      for (let seed = 0; seed < 60; seed++) {
        const { messages } = validHistory(codec as CodecId, seed)
        const body = { ...settings, [roots[codec] ?? 'messages']: messages }
        const [plain, hidden] = [await send(path, body), await send(path, redactBody(body))]
        const facts = [plain, hidden].map(verdict => (verdict === 'accepted' ? verdict : verdict.fact))
        expect(facts[1]).toBe(facts[0])
      }
    },
  )
})

describe('calls of redacted responses', () => {
  const schema = { type: 'object', properties: {} }
  const user = { role: 'user', content: 'Look.' }
  const asked: [string, object][] = [
    [
      '/v1/chat/completions',
      {
        model: 'gpt-5',
        messages: [user],
        tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
      },
    ],
    [
      '/v1/responses',
      { model: 'gpt-5', input: [user], tools: [{ type: 'function', name: 'look', parameters: schema }] },
    ],
    [
      '/v1/messages',
      { model: 'claude-sonnet-4-5', max_tokens: 99, messages: [user], tools: [{ name: 'look', input_schema: schema }] },
    ],
    [
      '/v1beta/models/gemini-2.5-pro:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: 'Look.' }] }],
        tools: [{ functionDeclarations: [{ name: 'look' }] }],
      },
    ],
    [
      '/model/anthropic.claude-sonnet-4-5/converse',
      {
        messages: [{ role: 'user', content: [{ text: 'Look.' }] }],
        toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: schema } } }] },
      },
    ],
  ]

  test.each(asked)('[TP11] at %s a call is found in what came back', async (path, body) => {
    const { tape, text } = recording()
    const request = tape.request({ url: `${strict.url}${path}`, body })
    const response = await fetch(`${strict.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    tape.response(request, { status: response.status, body: await response.text() })
    const { requests, calls } = inspect(readTape(text()).entries)
    expect(requests).toMatchObject([{ verdict: 'accepted' }])
    expect(calls).toMatchObject([{ name: 'look', recorded: { request: 1 } }])
    expect(await replay(requests[0], undefined, strict)).toMatchObject({ outcome: 'accepted' })
  })
})
