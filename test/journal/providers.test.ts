import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import type { DialectId } from '../../src/index.ts'
import type { ModelRequest } from '../../src/journal/ask-models.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { run } from '../../src/journal/run.ts'
import type { RunEvent } from '../../src/journal/run-event.ts'
import type { Thread } from '../../src/journal/thread.ts'
import { type FailureMode, type ReplyContent, type Strict, startStrict } from '../../src/strict/index.ts'
import { type Asker, askers } from '../codecs/replies-clients.ts'
import { readers } from '../strict/readers.ts'
import { refusalOf } from './invariants/prefixes.ts'

/** A real client library in front of a strict provider. */
interface Client {
  readonly name: string
  readonly skipsMalformed?: true
  readonly thread: { readonly for: DialectId; readonly format: Asker['format']; readonly model?: string }
  /** Those who think only when they are told to may be told not to. */
  ask(url: string, request: ModelRequest, thinks?: boolean): unknown
}

const ways = askers.flatMap((asker): Client[] => {
  const thread = { for: asker.reader, format: asker.format, model: asker.model }
  return [
    {
      name: `${asker.name}, whole`,
      thread,
      ask: (url, { messages }, thinks = true) => asker.whole(url, messages, thinks),
    },
    {
      name: `${asker.name}, streamed`,
      ...(asker.skipsMalformed && { skipsMalformed: true }),
      thread,
      ask: (url, { messages }, thinks = true) => asker.stream(url, messages, thinks),
    },
  ]
})

const models: Record<string, [DialectId, (url: string) => LanguageModel]> = {
  'openai chat': ['openai', url => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat('gpt-5')],
  'openai responses': [
    'openai-responses',
    url => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).responses('gpt-5'),
  ],
  anthropic: ['anthropic', url => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' })('claude-opus-4-5')],
  google: ['gemini', url => createGoogle({ baseURL: `${url}/v1beta`, apiKey: 'any' })('gemini-3-pro')],
}

// What the library tells developers about providers who differ is not tested here.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const inputSchema = jsonSchema({ type: 'object', properties: { city: { type: 'string' } } })
const declared: ToolSet = { faultPlan: tool({ inputSchema }), time: tool({ inputSchema }) }

const aiSdk = Object.entries(models).flatMap(([name, [reader, model]]): Client[] => {
  const thread = { for: reader, format: 'ai-sdk' } as const
  const options = (url: string, { messages, signal }: ModelRequest, thinks = true) => ({
    ...{ model: model(url), messages: messages as ModelMessage[], tools: declared, maxRetries: 0, abortSignal: signal },
    ...(thinks && { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } } }),
  })
  return [
    { name: `ai-sdk ${name}, whole`, thread, ask: (...asked) => generateText(options(...asked)) },
    {
      name: `ai-sdk ${name}, streamed`,
      thread,
      ask: (...asked) => streamText({ ...options(...asked), onError: () => {} }),
    },
  ]
})

const clients = [...ways, ...aiSdk]
const streaming = clients.filter(({ name }) => name.endsWith('streamed'))

const tools = {
  faultPlan: {
    execute({ city }: { city?: string }) {
      if (city === 'Nowhere') throw new Error('There is no such place.')
      return { city, sunny: true }
    },
  },
  time: { execute: ({ city }: { city?: string }) => `noon in ${city ?? 'all places'}` },
}

const firstTurn: ReplyContent[] = [
  {
    thinking: 'I need to look at three places.',
    text: 'One moment.',
    calls: [
      { name: 'faultPlan', input: { city: 'Lisbon' } },
      { name: 'time', input: { city: 'Porto' } },
      { name: 'faultPlan', input: { city: 'Nowhere' } },
    ],
  },
  { thinking: 'And at one more.', calls: [{ name: 'time', input: {} }] },
  { text: 'It is sunny.' },
]

describe.each(clients)('$name', client => {
  test('[B190] turns with tools, parallel calls and thinking: the provider accepts every request', async () => {
    const more = { thinking: 'Look again.', calls: [{ name: 'time', input: {} }] }
    await using scene = await open(client, [...firstTurn, more, { text: 'Noon.' }])
    const { thread, strict, model } = scene
    await thread.submit('How is it there?')
    expect(await run(thread, { model, tools })).toEqual({ status: 'done', turn: 1 })
    await thread.submit('And what time is it?')
    expect(await run(thread, { model, tools })).toEqual({ status: 'done', turn: 2 })
    expect(verdicts(strict)).toEqual(Array.from({ length: 5 }, () => 'accepted'))
    const told = JSON.stringify(strict.requests.at(-1)?.body)
    for (const words of ['Lisbon', 'noon in Porto', 'There is no such place.', 'noon in all places', 'It is sunny.'])
      expect(told).toContain(words)
    expect(await thread.status()).toMatchObject({ state: 'idle', openCalls: 0 })
  })
})

