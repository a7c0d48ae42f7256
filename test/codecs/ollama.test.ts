import { describe, expect, test } from 'vitest'
import { check, convert, detect, heal, healRequest, repair } from '../../src/index.ts'
import { history } from '../laws/history.ts'

const user = (content: unknown) => ({ role: 'user', content })
const call = (name: string, input: unknown = {}) => ({ function: { name, arguments: input } })
const calls = (...list: unknown[]) => ({ role: 'assistant', content: '', tool_calls: list })
const result = (name: string, content: unknown) => ({ role: 'tool', tool_name: name, content })

const idsIn = (value: unknown): string[] => JSON.stringify(value).match(/"(id|tool_call_id)":/g) ?? []

describe('calls without ids', () => {
  test('[K8] no repair makes up an id', () => {
    let repaired = 0
    for (let seed = 0; seed < 400; seed++) {
      const { messages } = history('ollama', seed)
      if (idsIn(messages).length > 0) continue
      const { messages: healed, changed } = repair(messages, { format: 'ollama' })
      repaired += Number(changed)
      expect(idsIn(healed), `seed ${seed}`).toEqual([])
    }
    expect(repaired).toBeGreaterThan(100)
  })

  test('[K8] a result pairs by the name of its tool, then by position', () => {
    const twice = [
      user('Weather?'),
      calls(call('weather', { city: 'Rome' }), call('time'), call('weather', { city: 'Oslo' })),
      result('time', '12:00'),
      result('weather', 'sunny'),
    ]
    const { messages, repairs } = repair([...twice, user('And?')], { format: 'ollama' })
    expect(repairs.map(({ rule, at }) => [rule, at])).toEqual([['unanswered-call', 'messages[1].tool_calls[2]']])
    expect(messages.slice(2, 5)).toEqual([
      result('time', '12:00'),
      result('weather', 'sunny'),
      result('weather', '[no result] No result of this call was recorded. Whether it ran is not known.'),
    ])
    const unnamed = [user('Weather?'), calls(call('weather'), call('time')), { role: 'tool', content: 'sunny' }]
    expect(heal([...unnamed, user('And?')], { format: 'ollama' })[3]).toMatchObject({ tool_name: 'time' })
  })

  test('[K8] ids that newer versions give are kept, and answered by name or by id', () => {
    const asked = [user('Go.'), calls({ id: 'call_1', ...call('weather') }, { id: 'call_2', ...call('time') })]
    for (const answers of [
      [result('weather', 'sunny'), result('time', '12:00')],
      [
        { ...result('time', '12:00'), tool_call_id: 'call_2' },
        { ...result('weather', 'sunny'), tool_call_id: 'call_1' },
      ],
    ]) {
      const whole = [...asked, ...answers]
      expect(detect(whole)).toBe('ollama')
      expect(heal(whole)).toBe(whole)
      expect(check(whole.slice(0, 3)).map(({ rule }) => rule)).toEqual(['unanswered-call'])
    }
  })

  test('[K8] converting to a format with ids and back makes up ids there, and leaves none', () => {
    const whole = [
      user('Weather?'),
      calls(call('weather'), call('weather')),
      result('weather', 'a'),
      result('weather', 'b'),
    ]
    const chat = convert(whole, { to: 'openai-chat' })
    expect(idsIn(chat)).toHaveLength(4)
    const ids = new Map<string, string>()
    expect(idsIn(convert(convert(whole, { to: 'openai-chat', ids }), { to: 'ollama', ids }))).toEqual([])
  })
})

describe('what the API rejects', () => {
  test('[K9] messages written for Chat Completions are written as the API takes them', () => {
    const body = {
      model: 'qwen3:8b',
      messages: [
        { role: 'developer', content: 'Be kind.' },
        user([
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ]),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'A cat.' }] },
      ],
    }
    const { body: healed, repairs } = healRequest(body, { format: 'ollama', for: 'ollama' })
    expect(healed.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'What is it?', images: ['iVBORw0KGgo='] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: { at: 1 } } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' },
    ])
    expect(new Set(repairs.map(entry => entry.class))).toEqual(new Set(['lossless']))
  })

  test('[K9] a result that is a value becomes its JSON, and images in it a list of their own', () => {
    const answered = (content: unknown) => heal([user('Go.'), calls(call('look')), result('look', content)])[2]
    expect(answered({ ok: true })).toEqual(result('look', '{"ok":true}'))
    expect(answered([1, 2])).toEqual(result('look', '[1,2]'))
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    expect(answered([{ type: 'text', text: 'This.' }, image])).toEqual({
      ...result('look', 'This.'),
      images: ['iVBORw0KGgo='],
    })
  })

  test('[K9] calls of a second assistant message are joined with the first, where its template would lose them', () => {
    const split = [
      user('Go.'),
      { role: 'assistant', content: 'I look.', thinking: 'Hm.' },
      calls(call('look')),
      result('look', 'A cat.'),
    ]
    expect(heal(split)).toEqual([
      split[0],
      { role: 'assistant', content: 'I look.', thinking: 'Hm.', tool_calls: [call('look')] },
      split[3],
    ])
  })
})

test('[K5] histories of Ollama are recognised, and those of others that look like them are not', () => {
  expect(detect([user('Hi'), calls(call('look')), result('look', 'x')])).toBe('ollama')
  expect(detect([{ ...user('Hi'), images: ['iVBORw0KGgo='] }])).toBe('ollama')
  expect(detect([user('Hi'), { role: 'assistant', content: 'Hello.' }])).toBe('openai-chat')
  const typed = { type: 'function', function: { name: 'look', arguments: {} } }
  expect(
    detect([user('Hi'), { role: 'assistant', tool_calls: [typed] }, { role: 'tool', name: 'look', content: 'x' }]),
  ).not.toBe('openai-chat')
  const asText = { function: { name: 'look', arguments: '{"at":"it"}' } }
  expect(detect([user('Hi'), calls(asText)])).toBe('openai-chat')
  expect(detect([user('Hi'), calls(asText), result('look', 'x')])).toBe('ollama')
})

test('[K9] the report says in which form arguments are, and which form they get', () => {
  const reportOf = (input: unknown) => {
    const history = [user('Hi'), calls({ function: { name: 'look', arguments: input } }), result('look', 'x')]
    const [found] = check(history, { format: 'ollama' })
    return [found?.message, found?.help]
  }
  expect(reportOf('{"at":"it"}')).toEqual([
    'the arguments of look are JSON text, not an object',
    'parse them (lossless)',
  ])
  expect(reportOf('{"at":')).toEqual([
    'the arguments of look are not a JSON object',
    'wrap them whole in an object (lossless)',
  ])
  expect(reportOf('')).toEqual(['the arguments of look are missing', 'add {} (lossless)'])
})
