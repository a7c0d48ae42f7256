import { EventSchema, MessageSchema } from '@ag-ui/core/schemas'
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { AIMessage, AIMessageChunk, coerceMessageLikeToMessage } from '@langchain/core/messages'
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { replies } from '../../src/codecs/shared/replies.ts'
import type { Reply } from '../../src/codecs/shared/reply.ts'
import { type CodecId, check, heal } from '../../src/index.ts'
import { type FailureMode, type ReplyContent, startStrict } from '../../src/strict/index.ts'
import { deepFreeze } from './replies-hostile.ts'
import { streamers } from './replies-streams.ts'

const models: Record<string, (url: string) => LanguageModel> = {
  'openai chat': url => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat('gpt-5'),
  'openai responses': url => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).responses('gpt-5'),
  anthropic: url => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' })('claude-opus-4-5'),
  google: url => createGoogle({ baseURL: `${url}/v1beta`, apiKey: 'any' })('gemini-3-pro'),
  bedrock: url => createAmazonBedrock({ baseURL: url, apiKey: 'any', region: 'us-east-1' })('anthropic.claude-v1:0'),
}

const inputSchema = jsonSchema({ type: 'object', properties: { city: { type: 'string' } } })
const run = async ({ city }: { city?: string }) => {
  if (city === 'Nowhere') throw new Error('There is no such place.')
  return city === undefined ? 'everywhere' : { city, degrees: 20 }
}
/** Tools that the library runs, and tools that somebody else does. */
const ours: ToolSet = {
  weather: tool({ inputSchema, execute: run as never }),
  time: tool({ inputSchema, execute: run as never }),
}
const theirs: ToolSet = { weather: tool({ inputSchema }), time: tool({ inputSchema }) }

const steps: ReplyContent[] = [
  {
    text: 'Let me see.',
    calls: [
      { name: 'weather', input: { city: 'Porto' } },
      { name: 'time', input: { city: 'Nowhere' } },
      { name: 'time', input: {} },
    ],
  },
  { calls: [{ name: 'weather', input: { city: 'Faro' } }] },
  { text: 'It is sunny in both places.' },
]
const half: ReplyContent = { text: 'One moment.', calls: [{ name: 'weather', input: '{"city": "Lis' }], stop: 'length' }

interface Setting {
  model: string
  script: ReplyContent[]
  tools: ToolSet
  mode?: FailureMode
}

async function generated({ model, script, tools, mode }: Setting) {
  await using strict = await startStrict({ script, ...(mode === undefined ? {} : { mode }) })
  return await generateText({
    model: models[model](strict.url),
    prompt: 'Go.',
    tools,
    stopWhen: isStepCount(script.length),
    maxRetries: 0,
  })
}

/** Everything that one run streams, in both shapes, and what the library makes of it. */
async function streamed({ model, script, tools, mode }: Setting) {
  await using strict = await startStrict({ script, ...(mode === undefined ? {} : { mode }) })
  const result = streamText({
    model: models[model](strict.url),
    prompt: 'Go.',
    tools,
    stopWhen: isStepCount(script.length),
    maxRetries: 0,
    onError: () => {},
  })
  const [ui, parts] = await Promise.all([
    all(result.toUIMessageStream({ generateMessageId: () => 'm1' })),
    all(result.fullStream),
  ])
  const messages = mode === undefined ? await result.responseMessages : []
  return { parts, chunks: ui as UIMessageChunk[], messages }
}

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const part of stream) found.push(part)
  return found
}

function fold(format: CodecId, chunks: readonly unknown[]) {
  const run = replies[format].fold()
  const deltas = chunks.flatMap(chunk => run.push(chunk))
  return { reply: run.end(), deltas, failure: run.failure }
}

const partsOf = (format: CodecId, messages: readonly unknown[] = []) =>
  codecs[format].decode(messages).messages.flatMap(({ parts }) => parts)

const callsIn = (format: CodecId, messages?: readonly unknown[]) =>
  partsOf(format, messages).filter(part => part.kind === 'call')

