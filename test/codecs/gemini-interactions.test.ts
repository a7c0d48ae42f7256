import { GoogleGenAI, type Interactions } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { applyEdits, type Edit } from '../../src/core/edit.ts'
import { healRejected, readRejection } from '../../src/heal/rejections/index.ts'
import { check, convert, detect, heal, healRequest, type InteractionStep, repair, trim } from '../../src/index.ts'

const user = (text: string): InteractionStep => ({ type: 'user_input', content: [{ type: 'text', text }] })
const says = (text: string): InteractionStep => ({ type: 'model_output', content: [{ type: 'text', text }] })
const call = (id: string, name = 'weather'): InteractionStep => ({ type: 'function_call', id, name, arguments: {} })
const result = (id: string, text = 'sunny', name = 'weather'): InteractionStep => ({
  ...{ type: 'function_result', call_id: id, name, result: text },
})
const thought: InteractionStep = { type: 'thought', signature: 'c2ln' }
const search = [
  { type: 'google_search_call', id: 'g1', arguments: { queries: ['Rome'] }, signature: 's' },
  { type: 'google_search_result', call_id: 'g1', result: [], signature: 's' },
]
const image = { type: 'image', uri: 'https://example.test/a.png' }
const options = { for: 'gemini-interactions', model: 'gemini-3-pro' } as const

