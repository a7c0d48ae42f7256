import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import { beforeEach, expect, test, vi } from 'vitest'
import { chatHandler, loadUIMessages } from '../../../src/integrations/ai-sdk/index.ts'
import { type Journal, openJournal } from '../../../src/journal/index.ts'
import { type ReplyScript, type Strict, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'

beforeEach(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false
})

const text = (words: string) => ({ type: 'text', text: words })
const gpt = ({ url }: Strict) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat('gpt-5')

test('[AI24] the model gets files, and outputs as toModelOutput converts them, and no parts that are for the client only', async () => {
  await using world = await start([{ calls: [{ name: 'shoot', input: { count: 2 } }] }, 'Seen.'])
  const shoot = tool({
    inputSchema: jsonSchema<{ count: number }>({ type: 'object' }),
    execute: ({ count }) => ({ secret: 'xyz', count }),
    toModelOutput: ({ input, output }) => ({ type: 'text', value: `took ${output.count} of ${input.count}` }),
  })
  const handler = chatHandler(world.journal, {
    model: ({ messages, signal, tools }) =>
      generateText({ model: gpt(world.strict), messages, tools, abortSignal: signal }),
    tools: { shoot },
  })
  const file = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=', filename: 'a.png' }
  const parts = [text('Look.'), file, { type: 'data-mood', data: { secret: 'abc' } }]
  const stream = await post(handler, { id: 'm1', role: 'user', parts })
  expect(stream).toContain('{"secret":"xyz","count":2}')
  expect(stream).toContain('Seen.')
  const [first, second] = world.strict.requests.map(
    ({ body }) => (body as { messages: { content: unknown }[] }).messages,
  )
  expect(first[0].content).toEqual([text('Look.'), { type: 'image_url', image_url: { url: file.url } }])
  expect(second.at(-1)?.content).toBe('took 2 of 2')
  expect(JSON.stringify(second)).not.toContain('secret')
  const loaded = await loadUIMessages<{ parts: unknown }>(world.journal, 'c1')
  expect(loaded[0].parts).toEqual(parts)
})

test.each([
  ['throws', () => expect.fail('no words for it')],
  ['gives back nothing', () => undefined as never],
])('[AI29] a toModelOutput that %s does not end the chat', async (_, toModelOutput) => {
  await using world = await start([{ calls: [{ name: 'look' }] }, 'Blue.', 'Yes.'])
  const look = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'blue', toModelOutput })
  const onError = vi.fn()
  const handler = chatHandler(world.journal, {
    model: ({ messages, signal, tools }) =>
      streamText({ model: gpt(world.strict), messages, tools, abortSignal: signal }),
    tools: { look },
    onError,
  })
  expect(await post(handler, { id: 'm1', role: 'user', parts: [text('Look.')] })).toContain('Blue.')
  expect(await post(handler, { id: 'm2', role: 'user', parts: [text('Really?')] })).toContain('Yes.')
  expect(onError).toHaveBeenCalledTimes(2)
  expect(JSON.stringify(world.strict.requests[1].body)).toContain('"content":"blue"')
  expect(world.strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
})

test.each(['steer', 'interrupt'] as const)(
  '[AI24] with %s, a message sent while a tool runs is added in its place',
  async whenBusy => {
    await using world = await start([{ text: 'I look.', calls: [{ name: 'look' }] }, 'Black.'])
    let begin = () => {}
    let end = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const look = vi.fn(
      (_: object, { abortSignal }: { abortSignal?: AbortSignal }) =>
        new Promise<string>(resolve => {
          end = () => resolve('blue')
          abortSignal?.addEventListener('abort', end)
          begin()
        }),
    )
    const handler = chatHandler(world.journal, {
      model: ({ messages, signal, tools }) =>
        streamText({ model: gpt(world.strict), messages, tools, abortSignal: signal }),
      tools: { look: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: look }) },
      whenBusy,
    })
    const first = post(handler, { id: 'm1', role: 'user', parts: [text('What colour is the sky?')] })
    await begun
    const second = post(handler, { id: 'm2', role: 'user', parts: [text('At night.')] })
    if (whenBusy === 'steer') {
      await eventually(async () => expect(await loadUIMessages(world.journal, 'c1')).toHaveLength(3))
      end()
    }
    expect(await first).toContain(whenBusy === 'steer' ? '"output":"blue"' : '"type":"abort"')
    expect(await second).toContain('Black.')
    const loaded = await loadUIMessages<{ role: string }>(world.journal, 'c1')
    expect(loaded.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(world.strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted'])
    expect(look).toHaveBeenCalledTimes(1)
  },
)

test('[AI24] input from elsewhere is shown, and the work of a worker is streamed', async () => {
  await using world = await start(['Hello.'])
  const model = ({ messages, signal }: { messages: never[]; signal: AbortSignal }) =>
    streamText({ model: gpt(world.strict), messages, abortSignal: signal })
  // A tool of the client, which the library types as one whose execute is undefined.
  const locate = tool({ inputSchema: jsonSchema<object>({ type: 'object' }) })
  const handler = chatHandler(world.journal, { model, tools: { locate } })
  await world.journal.thread('c1', { for: 'lenient', format: 'ai-sdk' }).submit('Say hello.')
  const response = await handler(new Request('http://site/api/chat/c1/stream'))
  expect(await response.text()).toContain('"delta":"Hello."')
  expect(await loadUIMessages(world.journal, 'c1')).toMatchObject([
    { role: 'user', parts: [text('Say hello.')] },
    { role: 'assistant', parts: [{ type: 'step-start' }, { ...text('Hello.'), state: 'done' }] },
  ])
})

test('[AI41] with compact a long chat is summarized for the model, the client keeps all of it, and a summary that fails is reported', async () => {
  const long = 'So it goes on. '.repeat(40)
  await using world = await start([long, 'Two.', 'Three.'])
  const onError = vi.fn()
  let summaries = 0
  const handler = chatHandler(world.journal, {
    model: ({ messages, signal }) => generateText({ model: gpt(world.strict), messages, abortSignal: signal }),
    compact: {
      ...{ atTokens: 100, keepTurns: 1 },
      summarize: ({ messages }) => {
        if (++summaries === 1) throw new Error('no words for it')
        return `It went on, in ${messages.length} messages.`
      },
    },
    onError,
  })
  for (const [index, answer] of [long, 'Two.', 'Three.'].entries())
    expect(await post(handler, { id: `m${index}`, role: 'user', parts: [text('More?')] })).toContain(answer.trim())
  const [, second, third] = world.strict.requests.map(({ body }) => JSON.stringify(body))
  expect(second).toContain(long)
  expect(third).toContain('It went on, in 4 messages.')
  expect(third).not.toContain(long)
  expect(onError.mock.calls).toMatchObject([[{ message: 'no words for it' }]])
  expect(await loadUIMessages(world.journal, 'c1')).toHaveLength(6)
})

async function post(handler: (request: Request) => Promise<Response>, message: object): Promise<string> {
  const body = JSON.stringify({ id: 'c1', message })
  return (await handler(new Request('http://site/api/chat', { method: 'POST', body }))).text()
}

async function start(script: ReplyScript): Promise<{ strict: Strict; journal: Journal } & AsyncDisposable> {
  const strict = await startStrict({ script })
  const journal = await openJournal('memory:')
  return {
    ...{ strict, journal },
    async [Symbol.asyncDispose]() {
      await journal.close()
      await strict.close()
    },
  }
}