const textIn = (format: CodecId, messages: readonly unknown[]) =>
  partsOf(format, messages)
    .map(part => (part.kind === 'text' ? part.text : ''))
    .join('')

/** What only a stream brings, and nobody sends again. */
const withoutCustom = (messages: readonly unknown[]): unknown[] =>
  (messages as ModelMessage[]).map(message => ({
    ...message,
    content: (message.content as { type: string }[]).filter(({ type }) => type !== 'custom'),
  }))

describe.each(Object.keys(models))('the AI SDK with %s', model => {
  test('the messages of a run are those of the library, read as a whole or as a stream', async () => {
    for (const tools of [ours, theirs]) {
      const script = tools === ours ? steps : steps.slice(0, 1)
      const result = await generated({ model, script, tools })
      const whole = replies['ai-sdk'].read(result) as Reply
      expect(whole.messages).toEqual(result.responseMessages)
      expect(whole.finish).toBe('stop')
      expect(whole.model).toBe(result.response.modelId)
      const { parts, messages } = await streamed({ model, script, tools })
      const { reply, failure } = fold('ai-sdk', parts)
      expect(failure).toBeUndefined()
      expect(reply.messages).toEqual(messages)
      expect(reply.finish).toBe('stop')
      expect(withoutCustom(reply.messages)).toEqual(withoutCustom(whole.messages))
      expect(check([user, ...reply.messages], { format: 'ai-sdk', pending: 'keep' })).toEqual([])
    }
  })

  test('the steps of a run can be read by themselves', async () => {
    const { steps: all } = await generated({ model, script: steps, tools: ours })
    expect(all).toHaveLength(3)
    for (const step of all) {
      const reply = replies['ai-sdk'].read(step) as Reply
      expect(reply.messages).toEqual(step.response.messages)
    }
  })

  test('a run that is cut keeps what was done, and the text of what was not', async () => {
    const { parts } = await streamed({ model, script: steps, tools: ours })
    const types = (parts as { type: string }[]).map(({ type }) => type)
    for (let count = 0; count < parts.length; count++) {
      const { reply, deltas } = fold('ai-sdk', parts.slice(0, count))
      expect(reply.finish).toBe('cut')
      const done = types.slice(0, count).filter(type => type === 'finish-step').length
      const calls = callsIn('ai-sdk', reply.messages)
      expect(calls).toHaveLength([0, 3, 4, 4][done])
      const heard = deltas.map(delta => (delta.kind === 'text' ? delta.text : '')).join('')
      expect(textIn('ai-sdk', reply.messages)).toBe(heard)
      expect(deltas.filter(({ kind }) => kind === 'call').length).toBe(
        calls.length + callsIn('ai-sdk', reply.left).length,
      )
      expect(check([user, ...reply.messages, user], { format: 'ai-sdk' }).filter(isFault)).toEqual([])
    }
    expect(fold('ai-sdk', parts).reply.finish).toBe('stop')
  })

  test('what is read can be sent again', async () => {
    await using strict = await startStrict({ script: [...steps, 'Well.', 'Well.', 'Well.'] })
    const options = { model: models[model](strict.url), tools: ours, maxRetries: 0 }
    const run = streamText({ ...options, prompt: 'Go.', stopWhen: isStepCount(steps.length) })
    const parts = await all(run.fullStream)
    for (const count of [parts.length, types(parts).indexOf('text-end'), types(parts).lastIndexOf('text-end')]) {
      const { messages } = fold('ai-sdk', parts.slice(0, count)).reply
      const history = [user, ...messages, { role: 'user', content: 'And?' }] as ModelMessage[]
      const { text } = await generateText({ ...options, messages: history, stopWhen: isStepCount(1) })
      expect(text).toBe('Well.')
    }
  })

  test('an error inside the stream is kept', async () => {
    const { parts, chunks } = await streamed({ model, script: steps.slice(2), tools: ours, mode: 'overload:stream' })
    for (const [format, list] of [
      ['ai-sdk', parts],
      ['ai-sdk-ui', chunks],
    ] as const) {
      const { reply, failure } = fold(format, list)
      expect(failure).toBeDefined()
      expect(reply.finish).toBe('cut')
      expect('It is sunny in both places.'.startsWith(textIn(format, reply.messages))).toBe(true)
    }
  })

  test('the message of a user interface is that of the library', async () => {
    for (const tools of [ours, theirs]) {
      const { chunks } = await streamed({ model, script: tools === ours ? steps : steps.slice(0, 1), tools })
      const { reply } = fold('ai-sdk-ui', chunks.map(deepFreeze))
      const shown = await lastShown(chunks)
      expect(reply).toMatchObject({ finish: 'stop', id: 'm1' })
      expect(reply.messages).toEqual([shown])
      expect(replies['ai-sdk-ui'].read(shown)).toEqual({ messages: [shown], finish: 'stop', id: 'm1' })
      expect(await convertToModelMessages(heal(reply.messages) as UIMessage[])).not.toEqual([])
    }
  })

  test('a message of a user interface that is cut keeps what was done', async () => {
    const { chunks } = await streamed({ model, script: steps, tools: ours })
    const kinds = types(chunks)
    for (let count = 0; count < chunks.length; count++) {
      const { reply, deltas } = fold('ai-sdk-ui', chunks.slice(0, count))
      expect(reply.finish).toBe('cut')
      const done = kinds.slice(0, count).filter(type => type === 'finish-step').length
      expect(callsIn('ai-sdk-ui', reply.messages)).toHaveLength([0, 3, 4, 4][done])
      expect(textIn('ai-sdk-ui', reply.messages)).toBe(
        deltas.map(delta => (delta.kind === 'text' ? delta.text : '')).join(''),
      )
      const history = [uiUser, ...reply.messages, { ...uiUser, id: 'u2' }]
      expect(check(history, { format: 'ai-sdk-ui' }).filter(isFault)).toEqual([])
    }
  })
})

