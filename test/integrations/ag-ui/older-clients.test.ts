import * as core1 from '@ag-ui/core'
import { EventEncoder } from '@ag-ui/encoder'
import * as client0 from 'ag-ui-client-0'
import { expect, test } from 'vitest'
import { textEncoder } from '../../../src/integrations/ag-ui/encode-events.ts'
import { EventType } from '../../../src/integrations/ag-ui/event-type.ts'
import { clientOf, clients, openScene, type Scene, shapes, thinking, verdicts } from './scene.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const clientTools = { tools: [{ name: 'show', description: 'Shows a map.', parameters }] }
const tools = { weather: { execute: () => 'sunny' }, book: { approval: true, execute: () => 'booked' } }

/** A client of 0.0.59, and every event as it was sent to it, before its schemas have dropped anything. */
function olderClient({ url }: Scene) {
  const sent: Record<string, unknown>[] = []
  const record = async (asked: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(asked, init)
    const [body, copy] = (response.body as ReadableStream<Uint8Array>).tee()
    void new Response(copy).text().then(text => sent.push(...eventsIn(text)))
    return new Response(body, response)
  }
  const agent = new clients['0.0.59']({ url, threadId: 't', fetch: record })
  return { ...clientOf(agent), sent }
}

const eventsIn = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''))

/** Its schemas keep the fields of an event that they do not know, and drop those of what is in it. */
function expectKnown(sent: readonly Record<string, unknown>[]): void {
  expect(sent.length).toBeGreaterThan(0)
  for (const event of sent) {
    expect(client0.EventSchemas.parse(event)).toEqual(event)
    const { shape } = client0.EventSchemas.optionsMap.get(event.type as never) as { shape: object }
    expect(Object.keys(event).filter(name => !(name in shape))).toEqual([])
  }
}

