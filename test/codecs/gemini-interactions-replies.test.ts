import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { GoogleGenAI } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { replies } from '../../src/codecs/shared/replies.ts'
import type { ReplyDelta } from '../../src/codecs/shared/reply.ts'

const { read, fold } = replies['gemini-interactions']

/** What a stream was read as, and the deltas on the way. */
function folded(events: readonly unknown[]) {
  const run = fold()
  const deltas: ReplyDelta[] = []
  for (const event of events) deltas.push(...run.push(event))
  return { deltas, reply: run.end() }
}

const said = (deltas: readonly ReplyDelta[], kind: 'text' | 'reasoning'): string =>
  deltas.map(delta => (delta.kind === kind ? delta.text : '')).join('')

const begin = (id: string) => ({ event_type: 'interaction.created', interaction: { id, status: 'in_progress' } })
const end = (id: string, status: string, more: object = {}) => ({
  ...{ event_type: 'interaction.completed', interaction: { id, status, ...more } },
})
const grow = (index: number, step: object, ...deltas: object[]) => [
  { event_type: 'step.start', index, step },
  ...deltas.map(delta => ({ event_type: 'step.delta', index, delta })),
  { event_type: 'step.stop', index },
]
const words = (text: string) => ({ type: 'text', text })
const says = (...texts: string[]) => ({ type: 'model_output', content: texts.map(words) })
const asks = (text: string) => ({ type: 'user_input', content: [words(text)] })
const call = { type: 'function_call', id: 'a1', name: 'look', arguments: {} }

const firstHop = (more: object = {}) => [
  begin('v1'),
  ...grow(0, { type: 'thought' }, { type: 'thought_signature', signature: 'c2ln' }),
  ...grow(1, { type: 'model_output' }, words('First half, ')),
  end('v1', 'requires_continuation', { continuation_token: 'token', ...more }),
]
const lastHop = [
  begin('v2'),
  ...grow(0, { type: 'model_output' }, words('second half.')),
  ...grow(1, call, { type: 'arguments_delta', arguments: '{"at":1}' }),
  end('v2', 'requires_action'),
]
const joined = [
  { type: 'thought', signature: 'c2ln' },
  says('First half, '),
  says('second half.'),
  { ...call, arguments: { at: 1 } },
]

