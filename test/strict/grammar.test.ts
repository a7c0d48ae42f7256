import { describe, expect, test } from 'vitest'
import { startStrict } from '../../src/strict/index.ts'
import { apis, dataOf, events, frames, get, hello, type Json, lines, paths, post } from './http.ts'

describe('the grammar of', () => {
  const calls = [
    { name: 'weather', input: { city: 'Lisbon' } },
    { name: 'time', input: {} },
  ]

  test('OpenAI chat: chunks, calls by index, usage on request', async () => {
    await using strict = await startStrict({ script: [{ text: 'Hm.', calls, usage: { input: 7, output: 5 } }] })
    const body = { ...hello('openai-chat'), stream: true, stream_options: { include_usage: true } }
    const all = events((await post(strict, paths['openai-chat'].stream, body)).text)
    expect(all.at(-1)?.data).toBe('[DONE]')
    const chunks = dataOf(all.slice(0, -1)) as unknown as Chunk[]
    expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1)
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '', refusal: null })
    const deltas = chunks.flatMap(({ choices }) => choices).flatMap(({ delta }) => delta.tool_calls ?? [])
    expect(deltas.filter(({ id }) => id)).toMatchObject([
      { index: 0, id: expect.stringMatching(/^call_\w{24}$/), type: 'function', function: { name: 'weather' } },
      { index: 1, id: expect.stringMatching(/^call_\w{24}$/), type: 'function', function: { name: 'time' } },
    ])
    const args = (at: number) => deltas.map(({ index, function: { arguments: a } }) => (index === at ? a : '')).join('')
    expect([args(0), args(1)]).toEqual(['{"city":"Lisbon"}', '{}'])
    expect(chunks.at(-2)?.choices[0].finish_reason).toBe('tool_calls')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, total_tokens: 12 } })
  })

  test('OpenAI chat: functions of the old kind', async () => {
    await using strict = await startStrict({ script: () => ({ calls }) })
    const body = { ...hello('openai-chat'), functions: [{ name: 'weather' }] }
    const [choice] = (await post(strict, '/v1/chat/completions', body)).json().choices as Json[]
    expect(choice).toMatchObject({
      message: { content: null, function_call: { name: 'weather', arguments: '{"city":"Lisbon"}' } },
      finish_reason: 'function_call',
    })
    expect(choice.message).not.toHaveProperty('tool_calls')
    const all = events((await post(strict, '/v1/chat/completions', { ...body, stream: true })).text)
    const chunks = dataOf(all.slice(0, -1)) as unknown as { choices: { delta: Json; finish_reason: unknown }[] }[]
    const deltas = chunks.flatMap(({ choices }) => [choices[0].delta.function_call ?? []].flat() as Json[])
    expect(deltas[0]).toEqual({ name: 'weather', arguments: '' })
    expect(deltas.map(delta => delta.arguments).join('')).toBe('{"city":"Lisbon"}')
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'function_call' })
  })

  test('OpenAI-shaped hosts: their ids and their thinking', async () => {
    await using strict = await startStrict({ script: () => ({ thinking: 'Let me see.', calls: [calls[0]] }) })
    const message = async (provider: string) => {
      const { choices } = (await post(strict, `/${provider}/v1/chat/completions`, hello('openai-chat'))).json()
      return (choices as { message: Json }[])[0].message
    }
    expect(await message('openai')).not.toHaveProperty('reasoning_content')
    expect(await message('deepseek')).toMatchObject({ content: null, reasoning_content: 'Let me see.' })
    expect(await message('mistral')).toMatchObject({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] }, { type: 'text' }],
      tool_calls: [{ id: expect.stringMatching(/^[a-zA-Z0-9]{9}$/) }],
    })
    expect(await message('moonshot')).toMatchObject({ tool_calls: [{ id: 'functions.weather:0' }] })
  })

  test('OpenAI Responses: numbered events, item by item', async () => {
    await using strict = await startStrict({ script: [{ thinking: 'Hm.', text: 'Let me.', calls: [calls[0]] }] })
    const body = { ...hello('openai-responses'), stream: true, include: ['reasoning.encrypted_content'] }
    const all = events((await post(strict, paths['openai-responses'].stream, body)).text)
    expect(dataOf(all).map(data => data.sequence_number)).toEqual(all.map((_, index) => index))
    expect(all.map(({ event }) => event)).toEqual(dataOf(all).map(({ type }) => type))
    expect(all.map(({ event }) => event?.replace('response.', ''))).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
      ...['output_item.added', 'content_part.added', 'output_text.delta'],
      ...['output_text.done', 'content_part.done', 'output_item.done'],
      ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.delta'],
      ...['function_call_arguments.delta', 'function_call_arguments.done', 'output_item.done'],
      'completed',
    ])
    const { response } = dataOf(all).at(-1) as unknown as { response: { output: Json[] } }
    expect(response).toMatchObject({ object: 'response', status: 'completed', store: true })
    expect(response.output).toMatchObject([
      { type: 'reasoning', id: expect.stringMatching(/^rs_/), encrypted_content: expect.any(String) },
      { type: 'message', id: expect.stringMatching(/^msg_/), content: [{ type: 'output_text', text: 'Let me.' }] },
      { type: 'function_call', id: expect.stringMatching(/^fc_/), call_id: expect.stringMatching(/^call_\w{24}$/) },
    ])
    expect(strict.state.signed(String(response.output[0].encrypted_content))).toBe('Hm.')
  })

  test('OpenAI Responses and chat: a free-form tool is called with a text', async () => {
    await using strict = await startStrict()
    const items = { ...hello('openai-responses'), tools: [{ type: 'custom', name: 'shell' }] }
    expect((await post(strict, '/v1/responses', items)).json()).toMatchObject({
      output: [{ type: 'custom_tool_call', name: 'shell', input: 'word' }],
    })
    const chat = { ...hello('openai-chat'), tools: [{ type: 'custom', custom: { name: 'shell' } }] }
    expect((await post(strict, '/v1/chat/completions', chat)).json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ type: 'custom', custom: { name: 'shell', input: 'word' } }] } }],
    })
  })

  test('Anthropic: blocks, a ping, a signature', async () => {
    await using strict = await startStrict({ script: [{ thinking: 'Hm.', text: 'Let me.', calls }] })
    const all = events((await post(strict, '/v1/messages', { ...hello('anthropic'), stream: true })).text)
    expect(all.map(({ event }) => event)).toEqual(dataOf(all).map(({ type }) => type))
    const told = all.map(({ event, data }) => (data as { delta?: { type?: string } }).delta?.type ?? event)
    const [start, stop] = ['content_block_start', 'content_block_stop']
    expect(told).toEqual([
      ...['message_start', start, 'ping', 'thinking_delta', 'signature_delta', stop],
      ...[start, 'text_delta', stop],
      ...[start, 'input_json_delta', 'input_json_delta', 'input_json_delta', 'input_json_delta', stop],
      ...[start, 'input_json_delta', stop],
      ...['message_delta', 'message_stop'],
    ])
    expect(all.at(-2)?.data).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: {} })
    const [use] = all.filter(({ data }) => (data as { index?: number }).index === 2)
    expect(use.data).toMatchObject({
      content_block: { type: 'tool_use', id: expect.stringMatching(/^toolu_01\w{22}$/), input: {} },
    })
    const signatures = dataOf(all).flatMap(({ delta }) => (delta as Json | undefined)?.signature ?? [])
    expect(signatures.map(signature => strict.state.signed(String(signature)))).toEqual(['Hm.'])
  })

  test('Gemini: chunks, signatures from Gemini 3 on, ids but on Vertex', async () => {
    await using strict = await startStrict({ script: () => ({ text: 'Hm.', calls }) })
    const parts = async (path: string) => {
      const { candidates } = (await post(strict, path, hello('gemini'))).json()
      return (candidates as { content: { parts: Json[] } }[])[0].content.parts
    }
    const signed = await parts(paths.gemini.whole)
    expect(signed).toMatchObject([
      { text: 'Hm.' },
      {
        functionCall: { id: expect.any(String), name: 'weather', args: { city: 'Lisbon' } },
        thoughtSignature: expect.any(String),
      },
      { functionCall: { name: 'time', args: {} } },
    ])
    expect(signed[2]).not.toHaveProperty('thoughtSignature')
    expect((await parts('/v1beta/models/gemini-2.5-pro:generateContent'))[1]).not.toHaveProperty('thoughtSignature')
    const [, vertex] = await parts('/vertex/v1/publishers/google/models/gemini-3-pro:generateContent')
    expect(vertex.functionCall).toEqual({ name: 'weather', args: { city: 'Lisbon' } })
  })

  test('Gemini: a stream brings all calls at once, and ends with the last of what it has to say', async () => {
    await using strict = await startStrict({
      script: [{ thinking: 'Hm.', text: 'A text in pieces.', calls }, 'A text in pieces.', ''],
    })
    const parts = async () => {
      const chunks = dataOf(events((await post(strict, paths.gemini.stream, hello('gemini'))).text))
      const candidates = chunks.map(({ candidates }) => (candidates as Candidate[])[0])
      expect(candidates.map(({ finishReason }) => finishReason).lastIndexOf(undefined)).toBe(candidates.length - 2)
      return candidates.map(({ content }) => content.parts)
    }
    const name = (name: string) => ({ functionCall: expect.objectContaining({ name }) })
    expect(await parts()).toMatchObject([
      ...[[{ text: 'Hm.', thought: true }], [{ text: 'A text i' }], [{ text: 'n pieces' }], [{ text: '.' }]],
      [name('weather'), name('time')],
    ])
    expect((await parts()).at(-1)).toEqual([{ text: '.' }])
    expect(await parts()).toEqual([[{ text: '' }]])
  })

  test('Gemini: a stream is a list without alt=sse, and both say the same', async () => {
    await using strict = await startStrict({ script: () => ({ text: 'A text in more than one piece.' }) })
    const sse = await post(strict, paths.gemini.stream, hello('gemini'))
    const list = await post(strict, paths.gemini.stream.replace('?alt=sse', ''), hello('gemini'))
    expect(list.headers.get('content-type')).toMatch('application/json')
    const told = (chunks: unknown[]) => chunks.map(chunk => (chunk as Json).candidates)
    expect(told(JSON.parse(list.text))).toEqual(told(events(sse.text).map(({ data }) => data)))
    expect(told(JSON.parse(list.text)).at(-1)).toMatchObject([{ finishReason: 'STOP' }])
  })

  test('Bedrock: blocks, and a stream in frames', async () => {
    await using strict = await startStrict({ script: () => ({ thinking: 'Hm.', text: 'Let me.', calls }) })
    expect((await post(strict, paths.bedrock.whole, hello('bedrock'))).json()).toMatchObject({
      output: {
        message: {
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.', signature: expect.any(String) } } },
            { text: 'Let me.' },
            { toolUse: { toolUseId: expect.stringMatching(/^tooluse_\w{22}$/), input: { city: 'Lisbon' } } },
            { toolUse: { name: 'time', input: {} } },
          ],
        },
      },
      stopReason: 'tool_use',
    })
    const stream = await post(strict, paths.bedrock.stream, hello('bedrock'))
    expect(stream.headers.get('content-type')).toBe('application/vnd.amazon.eventstream')
    expect(frames(stream.bytes).map(({ type }) => type)).toEqual([
      'messageStart',
      ...['contentBlockDelta', 'contentBlockDelta', 'contentBlockStop'],
      ...['contentBlockDelta', 'contentBlockStop'],
      ...['contentBlockStart', 'contentBlockDelta', 'contentBlockDelta', 'contentBlockDelta', 'contentBlockStop'],
      ...['contentBlockStart', 'contentBlockDelta', 'contentBlockStop'],
      ...['messageStop', 'metadata'],
    ])
  })

  test('Cohere, version 2: words beside calls are a plan', async () => {
    await using strict = await startStrict({ script: () => ({ thinking: 'Hm.', text: 'Let me.', calls }) })
    const body = (await post(strict, '/v2/chat', hello('cohere-v2'))).json()
    const id = expect.stringMatching(/^weather_\w{12}$/)
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'Hm.' }],
        tool_plan: 'Let me.',
        tool_calls: [
          { id, type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } },
          { id: expect.any(String), type: 'function', function: { name: 'time', arguments: '{}' } },
        ],
      },
      usage: expect.objectContaining({
        tokens: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      }),
    })
    const all = events((await post(strict, '/v2/chat', { ...hello('cohere-v2'), stream: true })).text)
    expect(all.at(-1)).toEqual({ data: '[DONE]' })
    const told = all.slice(0, -1)
    expect(told.map(({ event }) => event)).toEqual(dataOf(told).map(({ type }) => type))
    expect(told.map(({ event }) => event)).toEqual([
      'message-start',
      ...['content-start', 'content-delta', 'content-end', 'tool-plan-delta'],
      ...['tool-call-start', 'tool-call-delta', 'tool-call-delta', 'tool-call-delta', 'tool-call-end'],
      ...['tool-call-start', 'tool-call-delta', 'tool-call-end'],
      'message-end',
    ])
    expect(dataOf(told)[4]).toMatchObject({ delta: { message: { tool_plan: 'Let me.' } } })
    expect(dataOf(told)[5]).toEqual({
      ...{ type: 'tool-call-start', index: 0 },
      delta: { message: { tool_calls: { id, type: 'function', function: { name: 'weather', arguments: '' } } } },
    })
    expect(dataOf(told)[10]).toMatchObject({ index: 1 })
    expect(dataOf(told).at(-1)).toMatchObject({ delta: { finish_reason: 'TOOL_CALL', usage: { billed_units: {} } } })
  })

  test('Cohere, version 2: words alone are content', async () => {
    await using strict = await startStrict({ script: () => 'A text in pieces.' })
    expect((await post(strict, '/v2/chat', hello('cohere-v2'))).json().message).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'A text in pieces.' }],
    })
    const all = dataOf(events((await post(strict, '/v2/chat', { ...hello('cohere-v2'), stream: true })).text))
    expect(all[1]).toMatchObject({ index: 0, delta: { message: { content: { type: 'text', text: '' } } } })
    const texts = all.filter(({ type }) => type === 'content-delta').map(({ delta }) => delta) as unknown as Said[]
    expect(texts.map(({ message }) => message.content.text).join('')).toBe('A text in pieces.')
  })

  test('Cohere, version 1: a history to go on with, and a stream of lines or of events', async () => {
    await using strict = await startStrict({ script: () => ({ text: 'Let me.', calls }) })
    const tool_calls = [
      { name: 'weather', parameters: { city: 'Lisbon' } },
      { name: 'time', parameters: {} },
    ]
    const before = [
      { role: 'USER', message: 'Hello' },
      { role: 'CHATBOT', message: 'Hm.', tool_calls },
    ]
    const tool_results = [{ call: tool_calls[0], outputs: [{ output: 'sunny' }] }]
    const body = { model: 'm', message: '', chat_history: before, tool_results }
    const whole = (await post(strict, '/v1/chat', body)).json()
    expect(whole).toEqual({
      ...{ text: 'Let me.', tool_calls, finish_reason: 'COMPLETE' },
      ...{ response_id: expect.any(String), generation_id: expect.any(String) },
      chat_history: [...before, { role: 'TOOL', tool_results }, { role: 'CHATBOT', message: 'Let me.', tool_calls }],
      meta: expect.objectContaining({ api_version: { version: '1' } }),
    })
    const stream = await post(strict, '/v1/chat', { ...body, stream: true })
    expect(stream.headers.get('content-type')).toBe('application/stream+json')
    const told = lines(stream.text)
    expect(told.map(({ event_type }) => event_type)).toEqual([
      ...['stream-start', 'tool-calls-chunk'],
      ...['tool-calls-chunk', 'tool-calls-chunk', 'tool-calls-chunk', 'tool-calls-chunk'],
      ...['tool-calls-chunk', 'tool-calls-chunk'],
      ...['tool-calls-generation', 'stream-end'],
    ])
    expect(told.map(({ is_finished }) => is_finished)).toEqual([...Array(9).fill(false), true])
    expect(told[1]).toMatchObject({ text: 'Let me.' })
    expect(told[2]).toMatchObject({ tool_call_delta: { index: 0, name: 'weather' } })
    expect(told[7]).toMatchObject({ tool_call_delta: { index: 1, parameters: '{}' } })
    expect(told[8]).toMatchObject({ text: 'Let me.', tool_calls })
    const { generation_id } = told[0]
    const response = { ...whole, generation_id, response_id: expect.any(String), meta: expect.anything() }
    expect(told[9]).toMatchObject({ finish_reason: 'COMPLETE', response })
    const sse = await post(strict, '/v1/chat', { ...body, stream: true }, { accepts: 'text/event-stream' })
    expect(sse.headers.get('content-type')).toMatch('text/event-stream')
    expect(events(sse.text).map(({ event }) => event)).toEqual(told.map(({ event_type }) => event_type))
  })

  test("[S11] Ollama's own chat: one JSON text a line unless the request says otherwise, calls whole and without ids", async () => {
    const calls = [{ name: 'weather', input: { city: 'Rome' } }, { name: 'time' }]
    await using strict = await startStrict({ script: () => ({ text: 'Let me see.', thinking: 'Hm.', calls }) })
    const whole = (await post(strict, '/api/chat', hello('ollama'))).json()
    const tool_calls = [
      { function: { index: 0, name: 'weather', arguments: { city: 'Rome' } } },
      { function: { index: 1, name: 'time', arguments: {} } },
    ]
    expect(whole).toMatchObject({
      ...{ model: 'm', created_at: expect.stringMatching(/^2026-/), done: true, done_reason: 'stop' },
      message: { role: 'assistant', content: 'Let me see.', thinking: 'Hm.', tool_calls },
    })
    const { stream: _, ...body } = hello('ollama')
    const streamed = await post(strict, '/api/chat', body)
    expect(streamed.headers.get('content-type')).toBe('application/x-ndjson')
    const all = lines(streamed.text) as { message: Json; done: boolean }[]
    expect(all.map(({ done }) => done)).toEqual([...all.slice(1).map(() => false), true])
    expect(all.map(({ message }) => message.content).join('')).toBe('Let me see.')
    expect(all.flatMap(({ message }) => message.tool_calls ?? [])).toEqual(tool_calls)
    expect(all.at(-1)).toMatchObject({ done_reason: 'stop', prompt_eval_count: expect.any(Number) })
    expect(await get(strict, '/api/tags')).toMatchObject({ models: [{ model: 'strict' }] })
  })

  test('[S12] interactions: steps, a thought with the signature, events that name themselves, and stored state', async () => {
    const calls = [{ name: 'weather', input: { city: 'Rome' } }, { name: 'time' }]
    await using strict = await startStrict({
      script: ({ results }) => (results.length > 0 ? 'Sunny.' : { text: 'Let me see.', thinking: 'Hm.', calls }),
    })
    const body = { model: 'gemini-3-pro', input: 'Weather?' }
    const whole = (await post(strict, '/v1beta/interactions', body)).json()
    const steps = whole.steps as Json[]
    expect(whole).toMatchObject({ object: 'interaction', status: 'requires_action', id: expect.stringMatching(/^v1_/) })
    expect(steps).toMatchObject([
      { type: 'thought', signature: expect.any(String), summary: [{ type: 'text', text: 'Hm.' }] },
      { type: 'model_output', content: [{ type: 'text', text: 'Let me see.' }] },
      { type: 'function_call', name: 'weather', arguments: { city: 'Rome' } },
      { type: 'function_call', name: 'time', arguments: {} },
    ])
    const { text } = await post(strict, '/v1beta/interactions?alt=sse', { ...body, stream: true })
    const told = events(text).map(({ event, data }) => ({ event, data: data as Json }))
    expect(told.every(({ event, data }) => event === data.event_type)).toBe(true)
    expect(told.map(({ event }) => event).filter(event => !event?.startsWith('step.'))).toEqual([
      ...['interaction.created', 'interaction.status_update', 'interaction.completed'],
    ])
    const deltas = told.flatMap(({ data }) => (data.event_type === 'step.delta' ? [data.delta as Json] : []))
    expect(
      deltas
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Let me see.')
    expect(deltas.filter(({ type }) => type === 'thought_signature')).toHaveLength(1)
    const input = steps.slice(2).map(({ id, name }) => ({ type: 'function_result', call_id: id, name, result: 'ok' }))
    const next = { ...body, previous_interaction_id: whole.id, input }
    expect((await post(strict, '/v1beta/interactions', next)).json()).toMatchObject({
      status: 'completed',
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Sunny.' }] }],
    })
    expect(await get(strict, `/v1beta/interactions/${whole.id}`)).toMatchObject({ id: whole.id, steps })
    const lost = await post(strict, '/v1beta/interactions', { ...next, previous_interaction_id: 'v1_gone' })
    expect([lost.status, lost.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  })

  test.each([
    [
      'length',
      [
        'length',
        'incomplete',
        'max_tokens',
        'MAX_TOKENS',
        'max_tokens',
        'MAX_TOKENS',
        'MAX_TOKENS',
        'length',
        'incomplete',
      ],
    ],
    [
      'refusal',
      ['stop', 'completed', 'refusal', 'SAFETY', 'content_filtered', 'COMPLETE', 'ERROR_TOXIC', 'stop', 'completed'],
    ],
    ['pause', ['stop', 'completed', 'pause_turn', 'STOP', 'end_turn', 'COMPLETE', 'COMPLETE', 'stop', 'completed']],
  ] as const)('every API: the reason to stop is %s', async (stop, reasons) => {
    await using strict = await startStrict({ script: () => ({ text: 'No.', stop }) })
    const bodies = await Promise.all(apis.map(api => post(strict, paths[api].whole, hello(api))))
    const [chat, responses, anthropic, gemini, bedrock, cohereV2, cohereV1, ollama, interactions] = bodies.map(body =>
      body.json(),
    )
    expect([
      (chat.choices as Json[])[0].finish_reason,
      responses.status,
      anthropic.stop_reason,
      (gemini.candidates as Json[])[0].finishReason,
      bedrock.stopReason,
      cohereV2.finish_reason,
      cohereV1.finish_reason,
      ollama.done_reason,
      interactions.status,
    ]).toEqual(reasons)
  })
})

interface Said {
  message: { content: { text: string } }
}

interface Candidate {
  content: { parts: Json[] }
  finishReason?: string
}

interface Chunk {
  id?: string
  object?: string
  choices: { delta: { tool_calls?: ToolDelta[] }; finish_reason: string | null }[]
}

interface ToolDelta {
  index: number
  id?: string
  function: { arguments: string }
}
