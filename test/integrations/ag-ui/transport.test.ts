import { type BaseEvent, EventType, HttpAgent, type RunAgentInput } from '@ag-ui/client'
import { AGUI_MEDIA_TYPE } from '@ag-ui/encoder'
import { GoogleGenAI } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { type AgUiOptions, type AgUiRun, agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { clientOf, models, openScene, providers, shapes, thinking, types, verdicts } from './scene.ts'

const tools = { weather: { execute: () => 'sunny' } }
const input: RunAgentInput = {
  ...{ threadId: 't', runId: 'r', tools: [], context: [] },
  messages: [{ id: 'm', role: 'user', content: 'Hello' }],
}
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })

describe('[AG18] the transport', () => {
  test('[AG18] text for everybody, bytes for those who name them', async () => {
    const calls = [{ name: 'weather', input: { city: 'Porto' } }]
    await using scene = await openScene([{ ...thinking.anthropic, text: 'Look.', calls }, 'Sunny.', 'Yes.'], {
      ...{ provider: 'anthropic', tools },
    })
    class BinaryAgent extends HttpAgent {
      protected override requestInit(input: RunAgentInput): RequestInit {
        const init = super.requestInit(input)
        return { ...init, headers: { ...init.headers, Accept: `${AGUI_MEDIA_TYPE}, text/event-stream;q=0.5` } }
      }
    }
    const binary = clientOf(new BinaryAgent({ url: scene.url, threadId: 't' }))
    expect(await binary.say('How is it?')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(shapes(binary.agent.messages)).toEqual([
      'user',
      'assistant: Look.',
      'weather',
      'tool: sunny',
      'assistant: Sunny.',
    ])
    const response = await post(scene.url, input, { accept: '*/*' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect((await response.text()).split('\n\n')[0]).toMatch(/^data: \{"type":"RUN_STARTED"/)
    expect(scene.errors).toEqual([])
  })

  test.each<[string, unknown]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no thread', { ...input, threadId: '' }],
    ['no run', { ...input, runId: undefined }],
    ['no messages', { ...input, messages: 'hello' }],
    ['a message without an id', { ...input, messages: [{ role: 'user', content: 'Hello' }] }],
    ['tools that are not a list', { ...input, tools: {} }],
    ['a tool without a name', { ...input, tools: [{}] }],
    ['an answer without a status', { ...input, resume: [{ interruptId: 'i' }] }],
  ])('[AG18] %s: refused with 400 before a run begins, and nothing is written', async (_, body) => {
    await using scene = await openScene(['Hello.'], { tools })
    const response = await post(scene.url, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: { message: expect.any(String) } })
    expect(await scene.thread.status()).toMatchObject({ state: 'idle', waiting: 0 })
  })

  test('[AG18] only POST, and what may be left out may be left out', async () => {
    await using scene = await openScene(['Hello.'], { tools })
    expect((await fetch(scene.url)).status).toBe(405)
    const { tools: _, context: __, ...least } = input
    const body = await (await post(scene.url, { ...least, unheardOf: true })).text()
    expect(body).toContain('RUN_FINISHED')
  })

  test.each([undefined, null, '', false])('[AG30] a thread that is %j belongs to nobody', async name => {
    await using scene = await openScene(['Hello.'], { tools, threadFor: () => name as undefined })
    expect((await post(scene.url, input)).status).toBe(403)
    expect(scene.strict.requests).toEqual([])
  })

  test('[AG31] one who has gone before its run begins is not answered, and its words wait', async () => {
    await using scene = await openScene(['Hello.'], { tools })
    const leaving = new AbortController()
    const handler = agUiHandler(scene.journal, {
      model: () => expect.fail('nobody is asked'),
      async threadFor({ threadId }) {
        leaving.abort()
        return threadId
      },
    })
    const init = { method: 'POST', body: JSON.stringify(input), signal: leaving.signal }
    await (await handler(new Request(scene.url, init))).text()
    expect(await scene.thread.status()).toMatchObject({ state: 'waiting', waiting: 1 })
    await post(scene.url, { ...input, runId: 'again' }).then(response => response.text())
    expect(await scene.thread.status()).toMatchObject({ state: 'idle', last: { status: 'done' } })
  })

  test('[AG18] a client has the threads that it is given, and no others', async () => {
    const threadFor: AgUiOptions['threadFor'] = ({ threadId }, request) => {
      const user = request.headers.get('x-user')
      if (user === 'broken') throw new Error('no users today')
      return user ? `${user}/${threadId}` : undefined
    }
    await using scene = await openScene(['Hello.'], { tools, threadFor })
    expect((await post(scene.url, input)).status).toBe(403)
    expect((await post(scene.url, input, { 'x-user': 'broken' })).status).toBe(500)
    expect(await (await post(scene.url, input, { 'x-user': 'ann' })).text()).toContain('RUN_FINISHED')
    const names: string[] = []
    for await (const { name } of scene.journal.threads()) names.push(name)
    expect(names).toContain('ann/t')
    expect(await scene.journal.thread('t').messages()).toEqual([])
  })

  test('[AG18] while nothing happens a comment keeps the connection', async () => {
    let end = (): void => {}
    const waits = (resolve: (result: string) => void): void => {
      end = () => resolve('sunny')
    }
    const slow = { weather: { execute: () => new Promise(waits) } }
    await using scene = await openScene([{ calls: [{ name: 'weather', input: {} }] }, 'Sunny.'], {
      ...{ tools: slow, keepAliveMs: 5 },
    })
    const response = await post(scene.url, input)
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      if (text.includes(': keep-alive')) end()
    }
    expect(text).toContain('RUN_FINISHED')
  })
})

