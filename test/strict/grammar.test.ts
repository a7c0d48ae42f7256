import { describe, expect, test } from 'vitest'
import { startStrict } from '../../src/strict/index.ts'
import { apis, dataOf, events, frames, hello, type Json, paths, post } from './wire.ts'

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

  test.each([
    ['length', ['length', 'incomplete', 'max_tokens', 'MAX_TOKENS', 'max_tokens']],
    ['refusal', ['stop', 'completed', 'refusal', 'SAFETY', 'content_filtered']],
    ['pause', ['stop', 'completed', 'pause_turn', 'STOP', 'end_turn']],
  ] as const)('every API: the reason to stop is %s', async (stop, reasons) => {
    await using strict = await startStrict({ script: () => ({ text: 'No.', stop }) })
    const bodies = await Promise.all(apis.map(api => post(strict, paths[api].whole, hello(api))))
    const [chat, responses, anthropic, gemini, bedrock] = bodies.map(body => body.json())
    expect([
      (chat.choices as Json[])[0].finish_reason,
      responses.status,
      anthropic.stop_reason,
      (gemini.candidates as Json[])[0].finishReason,
      bedrock.stopReason,
    ]).toEqual(reasons)
  })
})

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
