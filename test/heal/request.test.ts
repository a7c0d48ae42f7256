import { describe, expect, test } from 'vitest'
import { healRequest } from '../../src/index.ts'

const question = { role: 'user', content: 'Find me a flight to Lisbon.' }
const use = (id: string, name = 'search_flights') => ({ type: 'tool_use', id, name, input: { to: 'LIS' } })
const used = (id: string, content: unknown = 'TP 1351') => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})
const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } }],
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'TP 1351' })
const tools = [{ name: 'search_flights', input_schema: { type: 'object' } }]

describe('a whole request', () => {
  test('[Q1] a healthy one comes back as the same reference', () => {
    const healthy = [
      { model: 'gpt-5', temperature: 0, messages: [question, call('a'), result('a')] },
      { model: 'claude-sonnet-4-5', max_tokens: 9, system: 'Be brief.', tools, messages: [question] },
      {
        model: 'claude-sonnet-4-5',
        max_tokens: 9,
        tools,
        messages: [question, { role: 'assistant', content: [use('a')] }, used('a')],
      },
      { model: 'gpt-5', input: 'Hello.' },
      { model: 'gpt-5', input: [question], instructions: 'Be brief.' },
    ]
    for (const body of healthy) expect(healRequest(body)).toEqual({ body, changed: false, repairs: [], remaining: [] })
    for (const body of healthy) expect(healRequest(body).body).toBe(body)
  })

  test('[Q1] a broken history is healed in its place, and every other field is the same', () => {
    const tool = { type: 'function', function: { name: 'search_flights', parameters: {} } }
    const body = { model: 'gpt-5', stream: true, messages: [question, call('a')], tools: [tool], odd: { kept: [1] } }
    const { body: healed, changed, repairs } = healRequest(body)
    expect(changed).toBe(true)
    expect(repairs.map(({ rule }) => rule)).toEqual(['unanswered-call'])
    expect(Object.keys(healed)).toEqual(Object.keys(body))
    expect(healed.messages.slice(0, 2)).toEqual(body.messages)
    expect(healed.messages[0]).toBe(question)
    expect(healed.messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'a' })
    for (const key of ['model', 'stream', 'tools', 'odd'] as const) expect(healed[key]).toBe(body[key])
  })

  test('[Q1] onRepair is called', () => {
    const heard: unknown[] = []
    const body = { messages: [question, call('a')] }
    const result = healRequest(body, { onRepair: report => heard.push(report) })
    expect(heard).toEqual([result])
    healRequest({ messages: [question] }, { onRepair: report => heard.push(report) })
    expect(heard).toHaveLength(1)
  })

  test.each([
    [undefined],
    [null],
    [7],
    ['text'],
    [[question]],
    [{}],
    [{ messages: 'none' }],
    [{ messages: { role: 'user' } }],
    [{ input: null, contents: 4 }],
  ])('[Q2] a value that is not a request comes back unchanged and is reported as such: %j', body => {
    const { body: same, changed, remaining } = healRequest(body)
    expect(same).toBe(body)
    expect(changed).toBe(false)
    expect(remaining.map(({ rule }) => rule)).toEqual(['not-a-history'])
  })

  test('[Q2] the model of the request decides, unless the caller names one', () => {
    const messages = [question, { role: 'assistant', content: 'Let me' }]
    const prefilled = { model: 'claude-opus-4-6', max_tokens: 9, messages }
    expect(healRequest(prefilled, { for: 'anthropic' }).body.messages).toHaveLength(3)
    expect(healRequest(prefilled, { for: 'anthropic', model: 'claude-sonnet-4-5' }).body).toBe(prefilled)
  })
})