describe('steps of the Interactions API', () => {
  const whole = [
    user('Weather?'),
    ...search,
    thought,
    call('a1'),
    call('b2'),
    result('b2'),
    result('a1'),
    says('Sunny.'),
  ]

  test('[K11] are detected, and a healthy list comes back as the same reference', () => {
    expect(detect(whole)).toBe('gemini-interactions')
    expect(check(whole, options)).toEqual([])
    expect(heal(whole, options)).toBe(whole)
  })

  test('[K11] are not taken for steps with text as their content, which other programs write', () => {
    const log = [
      { type: 'user_input', content: 'hi' },
      { type: 'thought', content: 'I should' },
      { type: 'function_call', name: 'f', arguments: {} },
      { type: 'function_result', name: 'f', result: 'x' },
      { type: 'model_output', content: 'done' },
    ]
    expect(detect(log)).toBeUndefined()
    expect(detect(log.filter(({ type }) => type !== 'thought'))).toBeUndefined()
    expect(heal(log)).toBe(log)
    expect(detect([user('hi'), { type: 'model_output', content: 'done' }])).toBe('gemini-interactions')
  })

  test('[K11] are typed as the client takes them', () => {
    const steps = heal([user('Hi')], { format: 'gemini-interactions' })
    const send: () => unknown = () =>
      new GoogleGenAI({ apiKey: 'any' }).interactions.create({ model: 'm', input: steps as Interactions.Step[] })
    expect(send).toBeTypeOf('function')
  })

  test('[K11] a lost result becomes a placeholder with the id and the name of its call, after its call', () => {
    const { messages, repairs } = repair([user('Weather?'), thought, call('a1'), user('Well?')], options)
    expect(repairs.map(({ rule, at }) => [rule, at])).toEqual([['unanswered-call', 'input[2]']])
    expect(messages[3]).toMatchObject({ type: 'function_result', call_id: 'a1', name: 'weather', is_error: true })
  })

  test('[K11] what only the provider runs, and steps of kinds that are not known, are left alone', () => {
    const kept = [user('Hi'), { type: 'compaction', id: 'c' }, ...search, says('Ho'), user('Hm')]
    expect(heal(kept, options)).toBe(kept)
  })

  const unsigned: InteractionStep = { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }] }
  const standIn = { type: 'thought', signature: 'skip_thought_signature_validator' }

  test('[K12] a call without a signed thought gets one in its place, and an unsigned thought stays', () => {
    const { messages, repairs } = repair([user('Weather?'), unsigned, call('a1'), result('a1')], options)
    expect(repairs.map(({ rule }) => rule)).toEqual(['unsigned-call'])
    expect(messages).toEqual([user('Weather?'), unsigned, standIn, call('a1'), result('a1')])
    expect(heal(messages, options)).toBe(messages)
    const echoed = [user('Weather?'), unsigned, says('Sunny.'), user('And now?'), unsigned, thought, call('a1')]
    const healthy = [...echoed, result('a1')]
    expect(heal(healthy, options)).toBe(healthy)
  })

  test('[K12] an unsigned thought is removed after a rejection, or if the caller is cautious', () => {
    const input = [user('Weather?'), unsigned, call('a1'), result('a1')]
    const after = [user('Weather?'), standIn, call('a1'), result('a1')]
    const careful = repair(input, { ...options, cautious: true })
    expect(careful.repairs.map(({ rule }) => rule)).toEqual(['unsigned-thinking', 'unsigned-call'])
    expect(careful.messages).toEqual(after)
    const rejection = readRejection(400, { error: { message: 'Request contains an invalid argument.' } })
    if (!rejection) throw new Error('the rejection is not known')
    const body = { model: 'gemini-3-pro', input }
    expect(healRejected(body, rejection, { for: 'gemini-interactions' }).body).toEqual({ ...body, input: after })
  })

  test('[K12] one signed thought is enough for all calls of a step, and each step needs its own', () => {
    const healthy = [user('Weather?'), thought, says('I look.'), call('a1'), call('b2'), result('a1'), result('b2')]
    expect(heal(healthy, options)).toBe(healthy)
    const second = repair([...healthy, call('c3'), result('c3')], options)
    expect(second.repairs.map(({ rule, at }) => [rule, at])).toEqual([['unsigned-call', 'input[7]']])
  })

  test('[K11] contents that are in the list themselves are one user message, and stay as they are', () => {
    const list = [thought, call('a1'), result('a1'), { type: 'text', text: 'And this?' }, image]
    const healed = repair([user('Hi'), ...list, says('A cat.'), call('b2'), user('Well?')], {
      ...options,
      model: 'gemini-2.5-flash',
    })
    expect(healed.repairs.map(({ rule, at }) => [rule, at])).toEqual([['unanswered-call', 'input[7]']])
    expect(healed.messages.slice(1, 6)).toEqual(list)
    expect(healed.messages[4]).toBe(list[3])
  })

  test('[K11] a request that continues a stored interaction may answer calls that it does not contain', () => {
    const body = { model: 'gemini-3-pro', previous_interaction_id: 'v1_1', input: [result('a1'), user('Well?')] }
    expect(healRequest(body).body).toBe(body)
    const alone = healRequest({ ...body, previous_interaction_id: undefined })
    expect(alone.repairs.map(({ rule }) => rule)).toContain('orphan-result')
    const open = healRequest({ ...body, input: [result('a1'), thought, call('b2'), user('Well?')] })
    expect(open.repairs.map(({ rule, at }) => [rule, at])).toEqual([['unanswered-call', 'input[2]']])
  })

  test.each([{ input: 'Hi' }, { input: { type: 'text', text: '' } }, { input: [{ type: 'text', text: 'Hi' }] }])(
    '[K11] other forms of input stay unchanged: %j',
    fields => {
      const body = { model: 'gemini-3-pro', ...fields }
      expect(healRequest(body, { format: 'gemini-interactions', for: 'gemini-interactions' }).body).toBe(body)
    },
  )

  test.each<object>([
    { input: { type: 'text', text: 'Hi' } },
    { input: [{ type: 'text', text: 'Hi' }, image] },
    { input: [image], previous_interaction_id: 'v1_1' },
    { continuation_token: 'next', previous_interaction_id: 'v1_1' },
  ])('[K11] nothing is reported of a request whose input has no steps: %j', fields => {
    const body = { model: 'gemini-3-pro', ...fields }
    const { body: after, remaining } = healRequest(body, { for: 'gemini-interactions' })
    expect(after).toBe(body)
    expect(remaining).toEqual([])
  })

  test('[K11] a single message is not an input of the Responses API, and contents are not its items', () => {
    const rules = (input: unknown) => healRequest({ model: 'gpt-5', input }).remaining.map(({ rule }) => rule)
    expect(rules({ role: 'user', content: 'x' })).toEqual(['not-a-history'])
    expect(rules([image])).toEqual(['not-a-history'])
  })

  test('[K11] a result without a name whose call is stored is reported, since its name is not known', () => {
    const { name: _, ...nameless } = result('a1') as InteractionStep & { name: string }
    const body = { model: 'gemini-3-pro', previous_interaction_id: 'v1_1', input: [nameless] }
    const { body: after, remaining } = healRequest(body, { for: 'gemini-interactions' })
    expect(after).toBe(body)
    expect(remaining).toMatchObject([{ rule: 'unnamed-result', severity: 'error', at: 'input[0]' }])
  })

  test('[K11] messages of other formats are converted, media included', () => {
    const chat = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    ]
    expect(convert(chat, { to: 'gemini-interactions' })).toEqual([
      {
        type: 'user_input',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', mime_type: 'image/png', data: 'AAAA' },
        ],
      },
      { type: 'function_call', id: 'c1', name: 'look', arguments: { at: 1 } },
      { type: 'function_result', call_id: 'c1', name: 'look', result: 'a cat' },
    ])
  })

  test('[K11] a history is trimmed at its turns', () => {
    const long = [...whole, user('And in Paris?'), thought, call('c3'), result('c3'), says('Rainy.')]
    expect(trim(long, { ...options, maxMessages: 6 })).toEqual(long.slice(9))
  })

  test('[L5] edits that were stored as JSON keep text and an image in one step', () => {
    const codec = codecs['gemini-interactions']
    const drawn: InteractionStep = { type: 'model_output', content: [{ type: 'text', text: 'A map:' }, image] }
    const early = [user('Weather?'), thought, says('I look.'), result('a1'), call('a1'), drawn]
    const { messages, repairs } = repair(early, options)
    expect(repairs).not.toEqual([])
    const decoded = codec.decode(early)
    const edits = JSON.parse(JSON.stringify(repairs.flatMap(one => one.edits))) as Edit[]
    expect(codec.encode(applyEdits(decoded.messages, edits), decoded, early)).toEqual(messages)
    expect(messages).toContainEqual(drawn)
  })
})