describe('[AG19] the application in a run', () => {
  test('[AG19] the model and the tools get what the client sent, and share its state', async () => {
    const asked: unknown[] = []
    const counting = {
      weather: {
        execute(_: unknown, { run }: { run: AgUiRun }) {
          const { count } = run.state as { count: number }
          run.setState({ count: count + 1 })
          run.send({ type: EventType.CUSTOM, name: 'seen', value: run.input.forwardedProps })
          return 'sunny'
        },
      },
    }
    let url = ''
    const model: AgUiOptions['model'] = request => {
      asked.push([request.state, request.input.context])
      return models.openai(url)(request)
    }
    await using scene = await openScene([{ calls: [{ name: 'weather', input: {} }] }, 'Sunny.'], {
      model,
      tools: counting,
    })
    url = scene.strict.url
    const { agent, events, say } = scene.agent()
    agent.setState({ count: 1 })
    await say('How is it?', { context: [{ description: 'where', value: 'here' }], forwardedProps: { page: 7 } })
    const context = [{ description: 'where', value: 'here' }]
    expect(asked).toEqual([
      [{ count: 1 }, context],
      [{ count: 2 }, context],
    ])
    expect(agent.state).toEqual({ count: 2 })
    expect(events).toContainEqual({ type: 'CUSTOM', name: 'seen', value: { page: 7 } })
  })

  test('[AG19] a run that waits for an answer leaves the state with the client', async () => {
    const gated = { weather: { approval: true, execute: () => 'sunny' } }
    await using scene = await openScene([{ calls: [{ name: 'weather', input: {} }] }, 'Sunny.'], { tools: gated })
    const { agent, events, say } = scene.agent()
    agent.setState({ draft: 1 })
    await say('How is it?')
    expect(events.at(-2)).toEqual({ type: 'STATE_SNAPSHOT', snapshot: { draft: 1 } })
  })

  test('[AG19] it cannot send what the handler tells itself', async () => {
    const refused: unknown[] = []
    const lying = {
      weather: {
        execute(_: unknown, { run }: { run: AgUiRun }) {
          try {
            run.send({ type: EventType.RUN_FINISHED, threadId: 't', runId: 'r' })
          } catch (error) {
            refused.push(error)
          }
          return 'sunny'
        },
      },
    }
    await using scene = await openScene([{ calls: [{ name: 'weather', input: {} }] }, 'Sunny.'], { tools: lying })
    const { agent, say } = scene.agent()
    await say('How is it?')
    expect(refused).toMatchObject([{ code: 'reserved-event' }])
    expect(shapes(agent.messages).at(-1)).toBe('assistant: Sunny.')
  })

  test('[AG19] what the model thinks is shown, or not', async () => {
    const script = [{ ...thinking.anthropic, text: 'Hello.' }]
    await using shown = await openScene(script, { provider: 'anthropic', tools })
    const one = shown.agent()
    await one.say('Hello')
    expect(one.agent.messages.map(({ role }) => role)).toEqual(['user', 'reasoning', 'assistant'])
    expect(types(one.events)).toContain('REASONING_MESSAGE_CONTENT')
    await using hidden = await openScene(script, { provider: 'anthropic', tools, reasoning: false })
    const other = hidden.agent()
    await other.say('Hello')
    expect(other.agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(JSON.stringify(other.events)).not.toContain('Let me see')
  })
})

test.each(providers)('[AG25] the usage of all calls of a run of %s is added up', async provider => {
  const usage = { input: 100, output: 20 }
  const calls = [{ name: 'weather', input: {} }]
  await using scene = await openScene(
    [
      { ...thinking[provider], calls, usage },
      { text: 'Sunny.', usage },
    ],
    {
      ...{ provider, tools },
    },
  )
  const { say } = scene.agent()
  expect(await say('How is it?')).toMatchObject({
    usage: [{ provider, inputTokens: 200, outputTokens: 40, totalTokens: 240 }],
  })
})

describe('[AG26] every call and every message has an id of its own', () => {
  const ids = (events: readonly BaseEvent[]): unknown[] =>
    events.filter(({ type }) => type === 'TOOL_CALL_START').map(({ toolCallId }) => toolCallId)

  test('[AG26] where a provider gives the same one again', async () => {
    const calls = [
      { name: 'weather', input: { city: 'Porto' }, id: 'call_same' },
      { name: 'weather', input: { city: 'Faro' }, id: 'call_other' },
    ]
    const again = [{ name: 'weather', input: { city: 'Lisbon' }, id: 'call_same' }]
    await using scene = await openScene([{ calls }, { calls: again }, 'Sunny.'], { tools })
    const { agent, events, say } = scene.agent()
    await say('How is it?')
    expect(new Set(ids(events)).size).toBe(3)
    expect(shapes(agent.messages)).toEqual([
      ...['user', 'weather, weather', 'tool: sunny', 'tool: sunny', 'weather', 'tool: sunny', 'assistant: Sunny.'],
    ])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted'])
  })

  test('[AG26] and where it gives none, also to a tool of the client', async () => {
    const calls = [
      { name: 'weather', input: {} },
      { name: 'show', input: {} },
    ]
    let url = ''
    const model: AgUiOptions['model'] = ({ messages }) =>
      new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } }).models.generateContentStream({
        model: 'gemini-2.5-flash',
        contents: messages,
        config: { tools: [{ functionDeclarations: [{ name: 'weather' }, { name: 'show' }] }] },
      })
    await using scene = await openScene([{ calls }, 'Sunny.'], { tools, model, thread: { for: 'gemini' } })
    url = scene.strict.url
    const { agent, events, say, go } = scene.agent()
    const parameters = { tools: [{ name: 'show', description: 'Shows it.', parameters: {} }] }
    await say('How is it?', parameters)
    const [, shown] = ids(events) as string[]
    expect(new Set(ids(events)).size).toBe(2)
    agent.addMessage({ id: 'brought', role: 'tool', toolCallId: shown, content: 'shown' })
    await go(parameters)
    expect(shapes(agent.messages)).toEqual(['user', 'weather, show', 'tool: sunny', 'tool: shown', 'assistant: Sunny.'])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted'])
  })
})