describe('requests of the official libraries', () => {
  const picture = { inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }

  test.each([
    [{ model: 'gemini-2.5-flash', contents: 'Hello.' }],
    [{ model: 'gemini-2.5-flash', contents: { role: 'user', parts: [picture] } }],
    [{ contents: [{ role: 'user', parts: [picture, { text: 'Caption this.' }] }] }],
    [
      {
        cachedContent: 'cachedContents/1',
        contents: [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }],
      },
    ],
    [
      {
        modelId: 'amazon.nova-pro',
        messages: [{ role: 'user', content: [{ text: 'Hello.' }] }],
        system: [{ text: 'Be brief.' }],
      },
    ],
    [{ threadId: 't', runId: 'r', tools: [], context: [], messages: [{ id: '1', role: 'user', content: 'Hello.' }] }],
  ])('[Q1] a healthy one comes back as the same reference: %j', body => {
    expect(healRequest(body).body).toBe(body)
  })

  test('[Q1] a list of parts is not mistaken for turns', () => {
    const body = { model: 'gemini-2.5-flash', contents: [picture, { text: 'Caption this.' }] }
    expect(healRequest(body).body).toBe(body)
  })

  test('[Q3] the dialect that the caller names decides where system text belongs', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, question]
    expect(healRequest({ model: 'x', messages }, { for: 'anthropic' }).body).toEqual({
      model: 'x',
      messages: [question],
      system: 'Be brief.',
    })
    expect(healRequest({ model: 'x', system: 'Be brief.', messages: [question] }, { for: 'openai' }).body).toEqual({
      model: 'x',
      messages,
    })
  })

  test('[Q3] existing content of the field is not lost, nor a cache mark', () => {
    const marked = { type: 'text', text: 'You book flights.', cache_control: { type: 'ephemeral' } }
    const { body } = healRequest(
      { system: 'Be brief.', messages: [{ role: 'system', content: [marked] }, question] },
      { for: 'anthropic' },
    )
    expect((body as { system: unknown }).system).toEqual([{ type: 'text', text: 'Be brief.' }, marked])
    const words = [
      { role: 'system', content: [{ text: 'You book flights.' }] },
      { role: 'user', content: [{ text: 'Hello.' }] },
    ]
    const bedrock = healRequest({ modelId: 'm', system: 'Be brief.', messages: words }, { format: 'bedrock' }).body
    expect(bedrock.system).toEqual([{ text: 'Be brief.' }, { text: 'You book flights.' }])
  })
})

describe('system text', () => {
  test('[Q3] moves to the system field of the format, after its existing text', () => {
    const messages = [
      { role: 'system', content: 'You book flights.' },
      question,
      { role: 'system', content: [{ type: 'text', text: 'Answer in Portuguese.' }] },
    ]
    const cached = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
    const lifted = (system?: unknown) => {
      const { body, repairs } = healRequest({ ...(system ? { system } : {}), messages }, { format: 'anthropic' })
      expect(repairs.map(({ rule, class: of }) => `${rule} ${of}`)).toEqual(['system-role lossless'])
      expect(body.messages).toEqual([question])
      return (body as { system?: unknown }).system
    }
    expect(lifted()).toBe('You book flights.\n\nAnswer in Portuguese.')
    expect(lifted('Be brief.')).toBe('Be brief.\n\nYou book flights.\n\nAnswer in Portuguese.')
    expect(lifted(cached)).toEqual([
      ...cached,
      { type: 'text', text: 'You book flights.' },
      { type: 'text', text: 'Answer in Portuguese.' },
    ])
  })

  test('[Q3] becomes the first message if the format expects one', () => {
    const body = {
      model: 'gpt-5',
      system: [{ type: 'text', text: 'You book flights.' }],
      messages: [question, call('a'), result('a')],
    }
    const healed = healRequest(body).body
    expect(healed).toEqual({
      model: 'gpt-5',
      messages: [{ role: 'system', content: 'You book flights.' }, ...body.messages],
    })
  })

  test('[Q3] stay where they are if they may', () => {
    const body = { instructions: 'Be brief.', input: [{ role: 'developer', content: 'You book flights.' }, question] }
    expect(healRequest(body).body).toBe(body)
    const noted = {
      model: 'claude-opus-4-8',
      max_tokens: 9,
      system: 'x',
      messages: [question, { role: 'system', content: 'Note.' }],
    }
    expect(healRequest(noted).body).toBe(noted)
  })
})

