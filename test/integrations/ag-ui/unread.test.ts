import { type BaseEvent, type Event, EventType, HttpAgent, type Message } from '@ag-ui/client'
import { EventEncoder } from '@ag-ui/encoder'
import { expect, test } from 'vitest'
import { textEncoder } from '../../../src/integrations/ag-ui/encode-events.ts'
import { EventStream, type EventStreamOptions } from '../../../src/integrations/ag-ui/event-stream.ts'
import { type AgUiOptions, agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { eventually } from '../../eventually.ts'
import { later } from '../../journal/contract/later.ts'
import { clientOf, lastSnapshot } from './scene.ts'

const kilobyte = 'ä"\\\n\u2028 x'.repeat(128)
const delta = (content: string) => ({ choices: [{ delta: { content } }] })
const answer = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] })

/** A journal with a thread `t` of so many turns, and a handler on it. */
async function opened(turns: number, options: Partial<AgUiOptions> = {}) {
  const journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  for (let number = 0; number < turns; number++) {
    await thread.submit(`${number} ${kilobyte.repeat(60)}`)
    await using turn = await thread.turn()
    await turn?.record(answer(`${number} ${kilobyte.repeat(60)}`))
  }
  const handler = agUiHandler(journal, { model: () => answer('Hello.'), thread: { for: 'openai' }, ...options })
  return { journal, thread, handler }
}

const request = (messages: readonly Message[] = []): Request =>
  new Request('http://localhost/', {
    method: 'POST',
    body: JSON.stringify({ threadId: 't', runId: 'r', messages }),
  })

/** Lets timers of one millisecond that were started before fire. */
async function pause(): Promise<void> {
  for (let count = 0; count < 10; count++) await new Promise(resolve => setTimeout(resolve, 2))
}

async function restOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += new TextDecoder().decode(value)
  }
}

const hello: Message = { id: 'm', role: 'user', content: 'Hello' }

