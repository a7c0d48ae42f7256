import { describe, expect, test } from 'vitest'
import { inspect, readTape } from '../../../src/observe/tape/index.ts'
import { interrupted, message, recording } from './recording.ts'

const inspected = (record: Parameters<typeof interrupted>[0] extends infer Tape ? (tape: Tape) => void : never) => {
  const { tape, text } = recording()
  record(tape)
  return inspect(readTape(text()).entries)
}

const chat = (...messages: object[]): object => ({ model: 'gpt-5', messages })
const user = { role: 'user', content: 'Refund it.' }
const call = (id: string): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'refund', arguments: '{}' } }],
})
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'refunded' })
const completion = (id: string): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-5',
  choices: [{ index: 0, message: call(id), finish_reason: 'tool_calls' }],
})

describe('inspect', () => {
  test('[TP11] it reports when a call was recorded, started and ended, and which requests it was sent in', () => {
    const { calls, requests } = inspected(interrupted)
    expect(calls).toEqual([
      {
        ...{ id: 'toolu_01', name: 'bash', recorded: { at: 1300, request: 1 } },
        ...{ starts: [1400], ends: [{ at: 1900, status: 'done' }] },
        sent: [
          { request: 2, answered: false },
          { request: 3, answered: true },
        ],
      },
    ])
    expect(requests.map(({ verdict, status }) => [verdict, status])).toEqual([
      ['accepted', 200],
      ['rejected', 400],
      ['rejected', 400],
    ])
  })

  test('[TP12] it names the first malformed request, and what happened since the last healthy one', () => {
    const { firstFailure } = inspected(interrupted)
    expect(firstFailure).toEqual({
      request: 2,
      why: 'malformed',
      healthy: 1,
      headline:
        'request 2 is the first that is malformed for anthropic: unanswered-call at messages[1].content[0]: call toolu_01 of bash has no result',
      story: [
        'request 1 was still healthy, 500 ms before it; since then:',
        '  +100 ms  request 1 was accepted, and made toolu_01 (bash)',
        '  +200 ms  toolu_01 (bash) was started',
        '  +300 ms  an interrupt came while toolu_01 (bash) was running',
        '  +400 ms  input came while toolu_01 (bash) was running',
        'toolu_01 (bash) ended 200 ms after request 2 was sent',
      ],
    })
  })

  test('[TP12] without a known defect, it names the first rejection and quotes it', () => {
    const { firstFailure } = inspected(tape => {
      tape.response(tape.request({ body: chat(user) }), { status: 200, body: completion('call_1') })
      tape.response(tape.request({ body: chat(user) }), { status: 429, body: { error: { message: 'slow down' } } })
      tape.response(tape.request({ body: chat(user) }), { status: 400, body: { error: { message: 'too strange' } } })
    })
    expect(firstFailure).toMatchObject({ request: 3, why: 'rejected', healthy: 2 })
    expect(firstFailure?.headline).toContain('"too strange"')
  })

  test('[TP12] a healthy tape has none', () => {
    const { firstFailure, calls } = inspected(tape => {
      tape.response(tape.request({ body: chat(user) }), { status: 200, body: completion('call_1') })
      tape.response(tape.request({ body: chat(user, call('call_1'), result('call_1')) }), { status: 200 })
      tape.response(tape.request({ body: { model: 'text-embedding-3', input: 'words' } }), { status: 200 })
    })
    expect(firstFailure).toBeUndefined()
    expect(calls).toMatchObject([{ recorded: { request: 1 }, sent: [{ request: 2, answered: true }] }])
  })

  test('[TP12] conversations on one tape are kept apart, by thread or by how they begin', () => {
    const other = { role: 'user', content: 'Something else entirely.' }
    const story = (thread?: string) =>
      inspected(tape => {
        const one = thread === undefined ? {} : { thread }
        const two = thread === undefined ? {} : { thread: 'other' }
        tape.request({ ...one, body: chat(user) })
        tape.request({ ...two, body: chat(other) })
        tape.callStart({ ...two, id: 'call_9', name: 'search' })
        tape.request({ ...one, body: chat(user, result('call_1')) })
      }).firstFailure
    expect(story('one')).toMatchObject({ request: 3, healthy: 1 })
    expect(story('one')?.story.join()).not.toContain('call_9')
    expect(story()).toMatchObject({ request: 3, healthy: 1 })
  })

  test('[TP11] a reused id is another call', () => {
    const { calls } = inspected(tape => {
      tape.response(tape.request({ body: chat(user) }), { status: 200, body: completion('call_1') })
      tape.response(tape.request({ body: chat(user, call('call_1'), result('call_1')) }), {
        status: 200,
        body: completion('call_1'),
      })
      tape.request({ body: chat(user, call('call_1'), result('call_1'), call('call_1'), result('call_1')) })
    })
    expect(calls.map(({ sent }) => sent.map(({ request }) => request))).toEqual([[2, 3], [3]])
  })

  test('[TP11] calls are found in a stream that was folded, and repairs belong to their request', () => {
    const { calls, requests } = inspected(tape => {
      const first = tape.request({ dialect: 'anthropic', body: { messages: [user] } })
      const content = [{ type: 'tool_use', id: 'toolu_7', name: 'refund', input: {} }]
      tape.response(first, { status: 200, reply: { messages: [{ role: 'assistant', content }], finish: 'stop' } })
      const second = tape.request({ dialect: 'anthropic', body: { messages: [user, { role: 'assistant', content }] } })
      tape.repair({ request: second, repairs: [{ rule: 'unanswered-call', at: 'messages[1]', callId: 'toolu_7' }] })
      tape.response(second, { status: 200, body: message([]) })
    })
    expect(calls).toMatchObject([{ id: 'toolu_7', recorded: { request: 1 }, sent: [{ request: 2, answered: false }] }])
    expect(requests[1]).toMatchObject({ verdict: 'accepted', repairs: [{ rule: 'unanswered-call' }] })
  })
})
