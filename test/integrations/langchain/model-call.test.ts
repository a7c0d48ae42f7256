import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { createAgent, createMiddleware, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { png } from '../../../src/core/rules/example-media.ts'
import {
  healMessages,
  healMiddleware,
  type LangChainOptions,
  type LangChainReport,
} from '../../../src/integrations/langchain/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { type FailureName, failures, healthy, type Said } from '../fetch/failures.ts'
import { type ModelKind, modelAt } from './models.ts'
import { messagesOf } from './said.ts'

const bash = tool(() => 'done', { name: 'bash', description: 'Runs a command.', schema: z.object({}) })

/** Each failure of the demo with the provider that it is told of, and others that refuse it too. */
const refused: readonly (readonly [FailureName, ModelKind])[] = [
  ['orphan', 'openai'],
  ['split', 'openai'],
  ['interrupt', 'anthropic'],
  ['system', 'local-qwen'],
  ['crash', 'anthropic'],
  ['unanswered', 'openai'],
  ['unanswered', 'anthropic'],
  ['unanswered', 'openai-responses'],
  ['orphan', 'openai-responses'],
  ['orphan', 'anthropic'],
  ['interrupt', 'openai'],
  ['crash', 'openai'],
  ['orphan', 'mistral'],
]

test.each(refused.flatMap(([failure, kind]) => [false, true].map(stream => ({ failure, kind, stream }))))(
  '[LC1] $failure at $kind, streaming $stream: 400 without the middleware and 200 with it',
  async ({ failure, kind, stream }) => {
    const without = await ask(kind, failures[failure], { stream })
    expect(without.error).toBeInstanceOf(Error)
    expect(without.verdicts).toMatchObject([{ status: 400 }])
    const reports: LangChainReport[] = []
    const healed = await ask(kind, failures[failure], { stream, heal: { onRepair: report => reports.push(report) } })
    expect(healed).toMatchObject({ error: undefined, verdicts: ['accepted'] })
    expect(reports).toHaveLength(1)
  },
)

test.each(['openai', 'anthropic', 'openai-responses', 'local-qwen'] as const)(
  '[LC2] what %s accepts goes on as it is: the very same list and objects',
  async kind => {
    const messages = messagesOf(healthy)
    const seen: (readonly BaseMessage[])[] = []
    const around = ['before', 'after'].map(name =>
      createMiddleware({
        name,
        wrapModelCall: (request, handler) => {
          seen.push(request.messages)
          return handler(request)
        },
      }),
    )
    await using strict = await startStrict({ script: ['Good.'] })
    const middleware = [around[0], healMiddleware({ onError: fail, onRepair: fail }), around[1]]
    await createAgent({ model: modelAt(strict.url, kind), tools: [bash], middleware }).invoke({ messages })
    expect(seen).toHaveLength(2)
    expect(seen[1]).toBe(seen[0])
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted'])
  },
)

test('[LC2] of a broken history, the messages that are in order go on as the same objects', async () => {
  const messages = messagesOf(failures.unanswered)
  const healed = await healMessages(messages, { for: 'openai' })
  expect(healed).toHaveLength(4)
  expect(messages.every(message => healed.includes(message))).toBe(true)
})

test.each([undefined, 'You are brief.'])(
  '[LC3] words of the system are read with the rest: systemPrompt %s',
  async systemPrompt => {
    const asked = await ask('local-qwen', failures.system, {
      heal: {},
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    })
    expect(asked).toMatchObject({ error: undefined, verdicts: ['accepted'] })
    const [body] = asked.bodies as { messages: { role: string; content: unknown }[] }[]
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'tool'])
    const words = JSON.stringify(body.messages[0].content)
    for (const text of [systemPrompt ?? '', 'You are a travel agent.']) expect(words).toContain(text)
  },
)

test('[LC4] calls of tools that the agent does not have are declared where the provider insists on it', async () => {
  const without = await ask('anthropic', healthy, { tools: [] })
  expect(without.verdicts).toMatchObject([{ status: 400 }])
  const healed = await ask('anthropic', healthy, { tools: [], heal: {} })
  expect(healed).toMatchObject({ error: undefined, verdicts: ['accepted'] })
})

test('[LC5] the caller may name the reader, and a name that does not exist is refused at once', async () => {
  const reports: LangChainReport[] = []
  const id = failures.unanswered.map(said => ('call' in said ? { ...said, call: 'call_that_is_long' } : said))
  await ask('openai', id, { heal: { for: 'mistral', onRepair: report => reports.push(report) } })
  expect(reports).toMatchObject([{ dialect: 'mistral', model: 'gpt-5', changed: true }])
  expect(() => healMiddleware({ for: 'nobody' as never })).toThrow('unknown dialect "nobody"')
  expect(() => healMiddleware({ allow: ['everything'] as never })).toThrow('unknown value of allow: "everything"')
})

test('[LC6] a question never fails because of healing: the original goes on, and onError hears of it', async () => {
  const errors: unknown[] = []
  const messages = messagesOf(healthy)
  Object.defineProperty(messages[0], 'content', {
    get: () => {
      throw new Error('unreadable')
    },
  })
  expect(await healMessages(messages, { for: 'openai', onError: error => errors.push(error) })).toBe(messages)
  expect(errors).toMatchObject([{ message: 'unreadable' }])
  const deaf = {
    onRepair: () => {
      throw new Error('deaf')
    },
  }
  const healed = await ask('openai', failures.unanswered, { heal: deaf })
  expect(healed).toMatchObject({ error: undefined, verdicts: ['accepted'] })
})