describe('an answer that is continued', () => {
  const expectJoined = ({ deltas, reply }: ReturnType<typeof folded>, id = 'v2') => {
    expect(reply).toMatchObject({ messages: joined, finish: 'stop', id })
    expect(reply.left).toBeUndefined()
    expect(said(deltas, 'text')).toBe('First half, second half.')
    expect(said(deltas, 'reasoning')).toBe('')
    expect(deltas.filter(({ kind }) => kind === 'call' || kind === 'input')).toEqual([
      { kind: 'call', id: 'a1', name: 'look', index: 0 },
      { kind: 'input', index: 0, text: '{"at":1}' },
    ])
  }

  test('is all that its interactions say, also where the end of a step is not announced', () => {
    const isStop = (event: object) => 'event_type' in event && event.event_type === 'step.stop'
    expectJoined(folded([...firstHop(), ...lastHop].filter(event => !isStop(event))))
  })

  test('is all that its interactions say, as the client yields them', async () => {
    const server = createServer(async (request, response) => {
      const body = JSON.parse(await text(request))
      response.setHeader('content-type', 'text/event-stream')
      for (const event of body.continuation_token === 'token' ? lastHop : firstHop())
        response.write(`event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl } })
      const stream = await client.interactions.create({ model: 'gemini-3-pro', input: 'Hi', stream: true })
      const events: unknown[] = []
      for await (const event of stream) events.push(event)
      expectJoined(folded(events))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  test('is complete if only its first interaction lists its steps', () => {
    expectJoined(folded([...firstHop({ steps: [asks('Hi'), ...joined.slice(0, 2)] }), ...lastHop]))
  })

  test('is complete if its interactions have no ids, or nothing announces the second', () => {
    const unnamed = (events: readonly object[]) =>
      events.map(event =>
        'interaction' in event ? { ...event, interaction: { ...Object(event.interaction), id: '' } } : event,
      )
    expect(folded(unnamed([...firstHop(), ...lastHop])).reply.messages).toEqual(joined)
    expectJoined(folded([...firstHop(), ...lastHop.slice(1)]))
    expectJoined(folded([...firstHop().slice(0, -1), ...lastHop]))
  })

  test('is cut if its last interaction is, and keeps its text', () => {
    const { reply } = folded([...firstHop(), ...lastHop.slice(0, -1)])
    expect(reply).toMatchObject({ messages: [joined[1], joined[2]], finish: 'cut', left: [joined[0], joined[3]] })
  })

  test('waits to be continued if its last interaction does', () => {
    const { reply } = folded(firstHop())
    expect(reply).toMatchObject({ messages: joined.slice(0, 2), finish: 'pause', id: 'v1' })
  })
})

test('the reply of a stored interaction is what follows its request', () => {
  const stored = (...steps: object[]) => ({ id: 'v1', object: 'interaction', status: 'completed', steps })
  const result = { type: 'function_result', call_id: 'a1', name: 'look', result: 'a cat' }
  const history = [asks('Hi'), says('Ho'), asks('What is this?')]
  expect(read(stored(...history, says('New')))?.messages).toEqual([says('New')])
  expect(read(stored(...history, call, result, says('A cat')))?.messages).toEqual([says('A cat')])
  expect(read(stored(says('New')))?.messages).toEqual([says('New')])
  expect(read(stored(...history))?.messages).toEqual([])
  expect(folded([end('v1', 'completed', stored(...history, says('New')))]).reply.messages).toEqual([says('New')])
})

describe('a stream', () => {
  const whole = (...events: object[]) => folded([begin('v1'), ...events, end('v1', 'completed')])

  test('says once what it announces twice', () => {
    const start = { event_type: 'step.start', index: 0, step: says('Hi') }
    const { deltas, reply } = whole(start, start, { event_type: 'step.stop', index: 0 })
    expect(deltas).toEqual([{ kind: 'text', text: 'Hi' }])
    expect(reply.messages).toEqual([says('Hi')])
  })

  test('does not show what the user said as words of the model', () => {
    const { deltas, reply } = whole(
      ...grow(0, asks('What is this?'), words(' And that?')),
      ...grow(1, { type: 'model_output' }, words('A cat')),
    )
    expect(deltas).toEqual([{ kind: 'text', text: 'A cat' }])
    expect(reply.messages).toEqual([says('A cat')])
  })

  test('continues the text that a step begins with, and its annotations', () => {
    const cited = (url: string) => ({ type: 'url_citation', url })
    const step = { type: 'model_output', content: [{ ...words(''), annotations: [] }] }
    expect(whole(...grow(0, step, words('a'), words('b'))).reply.messages).toEqual([
      { type: 'model_output', content: [{ ...words('ab'), annotations: [] }] },
    ])
    const begun = { type: 'model_output', content: [{ ...words('a'), annotations: [cited('x')] }] }
    const annotation = { type: 'text_annotation_delta', annotations: [cited('y')] }
    const { deltas, reply } = whole(...grow(0, begun, words('b'), annotation))
    expect(reply.messages).toEqual([
      { type: 'model_output', content: [{ ...words('ab'), annotations: [cited('x'), cited('y')] }] },
    ])
    expect(said(deltas, 'text')).toBe('ab')
  })

  test('joins the pieces of a result of the provider, and replaces other fields', () => {
    const piece = (result: string) => ({ type: 'code_execution_result', result, is_error: false })
    const ran = { type: 'code_execution_result', call_id: 'c1' }
    const queries = { type: 'google_search_call', arguments: { queries: ['Rome'] } }
    const { reply } = whole(
      ...grow(0, ran, piece('a'), piece('b')),
      ...grow(1, { type: 'google_search_call', id: 'g1', arguments: {} }, queries),
      ...grow(2, says('Done')),
    )
    expect(reply.messages).toEqual([
      { ...ran, result: 'ab', is_error: false },
      { type: 'google_search_call', id: 'g1', arguments: { queries: ['Rome'] } },
      says('Done'),
    ])
  })

  test.each([
    ['interaction.incomplete', 'incomplete', 'length'],
    ['interaction.failed', 'failed', 'cut'],
    ['interaction.created', 'queued', 'cut'],
  ])('ends with %s, status %s, as %s', (event_type, status, finish) => {
    const last = { event_type, interaction: { id: 'v1', status } }
    expect(folded([begin('v1'), ...grow(0, says('Hi')), last]).reply).toMatchObject({ messages: [says('Hi')], finish })
  })
})
