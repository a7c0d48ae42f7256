import { describe, expect, test } from 'vitest'
import { check, convert, detect, heal, repair, trim } from '../../src/index.ts'

const time = '2026-01-01T00:00:00Z'
const request = (...parts: object[]) => ({ parts, instructions: null, kind: 'request' })
const response = (...parts: object[]) => ({ parts, model_name: 'gpt-5', timestamp: time, kind: 'response' })
const user = (content: unknown) => ({ content, timestamp: time, part_kind: 'user-prompt' })
const system = (content: string) => ({ content, timestamp: time, dynamic_ref: null, part_kind: 'system-prompt' })
const text = (content: string) => ({ content, part_kind: 'text' })
const call = (id: string, name: string, args: unknown = '{}') => ({
  ...{ tool_name: name, args, tool_call_id: id, part_kind: 'tool-call' },
})
const result = (id: string, name: string, content: unknown) => ({
  ...{ tool_name: name, content, tool_call_id: id, metadata: null, timestamp: time, part_kind: 'tool-return' },
})

const whole = [
  request(system('Be brief.'), user('Weather in Rome?')),
  response(call('call_1', 'weather', '{"city":"Rome"}'), call('call_2', 'time', { zone: 'CET' })),
  request(result('call_1', 'weather', { sky: 'clear' }), result('call_2', 'time', '12:00')),
  response(text('It is clear.')),
]

const placeholder = '[no result] No result of this call was recorded. Whether it ran is not known.'

describe('messages of Pydantic AI', () => {
  test('[K10] a healthy list is recognised, and comes back as the same reference', () => {
    expect(detect(whole)).toBe('pydantic-ai')
    expect(check(whole)).toEqual([])
    for (const dialect of ['lenient', 'openai', 'anthropic', 'gemini', 'bedrock', 'mistral'] as const)
      expect(heal(whole.slice(0, 3), { for: dialect }), dialect).toHaveLength(3)
    expect(heal(whole)).toBe(whole)
  })

  test('[K10] a lost result becomes a part that the library loads, in its place', () => {
    const broken = [whole[0], whole[1], request(result('call_2', 'time', '12:00'), user('And?'))]
    const { messages, repairs } = repair(broken)
    expect(repairs[0]).toMatchObject({ rule: 'unanswered-call', at: 'messages[1].parts[0]' })
    expect(messages).toHaveLength(3)
    expect(messages.flatMap(({ parts }) => parts)).toEqual([
      ...whole[0].parts,
      ...whole[1].parts,
      {
        tool_name: 'weather',
        content: placeholder,
        tool_call_id: 'call_1',
        outcome: 'failed',
        part_kind: 'tool-return',
      },
      result('call_2', 'time', '12:00'),
      user('And?'),
    ])
    expect(messages.every(({ kind }) => kind === 'request' || kind === 'response')).toBe(true)
    expect(repair(messages).changed).toBe(false)
  })

  test('[K10] a prompt before the result in its request moves after it', () => {
    const [asked, answer] = [user('Stop.'), result('call_1', 'weather', 'sunny')]
    const broken = [request(user('Go.')), response(call('call_1', 'weather')), request(asked, answer)]
    expect(heal(broken)[2]).toEqual(request(answer, asked))
  })

  test('[K10] a retry prompt answers the call that it names, and is a prompt where it names none', () => {
    const retry = { content: 'Wrong city.', tool_name: 'weather', tool_call_id: 'call_1', part_kind: 'retry-prompt' }
    const called = [request(user('Go.')), response(call('call_1', 'weather'))]
    const answered = [...called, request(retry), response(text('Sorry.'))]
    expect(heal(answered)).toBe(answered)
    const { tool_name: _, tool_call_id: __, ...plain } = retry
    expect(check([...called, request(plain)]).map(({ rule }) => rule)).toContain('unanswered-call')
  })

  test('[K10] arguments stay as they are written: JSON text, an object or nothing', () => {
    for (const args of ['{"a":1}', { a: 1 }, null, '']) {
      const asked = [request(user('Go.')), response(call('c', 'x', args)), request(result('c', 'x', 'y'))]
      for (const dialect of ['openai', 'anthropic'] as const) expect(heal(asked, { for: dialect })).toBe(asked)
    }
    const cut = [request(user('Go.')), response(call('c', 'x', '{"a":')), request(result('c', 'x', 'y'))]
    expect(heal(cut, { for: 'openai' })[1].parts).toEqual([call('c', 'x', { _cut_off: '{"a":' })])
  })

  test('[K10] it is converted to what a provider takes, and back, and trimmed between turns', () => {
    const chat = convert(whole, { to: 'openai-chat' })
    expect(chat.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant'])
    expect(check(chat, { for: 'openai' })).toEqual([])
    const back = convert(chat, { to: 'pydantic-ai' })
    expect(detect(back)).toBe('pydantic-ai')
    expect(check(back)).toEqual([])
    const two = [...whole, request(user('And Oslo?')), response(text('Rain.'))]
    expect(trim(two, { maxMessages: 3 }).at(-1)).toBe(two.at(-1))
    expect(check(trim(two, { maxMessages: 3 }))).toEqual([])
  })
})