test.each(['openai', 'anthropic'] as const)(
  '[AG40] a client of before 1.0 on %s: text, a call of its own tool and an approval, in events and fields that its version has',
  async provider => {
    const calls = [{ name: 'show', input: { city: 'Lisbon' } }]
    const booking = [{ name: 'book', input: { city: 'Lisbon' } }]
    const said = [{ ...thinking[provider], text: 'Look.', calls }, { ...thinking[provider], calls: booking }, 'Booked.']
    await using scene = await openScene(said, { provider, tools })
    const { agent, sent, say, go } = olderClient(scene)
    expect(await say('Show me Lisbon', clientTools)).toMatchObject({ outcome: { type: 'success' } })
    const [shown] = agent.messages.flatMap(message => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    agent.addMessage({ id: 'brought', role: 'tool', toolCallId: shown.id, content: 'shown' })
    expect(await go(clientTools)).toMatchObject({ outcome: { type: 'interrupt' } })
    const [{ id }] = agent.pendingInterrupts
    await go({ ...clientTools, resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })
    expect(shapes(agent.messages)).toEqual([
      ...['user', 'assistant: Look.', 'show', 'tool: shown', 'book', 'tool: booked', 'assistant: Booked.'],
    ])
    expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(sent.filter(({ type }) => type === 'RUN_FINISHED')).toHaveLength(3)
    expectKnown(sent)
    expect(scene.errors).toEqual([])
  },
)

test('[AG41] a run that is stopped ends for a client of before 1.0 without an outcome, which it does not have', async () => {
  await using scene = await openScene([{ text: 'One moment, I look it up for you.', fail: 'slow:50' }, 'Yes.'], {
    tools,
  })
  const { agent, sent, seen, say } = olderClient(scene)
  const run = say('Hello')
  await seen('TEXT_MESSAGE_CONTENT')
  await scene.thread.interrupt('the operator')
  const end = await run
  expect(end).toMatchObject({ type: 'RUN_FINISHED', metadata: { antiphon: { status: 'interrupted' } } })
  expect(end).not.toHaveProperty('outcome')
  await say('Still there?')
  expect(shapes(agent.messages).at(-1)).toBe('assistant: Yes.')
  expectKnown(sent)
})

test('[AG42] clients of two versions on one thread: each gets the media that its version has, and has changed nothing', async () => {
  await using scene = await openScene(['A cat.', 'A dog.', 'Yes.', 'Yes.'], { tools })
  const [older, newer] = [olderClient(scene), scene.agent('newer')]
  const image = { type: 'binary', mimeType: 'image/png', data: 'aGk=', filename: 'cat.png' }
  older.agent.addMessage({ id: 'cat', role: 'user', content: [{ type: 'text', text: 'What?' }, image] as never })
  await older.go()
  const file = { type: 'file', value: 'file-1', provider: 'openai' } as const
  newer.agent.addMessage({
    id: 'dog',
    role: 'user',
    content: [
      { type: 'text', text: 'And?' },
      { type: 'image', source: file },
    ],
  })
  await newer.go()
  expect(newer.agent.messages[0].content).toEqual([
    { type: 'text', text: 'What?' },
    {
      type: 'image',
      source: { type: 'data', value: 'aGk=', mimeType: 'image/png' },
      metadata: { filename: 'cat.png' },
    },
  ])
  await older.say('Sure?')
  expect(older.agent.messages.find(({ id }) => id === 'dog')?.content).toEqual([{ type: 'text', text: 'And?' }])
  await newer.say('Really?')
  expect(shapes(newer.agent.messages)).toEqual([
    ...['user', 'assistant: A cat.', 'user', 'assistant: A dog.'],
    ...['user', 'assistant: Yes.', 'user', 'assistant: Yes.'],
  ])
  expect(scene.reports).toEqual([])
  expectKnown(older.sent)
})

test('[AG42] a client that shows less of a message than there is has not edited it', async () => {
  await using scene = await openScene([{ text: '', fail: 'overload' }, 'A dog.'], { tools })
  const newer = scene.agent('newer')
  const file = { type: 'file', value: 'file-1', provider: 'openai' } as const
  newer.agent.addMessage({
    id: 'dog',
    role: 'user',
    content: [
      { type: 'text', text: 'And?' },
      { type: 'image', source: file },
    ],
  })
  await newer.go().catch(() => {})
  const older = olderClient(scene)
  await older.go()
  await older.go()
  expect(shapes(older.agent.messages).filter(shape => shape === 'user')).toHaveLength(1)
  expect(scene.reports).toEqual([])
  expect(await scene.thread.branches()).toHaveLength(1)
})

test('[AG43] a message with the decision on a call, which CopilotKit adds to the answer, is not its result', async () => {
  await using scene = await openScene([{ calls: [{ name: 'book', input: {} }] }, 'Booked.'], { tools })
  const { agent, say, go } = olderClient(scene)
  await say('Book it')
  const [{ id, toolCallId = '' }] = agent.pendingInterrupts
  agent.addMessage({ id: 'decision', role: 'tool', toolCallId, content: '{"approved":true}' })
  await go({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })
  expect(shapes(agent.messages)).toEqual(['user', 'book', 'tool: booked', 'assistant: Booked.'])
  expect(scene.reports).toEqual([])
})

test('[AG44] the names of events are those of both versions', () => {
  expect(Object.keys(EventType).length).toBeGreaterThan(20)
  for (const { EventType: names } of [core1, client0]) expect(names).toMatchObject(EventType)
})

test('[AG44] events are written as the encoder of 1.0 writes them, which leaves out optional fields that are null', () => {
  const events = [
    { type: EventType.CUSTOM, name: 'x', value: null, timestamp: null, rawEvent: null },
    { type: EventType.STATE_SNAPSHOT, snapshot: null },
    { type: EventType.RAW, event: null, source: null },
    { type: EventType.RUN_ERROR, message: 'ä\n', code: undefined },
  ] as unknown as core1.Event[]
  for (const event of events) expect(textEncoder.encodeText?.(event)).toBe(new EventEncoder({}).encode(event))
})

test.each(['2.1', '1.0'])('[AG40] a client that says %s gets what is new in 1.0', async protocolVersion => {
  await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }], { tools })
  const messages = [{ id: 'm', role: 'user', content: 'Show me' }]
  const input = { threadId: 't', runId: 'r', protocolVersion, messages, ...clientTools }
  const response = await fetch(scene.url, { method: 'POST', body: JSON.stringify(input) })
  const events = eventsIn(await response.text())
  expect(events[0]).toMatchObject({ protocolVersion: '1.0' })
  expect(events.at(-1)).toMatchObject({ outcome: { pendingToolCallIds: [expect.any(String)] } })
})

test.each([undefined, null, '', '0.0.59', 1, {}])(
  '[AG40] and one that says %j what there was before',
  async protocolVersion => {
    await using scene = await openScene([{ calls: [{ name: 'show', input: {} }] }], { tools })
    const messages = [{ id: 'm', role: 'user', content: 'Show me' }]
    const input = { threadId: 't', runId: 'r', protocolVersion, messages, ...clientTools }
    const response = await fetch(scene.url, { method: 'POST', body: JSON.stringify(input) })
    expectKnown(eventsIn(await response.text()))
  },
)