test('[LC7] nodes that ask a model themselves heal with healMessages', async () => {
  await using strict = await startStrict({ script: ['Good.'] })
  const model = modelAt(strict.url, 'anthropic')
  const messages = messagesOf(failures.interrupt)
  const bound = model.bindTools?.([bash]) ?? model
  await expect(bound.invoke(messages)).rejects.toThrow()
  const reports: LangChainReport[] = []
  const healed = await healMessages(messages, { model: bound, onRepair: report => reports.push(report) })
  expect((await bound.invoke(healed)).text).toBe('Good.')
  expect(reports).toMatchObject([{ dialect: 'anthropic', model: 'claude-sonnet-4-5' }])
  expect(await healMessages(healed, { model: bound })).toBe(healed)
})

interface Manner {
  readonly stream?: boolean
  readonly heal?: LangChainOptions
  readonly tools?: readonly (typeof bash)[]
  readonly systemPrompt?: string
}

async function ask(kind: ModelKind, said: readonly Said[] | BaseMessage[], manner: Manner) {
  await using strict = await startStrict({ script: ['Good.'] })
  const { stream = false, heal, tools = [bash], systemPrompt } = manner
  const agent = createAgent({
    model: modelAt(strict.url, kind),
    tools: [...tools],
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    middleware: heal ? [healMiddleware({ onError: fail, ...heal })] : [],
  })
  const messages = said.map((message, index) =>
    'who' in message ? messagesOf([message])[0] : said[index],
  ) as BaseMessage[]
  const asking = async () => {
    if (!stream) return agent.invoke({ messages })
    for await (const _ of await agent.stream({ messages }, { streamMode: 'messages' }));
  }
  const error = await asking().then(
    () => undefined,
    (error: unknown) => error,
  )
  return {
    error,
    verdicts: strict.requests.map(({ verdict }) => verdict),
    bodies: strict.requests.map(({ body }) => body),
  }
}

function fail(error: unknown): never {
  throw error
}

test('[LM8] images beyond the limits are texts in the first request, in every form that LangChain has for them', async () => {
  const [tall, fine] = [png(100, 12_000), png(100, 100)]
  const forms = (data: string) => [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    { type: 'image', mimeType: 'image/png', data },
    { type: 'image', source_type: 'base64', mime_type: 'image/png', data },
  ]
  for (const kind of ['healMessages', 'healMiddleware'] as const) {
    await using strict = await startStrict({ provider: 'anthropic', script: ['Good.'] })
    const model = modelAt(strict.url, 'anthropic')
    const messages = [
      new HumanMessage({ content: [...forms(tall), ...forms(fine).slice(0, 2)] as never }),
      new AIMessage({ content: '', tool_calls: [{ id: 'toolu_1', name: 'bash', args: {} }] }),
      new ToolMessage({ tool_call_id: 'toolu_1', content: forms(tall).slice(0, 2) as never }),
    ]
    const reports: LangChainReport[] = []
    const options = { onRepair: (report: LangChainReport) => reports.push(report), onError: fail }
    if (kind === 'healMessages') {
      const healed = await healMessages(messages, { model, ...options })
      expect(healed[1]).toBe(messages[1])
      expect(healed[0]).toBeInstanceOf(HumanMessage)
      await model.bindTools?.([bash]).invoke(healed)
    } else await createAgent({ model, tools: [bash], middleware: [healMiddleware(options)] }).invoke({ messages })
    const body = JSON.stringify(strict.requests[0].body)
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted'])
    expect(body.match(/image removed: image\/png, 100x12000 px/g)).toHaveLength(6)
    expect(body.split(fine)).toHaveLength(3)
    expect(JSON.stringify(messages)).toContain(tall)
    expect(reports[0].repairs.map(({ rule }) => rule)).toEqual(Array(6).fill('oversized-image'))
  }
})

test('[LM12] images beyond the limits are resized by the caller, each once, also for later calls', async () => {
  const [tall, small] = [png(100, 12_000), png(80, 60)]
  const forms = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${tall}` } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: tall } },
    { type: 'image', mimeType: 'image/png', data: tall },
  ]
  const limits: unknown[] = []
  const resize: NonNullable<LangChainOptions['resize']> = async ({ limit: { side } }) => {
    limits.push(side)
    return { data: Uint8Array.from(atob(small), letter => letter.charCodeAt(0)), mediaType: 'image/png' }
  }
  await using strict = await startStrict({ provider: 'anthropic', script: ['Good.', 'Good.', 'Good.'] })
  const model = modelAt(strict.url, 'anthropic')
  const messages = [new HumanMessage({ content: forms as never })]
  const options = { onRepair() {}, onError: fail, resize }
  await model.invoke(await healMessages(messages, { model, ...options }))
  await model.invoke(await healMessages(messages, { model, ...options }))
  await createAgent({ model, tools: [bash], middleware: [healMiddleware(options)] }).invoke({ messages })
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
  for (const { body } of strict.requests) expect(JSON.stringify(body).split(small)).toHaveLength(4)
  expect(limits).toEqual([8000])
})