describe('a call that was too long is left out, with what the library answered', () => {
  test.each(['openai chat', 'openai responses'])('%s', async model => {
    const setting = { model, script: [half], tools: ours }
    const whole = replies['ai-sdk'].read(await generated(setting)) as Reply
    const { reply } = fold('ai-sdk', (await streamed(setting)).parts)
    for (const { messages, left, finish } of [whole, reply]) {
      expect(finish).toBe('length')
      expect(textIn('ai-sdk', messages)).toBe('One moment.')
      expect(callsIn('ai-sdk', messages)).toEqual([])
      expect(messages).toHaveLength(1)
      expect(callsIn('ai-sdk', left)).toHaveLength(1)
    }
  })
})

const user = { role: 'user', content: 'Go.' }
const uiUser = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }

const types = (parts: readonly unknown[]): string[] => (parts as { type: string }[]).map(({ type }) => type)

/** The same words twice are worth a look, and no more. */
const isFault = ({ rule }: { rule: string }): boolean => rule !== 'repeated-user-message'

async function lastShown(chunks: UIMessageChunk[]): Promise<UIMessage> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of structuredClone(chunks)) controller.enqueue(chunk)
      controller.close()
    },
  })
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  return last as UIMessage
}

type Usage = { total_tokens: number }
type Added = { content: unknown; additional_kwargs: object; usage_metadata?: Usage; tool_calls?: unknown[] }