describe.each(streaming)('$name', client => {
  test('[B191] streamed content is reported chunk by chunk, and adds up to what is recorded', async () => {
    await using scene = await open(client, firstTurn)
    const events: RunEvent[] = []
    await scene.thread.submit('How is it there?')
    await run(scene.thread, { model: scene.model, tools, onEvent: event => events.push(event) })
    const text = events.flatMap(event =>
      event.kind === 'delta' && event.delta.kind === 'text' ? event.delta.text : [],
    )
    expect(text.join('')).toBe('One moment.It is sunny.')
    const kinds = events
      .map(({ kind }) => kind)
      .filter((kind, index, all) => kind !== 'delta' || all[index - 1] !== 'delta')
    expect(kinds).toEqual([
      ...['turn-start', 'input', 'delta', 'response', 'call-start', 'call-start', 'call-start'],
      ...['result', 'result', 'result', 'delta', 'response', 'call-start', 'result', 'delta', 'response', 'turn-end'],
    ])
  })

  const modes: FailureMode[] = [
    'overload',
    'rate-limit:stream',
    'cut',
    ...(client.skipsMalformed ? [] : ['malformed' as const]),
  ]
  test.each(modes)('[B192] %s: the turn fails with the error, and the next turn continues', async fail => {
    await using scene = await open(client, [
      { text: 'Let me see what it is like there at this time of day.', calls: [{ name: 'time', input: {} }], fail },
      { text: 'Here I am.' },
    ])
    const { thread, strict, model } = scene
    await thread.submit('How is it there?')
    await expect(run(thread, { model, tools })).rejects.toBeInstanceOf(Error)
    expect(await thread.status()).toMatchObject({ last: { turn: 1, status: 'failed' }, openCalls: 0 })
    await thread.submit('Well?')
    expect(await run(thread, { model, tools })).toEqual({ status: 'done', turn: 2 })
    expect(strict.requests.at(-1)?.verdict).toBe('accepted')
    expect(JSON.stringify(strict.requests.at(-1)?.body)).not.toContain('"time","input"')
  })

  test('[B193] it can be interrupted in the middle of a stream', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')
    await using scene = await open(client, [{ text: words, fail: 'slow:5' }, { text: 'Yes?' }])
    const { thread, strict, model } = scene
    await thread.submit('Tell me a story.')
    const onEvent = ({ kind }: RunEvent): void => {
      if (kind === 'delta') void thread.interrupt('enough')
    }
    expect(await run(thread, { model, tools, onEvent })).toEqual({ status: 'interrupted', turn: 1 })
    await thread.submit('Stop.')
    expect(await run(thread, { model, tools })).toEqual({ status: 'done', turn: 2 })
    expect(strict.requests.at(-1)?.verdict).toBe('accepted')
    expect(JSON.stringify(await thread.messages())).not.toContain('word39')
  })
})

describe('a switch of the model', () => {
  test('[B194] every provider can continue a thread that another one began', async () => {
    await using scene = await open(clients[0], [])
    const { journal, strict } = scene
    const order = [...clients, ...clients.toReversed()]
    for (const [index, client] of order.entries()) {
      strict.script([
        { thinking: 'Look.', calls: [{ name: 'time', input: { city: `city ${index}` } }] },
        { text: `Said ${index}.` },
      ])
      const thread = journal.thread('t', client.thread)
      await thread.submit(`Question ${index}?`)
      const model = (request: ModelRequest) => client.ask(strict.url, request)
      expect(await run(thread, { model, tools }), client.name).toEqual({ status: 'done', turn: index + 1 })
    }
    expect(verdicts(strict)).toEqual(Array.from({ length: 2 * order.length }, () => 'accepted'))
    const last = JSON.stringify(strict.requests.at(-1)?.body)
    for (const index of order.keys()) expect(last).toContain(`noon in city ${index}`)
  })

  test.each(clients)(
    '[B195] calls that $name left open can be rendered for all others, and finished by the next',
    async client => {
      await using scene = await open(client, firstTurn.slice(0, 1))
      const { journal, thread, strict, model } = scene
      await thread.submit('How is it there?')
      const halfTools = { faultPlan: {}, time: { approval: true, execute: () => 'noon' } }
      expect(await run(thread, { model, tools: halfTools })).toEqual({ status: 'parked', turn: 1 })
      const [lisbon, porto, nowhere] = await thread.openCalls()
      await expectReadByAll(thread, strict)
      await thread.settle(nowhere.id, 'There is no such place.', { error: true })
      await thread.approve(porto.id)
      await expectReadByAll(thread, strict)
      await thread.settle(lisbon.id, { sunny: true })
      const next = clients[(clients.indexOf(client) + 5) % clients.length]
      strict.script([{ text: 'It is sunny.' }])
      const going = run(journal.thread('t', next.thread), {
        // A model that thinks needs its own reasoning in front of the open calls.
        model: request => next.ask(strict.url, request, false),
        tools: halfTools,
      })
      expect(await going).toEqual({ status: 'done', turn: 1 })
      expect(verdicts(strict)).toEqual(['accepted', 'accepted'])
      await expectReadByAll(thread, strict)
    },
  )
})

async function expectReadByAll(thread: Thread, { state }: Strict): Promise<void> {
  for (const reader of readers) {
    const messages = await thread.messages({ for: reader.dialect, format: reader.format, model: reader.model })
    expect(refusalOf(messages, reader, state), `${reader.dialect} in ${reader.format}`).toBeUndefined()
  }
}

interface Scene extends AsyncDisposable {
  readonly journal: Journal
  readonly thread: Thread
  readonly strict: Strict
  model(request: ModelRequest): unknown
}

async function open(client: Client, script: ReplyContent[]): Promise<Scene> {
  const strict = await startStrict({ script })
  const journal = await openJournal('memory:')
  return {
    journal,
    strict,
    thread: journal.thread('t', client.thread),
    model: request => client.ask(strict.url, request),
    async [Symbol.asyncDispose]() {
      await strict.close()
      await journal.close()
    },
  }
}

const verdicts = ({ requests }: Strict): unknown[] => requests.map(({ verdict }) => verdict)
