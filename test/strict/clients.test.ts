import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { type CallableTool, type FunctionCall, GoogleGenAI, type PartListUnion } from '@google/genai'
import { Cohere, CohereClient } from 'cohere-ai'
import { describe, expect, test } from 'vitest'
import { type FailureMode, type ReplyScript, type ScriptInput, startStrict } from '../../src/strict/index.ts'
import { type Heard, schema, type Talk } from './clients/client.ts'
import { clients } from './clients/index.ts'

const runs = clients.flatMap(client => [true, false].map(stream => ({ client, stream })))
const title = (run: (typeof runs)[number]) => `${run.client.name}${run.stream ? ', streaming' : ''}`
const cases = runs.map(run => [title(run), run] as const)

describe('every client', () => {
  test.each(cases)('%s: reads a text', async (_, run) => {
    const { heard } = await converse(run, { script: ['Good morning. ☀️ It is a fine day for a walk.'] })
    expect(heard).toEqual({ text: 'Good morning. ☀️ It is a fine day for a walk.', steps: [] })
  })

  test.each(cases)('%s: makes a call, and its result comes back', async (_, run) => {
    const { heard, asked } = await converse(run, {
      script: [{ calls: [{ name: 'weather', input: { city: 'Lisbon, by the river' } }] }, 'It is sunny.'],
      tools: ['weather'],
    })
    expect(heard.text).toBe('It is sunny.')
    expect(heard.steps).toMatchObject([[{ name: 'weather', input: { city: 'Lisbon, by the river' } }]])
    expect(asked.at(-1)?.results).toEqual([{ id: heard.steps[0][0].id, name: 'weather', text: 'weather ran' }])
    expect(asked.at(-1)?.lastUser).toBe('Go.')
  })

  test.each(cases)('%s: makes two calls at once', async (_, run) => {
    const { heard, asked } = await converse(run, {
      script: [
        { text: 'Let me see.', calls: [call('weather', 'Porto'), call('weather', 'Faro'), call('time', 'Faro')] },
        'Done.',
      ],
      tools: ['weather', 'time'],
    })
    expect(heard.steps).toMatchObject([[call('weather', 'Porto'), call('weather', 'Faro'), call('time', 'Faro')]])
    expect(new Set(heard.steps[0].map(({ id }) => id)).size).toBe(run.client.withoutIds ? 1 : 3)
    expect(asked.at(-1)?.results.map(({ id }) => id)).toEqual(heard.steps[0].map(({ id }) => id))
    expect(asked.at(-1)?.calls).toEqual(['weather', 'weather', 'time'])
  })

  test.each(cases)('%s: goes through the default script to its end', async (_, run) => {
    const { heard } = await converse(run, { tools: ['weather', 'time'] })
    expect(heard.steps).toMatchObject([[call('weather', 'word')], [call('time', 'word')]])
    expect(heard.text).toBe('Done: weather gave weather ran; time gave time ran.')
  })

  // Some clients try again for seconds before they say so.
  test.concurrent.each(cases)('%s: tells a rate limit as its own error', async (_, run) => {
    const error = await fail(run, 'rate-limit')
    expect(run.client.isError(error, 429), String(error)).toBe(true)
  })

  test.concurrent.each(cases)('%s: tells an overload as its own error', async (_, run) => {
    const status = run.client.name.endsWith('anthropic') ? 529 : 503
    const error = await fail(run, 'overload')
    expect(run.client.isError(error, status), String(error)).toBe(true)
  })

  test.each(cases)('%s: fails when the answer is cut', async (_, run) => {
    expect(await fail(run, 'cut')).toBeInstanceOf(Error)
  })

  const strictReaders = cases.filter(([, { client, stream }]) => !(stream && client.skipsMalformed))
  test.each(strictReaders)('%s: fails when the answer is malformed', async (_, run) => {
    expect(await fail(run, 'malformed')).toBeInstanceOf(Error)
  })

  test.each(cases)('%s: waits for a slow answer', async (_, run) => {
    const { heard } = await converse(run, { script: ['At last.'], mode: 'slow:1' })
    expect(heard.text).toBe('At last.')
  })
})

describe('an error inside a stream', () => {
  const streaming = cases.filter(([, { stream }]) => stream)

  test.each(streaming)('%s: fails', async (_, run) => {
    const error = await fail(run, 'overload:stream')
    expect(error).toBeInstanceOf(Error)
    if (run.client.name !== 'mistral') expect(run.client.isError(error), String(error)).toBe(true)
  })
})