describe('LangChain', () => {
  const { read } = replies.langchain
  const finished = { finish_reason: 'stop', model_name: 'gpt-5' }
  const piece = (fields: object) => new AIMessageChunk({ content: '', ...fields } as never)

  const runs: Record<string, AIMessageChunk[]> = {
    'of OpenAI': [
      piece({
        id: 'run-1',
        additional_kwargs: { tool_calls: [raw(0, 'call_1', 'weather', '')] },
        ...chunk(0, 'call_1', 'weather', ''),
      }),
      piece({
        additional_kwargs: { tool_calls: [raw(0, undefined, undefined, '{"city":')] },
        ...chunk(0, undefined, undefined, '{"city":'),
      }),
      piece({
        additional_kwargs: { tool_calls: [raw(0, undefined, undefined, '"Porto"}')] },
        ...chunk(0, undefined, undefined, '"Porto"}'),
      }),
      piece({
        additional_kwargs: { tool_calls: [raw(1, 'call_2', 'time', '{}')] },
        ...chunk(1, 'call_2', 'time', '{}'),
      }),
      piece({ response_metadata: finished }),
      piece({ usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } }),
    ],
    'of Anthropic': [
      piece({
        content: [{ index: 0, type: 'thinking', thinking: 'Let me ' }],
        usage_metadata: { input_tokens: 5, output_tokens: 0, total_tokens: 5 },
      }),
      piece({ content: [{ index: 0, type: 'thinking', thinking: 'think.' }] }),
      piece({ content: [{ index: 0, type: 'thinking', signature: 'sig' }] }),
      piece({ content: [{ index: 1, type: 'text', text: 'One ' }] }),
      piece({ content: [{ index: 1, type: 'text', text: 'moment.' }] }),
      piece({
        response_metadata: { stop_reason: 'end_turn' },
        usage_metadata: { input_tokens: 0, output_tokens: 7, total_tokens: 7 },
      }),
    ],
    'of words alone': [
      piece({ id: 'a', content: 'Good ' }),
      piece({ content: 'morning.' }),
      piece({ response_metadata: finished }),
    ],
  }

  test.each(Object.keys(runs))('chunks %s add up as the library adds them', name => {
    const { reply } = fold('langchain', runs[name])
    const added = runs[name].reduce((sum, next) => sum.concat(next)) as unknown as Added
    const [message] = reply.messages as Record<string, unknown>[]
    expect(reply.finish).toBe('stop')
    expect(coerceMessageLikeToMessage(message as never)).toBeInstanceOf(AIMessage)
    expect(message.content).toEqual(withoutIndex(added.content))
    expect(message.tool_calls ?? []).toEqual(added.tool_calls)
    expect(message.additional_kwargs ?? {}).toEqual(withoutIndex(added.additional_kwargs))
    expect((message as { usage_metadata?: Usage }).usage_metadata?.total_tokens).toBe(
      added.usage_metadata?.total_tokens,
    )
    expect((read(added) as Reply).messages).toEqual([
      { ...message, usage_metadata: added.usage_metadata, ...copied(added) },
    ])
    for (const form of [JSON.parse(JSON.stringify(runs[name])), runs[name].map(flat)])
      expect(fold('langchain', form).reply.messages).toEqual(reply.messages)
  })

  test('calls in the content are joined with their arguments', () => {
    const { reply } = fold('langchain', [
      piece({ content: [{ index: 0, type: 'text', text: 'One moment.' }] }),
      piece({
        content: [{ index: 1, type: 'tool_use', id: 'toolu_1', name: 'weather', input: '' }],
        ...chunk(1, 'toolu_1', 'weather', ''),
      }),
      piece({
        content: [{ index: 1, type: 'input_json_delta', input: '{"city":' }],
        ...chunk(1, undefined, undefined, '{"city":'),
      }),
      piece({
        content: [{ index: 1, type: 'input_json_delta', input: '"Faro"}' }],
        ...chunk(1, undefined, undefined, '"Faro"}'),
      }),
      piece({ response_metadata: { stop_reason: 'tool_use' } }),
    ])
    expect(reply.messages).toMatchObject([
      {
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Faro' } },
        ],
        tool_calls: [{ id: 'toolu_1', name: 'weather', args: { city: 'Faro' } }],
      },
    ])
    expect(callsIn('langchain', reply.messages)).toHaveLength(1)
  })

  test('an object becomes plain fields, and a message as JSON stays what it is', () => {
    const message = new AIMessage({ content: 'Good morning.', id: 'run-1', response_metadata: finished })
    const reply = read(message) as Reply
    expect(reply).toEqual({
      messages: [{ type: 'ai', content: 'Good morning.', id: 'run-1', response_metadata: finished }],
      ...{ finish: 'stop', id: 'run-1', model: 'gpt-5' },
    })
    for (const form of [JSON.parse(JSON.stringify(message)), message.toDict()])
      expect((read(form) as Reply).messages[0]).toBe(form)
  })

  test('calls that were too long are left out wherever they stand', () => {
    const message = new AIMessage({
      content: [
        { type: 'text', text: 'One moment.' },
        { type: 'tool_use', id: 'b', name: 'time', input: {} },
      ],
      tool_calls: [
        { id: 'a', name: 'weather', args: {} },
        { id: 'b', name: 'time', args: { city: 'Lis' } },
      ],
      invalid_tool_calls: [{ id: 'c', name: 'time', args: '{"ci', error: 'Malformed args.' }],
      additional_kwargs: {
        tool_calls: [raw(0, 'a', 'weather', '{}'), raw(1, 'b', 'time', '{"city": "Lis'), raw(2, 'c', 'time', '{"ci')],
      },
      response_metadata: { finish_reason: 'length' },
    } as never)
    const { messages, left, finish } = read(message) as Reply
    expect(finish).toBe('length')
    expect(callsIn('langchain', messages).map(({ id }) => id)).toEqual(['a'])
    expect(JSON.stringify(messages)).not.toMatch(/"b"|"c"/)
    expect(callsIn('langchain', left).map(({ id }) => id)).toEqual(['b', 'c'])
  })

  test.each([
    ['{"city": "Lis', ['a']],
    ['', ['a']],
    ['{"city": "Lisbon"}', ['a', 'b']],
  ])('a call that was streamed up to %j at the limit', (args, ids) => {
    const { reply } = fold('langchain', [
      piece(chunk(0, 'a', 'time', '{}')),
      piece(chunk(1, 'b', 'time', args)),
      piece({ response_metadata: { stop_reason: 'max_tokens' } }),
    ])
    expect(reply.finish).toBe('length')
    expect(callsIn('langchain', reply.messages).map(({ id }) => id)).toEqual(ids)
    expect(callsIn('langchain', reply.left)).toHaveLength(2 - ids.length)
  })

  test('the one call of old is left out if it was too long', () => {
    const message = (args: string) =>
      new AIMessage({
        content: 'One moment.',
        additional_kwargs: { function_call: { name: 'time', arguments: args } },
        response_metadata: { finish_reason: 'length' },
      })
    const { messages, left } = read(message('{"ci')) as Reply
    expect(callsIn('langchain', messages)).toEqual([])
    expect(callsIn('langchain', left)).toMatchObject([{ name: 'time', input: '{"ci' }])
    expect(callsIn('langchain', (read(message('{}')) as Reply).messages)).toHaveLength(1)
  })

  test('a call with unreadable arguments is kept for healing', () => {
    const { reply } = fold('langchain', [piece(chunk(0, 'a', 'time', '{"ci')), piece({ response_metadata: finished })])
    expect(callsIn('langchain', reply.messages)).toMatchObject([{ id: 'a', callKind: 'invalid' }])
    expect(reply.left).toBeUndefined()
  })

  function chunk(index: number, id: string | undefined, name: string | undefined, args: string) {
    return { tool_call_chunks: [{ index, id, name, args, type: 'tool_call_chunk' as const }] }
  }

  function raw(index: number, id: string | undefined, name: string | undefined, args: string) {
    return { index, ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: args } }
  }

  const flat = (message: AIMessageChunk) => ({ ...JSON.parse(JSON.stringify(message)).kwargs, type: 'AIMessageChunk' })

  const withoutIndex = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, inner) => (key === 'index' ? undefined : inner)))

  /** What a whole chunk has that plain fields leave as it is. */
  const copied = ({ content, additional_kwargs, usage_metadata }: Added) => ({
    content,
    ...(Object.keys(additional_kwargs).length > 0 && { additional_kwargs }),
    ...(usage_metadata && { usage_metadata }),
  })
})