describe('thinking', () => {
  const enabled = { type: 'enabled', budget_tokens: 2048 }
  const thought = { type: 'thinking', thinking: 'TAP flies there.', signature: 'EqQB' }

  test('[Q4] is switched off if the open step has lost it', () => {
    const body = {
      thinking: enabled,
      tools,
      messages: [question, { role: 'assistant', content: [use('a')] }, used('a')],
    }
    const { body: healed, repairs } = healRequest(body)
    expect(repairs.map(({ rule }) => rule)).toEqual(['missing-thinking'])
    expect(healed).toEqual({ ...body, thinking: { type: 'disabled' } })
  })

  test('[Q4] is switched off if its signature was blanked: the calls stay', () => {
    const blanked = { role: 'assistant', content: [{ ...thought, signature: '' }, use('a')] }
    const { body: healed } = healRequest({ thinking: enabled, tools, messages: [question, blanked, used('a')] })
    expect(healed.thinking).toEqual({ type: 'disabled' })
    expect(healed.messages).toEqual([question, { role: 'assistant', content: [use('a')] }, used('a')])
  })

  test('[Q4] is removed from the open step if it is switched off, and from no other', () => {
    const earlier = [
      question,
      { role: 'assistant', content: [thought, use('a')] },
      used('a'),
      { role: 'assistant', content: 'Done.' },
    ]
    const open = [question, { role: 'assistant', content: [thought, use('b')] }, used('b')]
    const { body: healed } = healRequest({ thinking: { type: 'disabled' }, tools, messages: [...earlier, ...open] })
    expect(healed.messages).toEqual([...earlier, question, { role: 'assistant', content: [use('b')] }, used('b')])
  })

  test('[Q4] that agrees with the history is left alone', () => {
    for (const thinking of [enabled, { type: 'adaptive' }]) {
      const body = {
        thinking,
        tools,
        messages: [question, { role: 'assistant', content: [thought, use('a')] }, used('a')],
      }
      expect(healRequest(body).body).toBe(body)
    }
  })
})

describe('tools', () => {
  const messages = [
    question,
    { role: 'assistant', content: [use('a'), use('b', 'search_hotels')] },
    {
      role: 'user',
      content: [...used('a').content, ...used('b').content],
    },
  ]

  test('[Q5] are declared by name if the history uses some and the request declares none', () => {
    for (const none of [{}, { tools: [] }]) {
      const { body } = healRequest({ ...none, max_tokens: 9, messages })
      expect(body).toEqual({
        max_tokens: 9,
        messages,
        tools: [
          { name: 'search_flights', input_schema: { type: 'object' } },
          { name: 'search_hotels', input_schema: { type: 'object' } },
        ],
        tool_choice: { type: 'none' },
      })
      expect((body as { messages: unknown }).messages).not.toBe(undefined)
    }
  })

  test('[Q5] are never added to those that are declared', () => {
    const body = { tools: [{ name: 'other', input_schema: { type: 'object' } }], messages }
    expect(healRequest(body).body).toBe(body)
  })

  test('[Q5] are not declared if the provider does not require it', () => {
    const body = { model: 'gpt-5', messages: [question, call('a'), result('a')] }
    expect(healRequest(body).body).toBe(body)
  })
})

describe('state that the provider holds', () => {
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351' }

  test.each([
    [{ previous_response_id: 'resp_1', input: [output] }],
    [{ conversation: 'conv_1', input: [output] }],
    [{ conversation: { id: 'conv_1' }, input: [output, { role: 'user', content: 'And back?' }] }],
    [{ input: [{ type: 'item_reference', id: 'fc_1' }, output] }],
  ])('[Q6] its results do not count as orphans, and the request comes back as the same reference: %j', body => {
    expect(healRequest(body).body).toBe(body)
    expect(healRequest(body).remaining).toEqual([])
  })

  test('[Q6] is healed within what it shows', () => {
    const body = {
      previous_response_id: 'resp_1',
      input: [
        output,
        { type: 'function_call', call_id: 'call_2', name: 'book', arguments: '{}' },
        { role: 'user', content: 'Go on.' },
      ],
    }
    const healed = healRequest(body).body
    expect(healed.input).toHaveLength(4)
    expect(healed.input[0]).toBe(output)
    expect(healed.input[2]).toMatchObject({ type: 'function_call_output', call_id: 'call_2' })
  })

  test('[Q6] a request without it has an orphan', () => {
    const { body, repairs } = healRequest({ previous_response_id: null, input: [output, question] })
    expect(repairs.map(({ rule }) => rule)).toEqual(['orphan-result'])
    expect(body.input[0]).toMatchObject({ type: 'function_call' })
    expect(body.input.slice(1)).toEqual([output, question])
  })
})