describe('Anthropic’s tool runner', () => {
  const tool = (name: string) =>
    betaTool({ name, description: name, inputSchema: schema as never, run: () => `${name} ran` })
  const request = {
    ...{ model: 'claude-opus-4-8', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Go.' }] },
    tools: [tool('weather'), tool('time')],
  }

  test.each([true, false])('goes through the default script to its end, streaming %s', async stream => {
    await using strict = await startStrict()
    const client = new Anthropic({ baseURL: strict.url, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
    const { content } = await client.beta.messages.toolRunner({ ...request, stream }).runUntilDone()
    expect(content).toMatchObject([{ text: 'Done: weather gave weather ran; time gave time ran.' }])
    expect(strict.requests.map(({ body }) => (body as { messages: unknown[] }).messages.length)).toEqual([1, 1, 1])
  })

  test('begins anew where its thread is not found', async () => {
    await using first = await startStrict({ script: ['One.'] })
    await using second = await startStrict({ script: ['Two.'] })
    const client = new Anthropic({ baseURL: first.url, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
    const thread = client.beta.messages.thread({ model: 'claude-opus-4-8', max_tokens: 100 })
    await thread.send({ role: 'user', content: 'a' })
    client.baseURL = second.url
    expect((await thread.send({ role: 'user', content: 'b' })).content).toMatchObject([{ text: 'Two.' }])
    expect(second.requests.map(({ verdict }) => verdict)).toMatchObject([{ fact: 'thread-not-found' }, 'accepted'])
  })
})

describe('Google’s own client', () => {
  const functionDeclarations = ['weather', 'time'].map(name => ({ name, parametersJsonSchema: schema }))
  const doors = [false, true].flatMap(vertexai =>
    ['gemini-2.5-flash', 'gemini-3-pro-preview'].map(model => [vertexai, model] as const),
  )
  const clientOf = (url: string, vertexai: boolean) =>
    new GoogleGenAI({ apiKey: 'any', vertexai, httpOptions: { baseUrl: url } })

  test.each(doors)('goes on with a streamed chat (Vertex AI: %s, %s)', async (vertexai, model) => {
    const script = [
      { thinking: 'Let me see.', text: 'Let me look at it.', calls: [call('weather', 'Faro'), call('time', 'Faro')] },
      'It is a fine day for a walk.',
      'Goodbye.',
    ]
    await using strict = await startStrict({ script })
    const chat = clientOf(strict.url, vertexai).chats.create({ model, config: { tools: [{ functionDeclarations }] } })
    const say = async (message: PartListUnion) => {
      const calls: FunctionCall[] = []
      for await (const chunk of await chat.sendMessageStream({ message })) calls.push(...(chunk.functionCalls ?? []))
      return calls
    }
    const calls = await say('Go.')
    await say(
      calls.map(({ id, name }) => ({ functionResponse: { ...(id && { id }), name: name ?? '', response: {} } })),
    )
    await say('Thanks.')
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
  })

  test.each(doors)('runs tools by itself in a stream (Vertex AI: %s, %s)', async (vertexai, model) => {
    await using strict = await startStrict()
    const runs: CallableTool = {
      tool: async () => ({ functionDeclarations }),
      callTool: async calls =>
        calls.map(({ id, name }) => ({ functionResponse: { ...(id && { id }), name: name ?? '', response: {} } })),
    }
    const request = { model, contents: 'Go.', config: { tools: [runs] } }
    let text = ''
    for await (const chunk of await clientOf(strict.url, vertexai).models.generateContentStream(request))
      for (const part of chunk.candidates?.[0].content?.parts ?? []) text += part.text ?? ''
    expect(text).toBe('Done: weather gave {}; time gave {}.')
  })
})

describe('Cohere’s own client', () => {
  const missing = {
    model: 'command-a-03-2025',
    messages: [
      { role: 'user' as const, content: 'Go.' },
      {
        role: 'assistant' as const,
        toolCalls: [{ id: 'A', type: 'function' as const, function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'user' as const, content: 'Well?' },
    ],
  }
  const empty = {
    message: 'Well?',
    chatHistory: [
      { role: 'USER' as const, message: 'Go.' },
      { role: 'CHATBOT' as const, message: '' },
    ],
  }
  const words = {
    v2: "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ",
    v1: 'invalid request: all elements in history must have a message.',
  }

  test.each(['baseUrl', 'environment'])('tells refusals as its own errors, found by its %s', async option => {
    await using strict = await startStrict()
    const client = new CohereClient({ token: 'any', [option]: `${strict.url}/cohere` })
    const outcomes = await Promise.allSettled([
      client.v2.chat(missing),
      client.v2.chatStream(missing),
      client.chat(empty),
      client.chatStream(empty),
    ])
    const errors = outcomes.map(outcome => (outcome.status === 'rejected' ? outcome.reason : 'accepted'))
    for (const error of errors) expect(error).toBeInstanceOf(Cohere.BadRequestError)
    expect(errors.map(({ statusCode, body }) => [statusCode, body.message])).toEqual([
      ...[words.v2, words.v2, words.v1, words.v1].map(text => [400, text]),
    ])
    expect(strict.requests.map(({ provider, api }) => `${provider} ${api}`).sort()).toEqual([
      ...['cohere cohere-v1', 'cohere cohere-v1', 'cohere cohere-v2', 'cohere cohere-v2'],
    ])
  })
})

const call = (name: string, city: string) => ({ name, input: { city } })

interface Setting {
  script?: ReplyScript
  tools?: string[]
  mode?: FailureMode
}

/** One conversation with a server of its own. `asked` is what each request looked like to the script. */
async function converse(run: (typeof runs)[number], { script, tools = [], mode }: Setting) {
  await using strict = await startStrict(mode === undefined ? {} : { mode })
  const asked: ScriptInput[] = []
  if (Array.isArray(script)) {
    const replies = [...script]
    strict.script(request => {
      asked.push(request)
      return replies.shift() ?? 'No more.'
    })
  }
  const talk: Talk = { prompt: 'Go.', stream: run.stream, tools, run: name => `${name} ran` }
  const heard: Heard = await run.client.converse(strict.url, talk)
  return { heard, asked, strict }
}

const fail = (run: (typeof runs)[number], mode: FailureMode): Promise<unknown> =>
  converse(run, { script: ['A text that is long enough to be cut in the middle.'], mode }).then(
    ({ heard }) => `no error, but ${JSON.stringify(heard)}`,
    error => error,
  )