describe('AG-UI', () => {
  const said = {
    reasoning: 'Hm.',
    text: 'One moment.',
    calls: [{ id: 'c1', name: 'weather', json: '{"city":"Faro"}' }],
  }
  const [whole, chunked] = streamers.filter(({ format }) => format === 'ag-ui')
  const split = (text: string) => text.split(/(?<=\W)/)

  test('events and messages are those of the protocol', () => {
    for (const streamer of [whole, chunked]) {
      const events = streamer.chunks(said, split)
      for (const event of events) expect(EventSchema.safeParse(event).success).toBe(true)
      const { messages } = fold('ag-ui', events).reply
      for (const message of messages) expect(MessageSchema.safeParse(message).success).toBe(true)
      expect(messages).toEqual([
        { id: 'm0', role: 'reasoning', content: 'Hm.' },
        {
          ...{ id: 'm1', role: 'assistant', content: 'One moment.' },
          toolCalls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Faro"}' } }],
        },
      ])
    }
  })

  const events = [
    ...whole.chunks(said, split).slice(0, -1),
    { type: 'TOOL_CALL_RESULT', messageId: 'm2', toolCallId: 'c1', content: '20 degrees' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm3', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm3', delta: 'It is ' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm3', delta: 'warm.' },
    { type: 'TOOL_CALL_START', toolCallId: 'c2', toolCallName: 'time' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c2', delta: '{}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c2' },
  ]

  test('a run that is cut keeps the calls that were answered', () => {
    for (let count = 0; count <= events.length; count++) {
      const { reply } = fold('ag-ui', events.slice(0, count))
      const isAnswered = types(events.slice(0, count)).includes('TOOL_CALL_RESULT')
      expect(reply.finish).toBe('cut')
      expect(callsIn('ag-ui', reply.messages).map(({ id }) => id)).toEqual(isAnswered ? ['c1'] : [])
      const history = [
        { id: 'u', role: 'user', content: 'Go.' },
        ...reply.messages,
        { id: 'v', role: 'user', content: 'And?' },
      ]
      expect(check(history, { format: 'ag-ui' })).toEqual([])
    }
    expect(callsIn('ag-ui', fold('ag-ui', events).reply.left).map(({ id }) => id)).toEqual(['c2'])
  })

  test('a call without an id has no result', () => {
    const start = { type: 'TOOL_CALL_START', toolCallId: '', toolCallName: 'time' }
    const said = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Hi.' }
    expect(callsIn('ag-ui', fold('ag-ui', [said, start]).reply.messages)).toEqual([])
  })

  test('how a run ends is how the reply does', () => {
    const end = (outcome?: object) => fold('ag-ui', [...events, { type: 'RUN_FINISHED', outcome }]).reply
    expect(end().finish).toBe('stop')
    expect(end({ type: 'success' }).finish).toBe('stop')
    expect(end({ type: 'interrupt', interrupts: [] }).finish).toBe('pause')
    expect(end({ type: 'cancelled' }).finish).toBe('cut')
    expect(callsIn('ag-ui', end().messages)).toHaveLength(2)
    const error = { type: 'RUN_ERROR', message: 'oh no' }
    const { reply, failure } = fold('ag-ui', [...events, error])
    expect([reply.finish, failure]).toEqual(['cut', error])
  })

  test('an agent that only shows the conversation has said what is new in it', () => {
    const before = { id: 'm0', role: 'user', content: 'Go.' }
    const after = { id: 'm1', role: 'assistant', content: 'Gone.' }
    const run = [
      { type: 'RUN_STARTED', input: { messages: [before] } },
      { type: 'MESSAGES_SNAPSHOT', messages: [before, after] },
    ]
    expect(fold('ag-ui', [...run, { type: 'RUN_FINISHED' }]).reply.messages).toEqual([after])
    expect(replies['ag-ui'].read({ result: 1, newMessages: [after] })).toEqual({
      messages: [after],
      finish: 'stop',
    })
    expect(replies['ag-ui'].read(after)).toEqual({ messages: [after], finish: 'stop', id: 'm1' })
  })
})