const eventsIn = (text: string): BaseEvent[] =>
  text
    .split('\n\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice(6)))

test('[SE120] clients that read nothing keep no encoded copy of the thread', async () => {
  const { journal, handler } = await opened(6)
  const before = process.memoryUsage().arrayBuffers
  const responses: Response[] = []
  for (let count = 0; count < 40; count++) responses.push(await handler(request()))
  const text = await (await handler(request())).text()
  expect(text.length).toBeGreaterThan(600_000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  for (const { body } of responses) await body?.cancel()
  await journal.close()
})

test('[SE120] a client that begins to read at the end of a run gets the whole thread, and the snapshot once', async () => {
  const { journal, thread, handler } = await opened(6)
  const agent = new HttpAgent({
    ...{ url: 'http://localhost/', threadId: 't' },
    async fetch(url, init) {
      const response = await handler(new Request(url, init))
      await eventually(async () => expect(await thread.status()).toMatchObject({ state: 'idle', last: { turn: 7 } }))
      // The run ends after its turn.
      for (let count = 0; count < 50; count++) await new Promise(setImmediate)
      return response
    },
  })
  const { events, say } = clientOf(agent)
  expect(await say('Hello')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(agent.messages).toHaveLength(14)
  expect(agent.messages).toEqual(lastSnapshot(events))
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Hello.' })
  expect(
    events.filter(event => event.type === EventType.MESSAGES_SNAPSHOT && (event.messages as []).length > 0),
  ).toHaveLength(1)
  await journal.close()
})

test.each([
  ['interrupt', 'interrupted'],
  ['continue', 'done'],
] as const)('[SE120] a client that stops reading is given up, and whenGone %s counts', async (whenGone, status) => {
  const [stopped, isGivenUp] = [later<void>(), later<void>()]
  const model: AgUiOptions['model'] = async function* ({ signal }: { signal: AbortSignal }) {
    yield delta('Hel')
    await stopped.promise
    yield delta('lo.')
    const aborted = new Promise(resolve => signal.addEventListener('abort', resolve))
    await Promise.race([aborted, isGivenUp.promise])
    if (!signal.aborted) yield { choices: [{ delta: {}, finish_reason: 'stop' }] }
  }
  const { journal, thread, handler } = await opened(1, { model, whenGone, unreadMs: 1 })
  const response = await handler(request([hello]))
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  while (!text.includes('"Hel"')) text += new TextDecoder().decode((await reader.read()).value)
  stopped.keep()
  await pause()
  if (whenGone === 'continue') isGivenUp.keep()
  await eventually(async () => expect((await thread.status()).last).toEqual({ turn: 2, status }))
  expect(eventsIn(await restOf(reader)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'unread-events' })
  await journal.close()
})

test('[SE120] a stream that is given up says so, and the next run has everything', async () => {
  const { journal, handler } = await opened(3, { unreadMs: 1, whenGone: 'continue' })
  const response = await handler(request([hello]))
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await pause()
  expect(eventsIn(await restOf(reader))).toMatchObject([{ type: 'RUN_ERROR', code: 'unread-events' }])
  const next = eventsIn(await (await handler(request())).text())
  expect(lastSnapshot(next).filter(({ role }) => role === 'user')).toHaveLength(4)
  await journal.close()
})

const snapshot = (...ids: string[]): Event => ({
  type: EventType.MESSAGES_SNAPSHOT,
  messages: ids.map(id => ({ id, role: 'user', content: `${id} ${kilobyte.repeat(400)}` })),
})

function streamOf(options: Partial<EventStreamOptions> = {}) {
  const gone: string[] = []
  const events = new EventStream({
    ...{ encoder: textEncoder, keepAliveMs: 60_000, unreadBytes: 1_000_000, unreadMs: 60_000 },
    ...{ onError: error => gone.push(String(error)), onGone: () => gone.push('gone') },
    ...options,
  })
  const body = new ReadableStream<Uint8Array>(events, { highWaterMark: 0 })
  return { events, gone, text: () => new Response(body).text(), body }
}

test('[SE120] of several waiting snapshots the last one is sent, and the others only empty the list', async () => {
  const { events, text } = streamOf()
  for (const ids of [['b', 'a'], ['b'], ['a', 'b']]) events.send(snapshot(...ids))
  events.send({ type: EventType.TEXT_MESSAGE_START, messageId: 'c', role: 'assistant' })
  events.send(snapshot('a', 'b', 'c'))
  events.end()
  const sent = eventsIn(await text())
  const lists = sent.flatMap(event =>
    event.type === 'MESSAGES_SNAPSHOT' ? [(event.messages as Message[]).map(({ id }) => id)] : [],
  )
  expect(lists.at(-1)).toEqual(['a', 'b', 'c'])
  expect(lists.slice(0, -1).every(list => list.length === 0)).toBe(true)
  expect(sent.at(-2)).toMatchObject({ type: 'MESSAGES_SNAPSHOT', messages: [] })
  expect(sent.findIndex(({ type }) => type === 'TEXT_MESSAGE_START')).toBe(sent.length - 3)
})

test('[SE120] a client that is not behind gets every event as it is, in the bytes of the encoder', async () => {
  const { events, text } = streamOf()
  const all: Event[] = [
    { type: EventType.RUN_STARTED, threadId: 't', runId: 'r' },
    { type: EventType.MESSAGES_SNAPSHOT, messages: [hello] },
    { type: EventType.MESSAGES_SNAPSHOT, messages: [] },
    snapshot('a', 'b'),
    { type: EventType.CUSTOM, name: 'x', value: [null, '[]'] },
  ]
  for (const event of all) events.send(event)
  events.end()
  const encoder = new EventEncoder({})
  expect(await text()).toBe(all.map(event => encoder.encode(event)).join(''))
})

test('[SE120] waiting events are bounded in bytes, and one long event is not too much', async () => {
  const { events, gone, text } = streamOf()
  const custom = (value: string): Event => ({ type: EventType.CUSTOM, name: 'x', value })
  events.send(custom('x'.repeat(2_000_000)))
  expect(gone).toEqual([])
  events.send(custom('one more'))
  expect(gone).toEqual(['gone'])
  events.send(custom('and another'))
  expect(eventsIn(await text())).toMatchObject([{ type: 'RUN_ERROR', code: 'unread-events' }])
})

test('[SE120] an event that cannot be encoded is left out, and so is one message of a long snapshot', async () => {
  const { events, gone, text } = streamOf()
  const circle: Record<string, unknown> = {}
  circle.self = circle
  events.send({ type: EventType.CUSTOM, name: 'x', value: circle })
  const bad = { id: 'bad', role: 'user', content: [{ type: 'text', text: '', metadata: circle }] } as unknown as Message
  const { messages, ...long } = snapshot('a', 'b') as { messages: Message[] } & Event
  events.send({ ...long, messages: [messages[0], bad, messages[1]] } as Event)
  events.end()
  expect(eventsIn(await text())).toMatchObject([{ type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'a' }, { id: 'b' }] }])
  expect(gone).toHaveLength(2)
})
