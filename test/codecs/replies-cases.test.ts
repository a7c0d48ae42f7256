import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { replies } from '../../src/codecs/shared/replies.ts'
import type { Reply } from '../../src/codecs/shared/reply.ts'
import type { CodecId } from '../../src/index.ts'

const read = (format: CodecId, response: unknown) => replies[format].read(response) as Reply

function fold(format: CodecId, chunks: readonly unknown[]): Reply {
  const run = replies[format].fold()
  for (const chunk of chunks) run.push(chunk)
  return run.end()
}

const callsIn = (format: CodecId, messages: readonly unknown[] = []) =>
  codecs[format].decode(messages).messages.flatMap(({ parts }) => parts.filter(part => part.kind === 'call'))

describe('openai-chat', () => {
  const completion = (message: object, finish_reason = 'stop') => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-5', usage: { total_tokens: 3 } },
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  })
  const only = (message: object) => read('openai-chat', completion(message)).messages[0]

  test('what requests refuse is left out, and everything else is kept', () => {
    const nothing = { refusal: null, annotations: [], audio: null, function_call: null, tool_calls: null }
    expect(only({ content: 'Hi.', ...nothing, parsed: {}, vendor: { a: null } })).toEqual({
      ...{ role: 'assistant', content: 'Hi.' },
      vendor: { a: null },
    })
    expect(read('openai-chat', completion({ content: 'Hi.', annotations: [{ type: 'url_citation' }] }))).toEqual({
      messages: [{ role: 'assistant', content: 'Hi.' }],
      left: [{ role: 'assistant', annotations: [{ type: 'url_citation' }] }],
      ...{ finish: 'stop', id: 'chatcmpl-1', model: 'gpt-5', usage: { total_tokens: 3 } },
    })
    const audio = { id: 'audio_1', data: 'AAAA', transcript: 'Hi.', expires_at: 1 }
    expect(only({ content: null, audio })).toEqual({ role: 'assistant', content: null, audio: { id: 'audio_1' } })
    const called = { name: 'look', arguments: '{}' }
    const parsed = { id: 'a', type: 'function', function: { ...called, parsed_arguments: {} }, index: 0 }
    expect(only({ content: null, tool_calls: [parsed] })).toEqual({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'a', type: 'function', function: called }],
    })
    expect(only({ tool_calls: [{ id: 'a', function: { name: 'look', arguments: { x: 1 } } }] })).toEqual({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"x":1}' } }],
    })
  })

  test('reasoning stays under every name', () => {
    const reasoning = {
      reasoning_content: 'a',
      reasoning: 'b',
      reasoning_details: [{ type: 'reasoning.text', text: 'c' }],
    }
    expect(only({ content: 'Hi.', ...reasoning })).toEqual({ role: 'assistant', content: 'Hi.', ...reasoning })
  })

  test('the details of reasoning grow part by part', () => {
    const delta = (...reasoning_details: object[]) => ({ choices: [{ index: 0, delta: { reasoning_details } }] })
    const { messages } = fold('openai-chat', [
      delta({ type: 'reasoning.text', index: 0, text: 'Let ', format: 'x' }),
      delta({ type: 'reasoning.text', index: 0, text: 'me.', signature: null }),
      delta({ type: 'reasoning.text', index: 0, signature: 'sig' }),
      delta({ type: 'reasoning.summary', summary: 'So ' }, { type: 'reasoning.summary', summary: 'far.' }),
      delta({ type: 'reasoning.encrypted', data: 'abc', id: 'rs_1' }),
      delta({ type: 'reasoning.encrypted', data: 'def', id: 'rs_2' }),
      { choices: [{ delta: { content: 'Hi.' }, finish_reason: 'stop' }] },
    ])
    expect(messages).toEqual([
      {
        ...{ role: 'assistant', content: 'Hi.' },
        reasoning_details: [
          { type: 'reasoning.text', index: 0, text: 'Let me.', format: 'x', signature: 'sig' },
          { type: 'reasoning.summary', summary: 'So far.' },
          { type: 'reasoning.encrypted', data: 'abc', id: 'rs_1' },
          { type: 'reasoning.encrypted', data: 'def', id: 'rs_2' },
        ],
      },
    ])
  })

  test('a call keeps what a vendor put beside it', () => {
    const extra_content = { google: { thought_signature: 'sig' } }
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '{}' }, extra_content }
    const { messages } = fold('openai-chat', [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'stop' }] }])
    const { index: _, ...kept } = call
    expect(messages).toEqual([{ role: 'assistant', content: null, tool_calls: [kept] }])
  })

  test('custom tools and the one call of old', () => {
    const chunks = (delta: object[], finish_reason: string) => [
      ...delta.map(delta => ({ choices: [{ index: 0, delta }] })),
      { choices: [{ index: 0, delta: {}, finish_reason }] },
    ]
    const custom = [
      { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }] },
      { tool_calls: [{ index: 0, custom: { input: ' 1' } }] },
    ]
    const call = { id: 'a', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    expect(fold('openai-chat', chunks(custom, 'tool_calls')).messages).toEqual([message])
    expect(fold('openai-chat', chunks(custom, 'length'))).toEqual({
      ...{ messages: [], finish: 'length' },
      left: [{ role: 'assistant', tool_calls: [call] }],
    })
    const old = [
      { function_call: { name: 'look', arguments: '' } },
      { function_call: { arguments: '{"a":' } },
      { function_call: { arguments: '1}' } },
    ]
    const function_call = { name: 'look', arguments: '{"a":1}' }
    expect(fold('openai-chat', chunks(old, 'function_call')).messages).toEqual([
      { role: 'assistant', content: null, function_call },
    ])
    const half = { role: 'assistant', function_call: { name: 'look', arguments: '{"a":' } }
    expect(fold('openai-chat', chunks(old.slice(0, 2), 'length'))).toEqual({
      messages: [],
      finish: 'length',
      left: [half],
    })
  })

  test.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['content_filter', 'refusal'],
    ['model_length', 'length'],
    ['error', 'cut'],
    ['insufficient_system_resource', 'cut'],
    ['eos', 'stop'],
  ])('%s is %s', (reason, finish) => {
    expect(read('openai-chat', completion({ content: 'Hi.' }, reason)).finish).toBe(finish)
    expect(fold('openai-chat', [{ choices: [{ delta: { content: 'Hi.' }, finish_reason: reason }] }]).finish).toBe(
      finish,
    )
  })

  test('other choices are not heard', () => {
    const choice = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null })
    const chunks = [
      { choices: [choice(1, 'No'), choice(0, 'Ye')] },
      { choices: [choice(1, '!')] },
      { choices: [{ ...choice(0, 's.'), finish_reason: 'stop' }] },
    ]
    expect(fold('openai-chat', chunks).messages).toEqual([{ role: 'assistant', content: 'Yes.' }])
  })

  test('a stream may end without a reason', () => {
    expect(fold('openai-chat', [{ choices: [{ delta: { content: 'Hi.' } }] }, '[DONE]'])).toMatchObject({
      finish: 'stop',
    })
  })

  test('calls with unreadable arguments are kept for healing, except at the token limit', () => {
    const tool_calls = ['{"a', '{}', '[1]'].map((input, index) => ({
      ...{ id: `c${index}`, type: 'function' },
      function: { name: 'look', arguments: input },
    }))
    expect(read('openai-chat', completion({ content: null, tool_calls }, 'tool_calls'))).toMatchObject({
      messages: [{ tool_calls }],
    })
    expect(read('openai-chat', completion({ content: null, tool_calls }, 'length'))).toMatchObject({
      messages: [{ tool_calls: [tool_calls[1]] }],
      left: [{ tool_calls: [tool_calls[0], tool_calls[2]] }],
    })
  })
})

describe('openai-responses', () => {
  const text = { type: 'output_text', text: 'Hi.', annotations: [] }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [text] }
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'abc' }
  const call = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'a', name: 'look', arguments: '{}' }
  const response = (output: object[], more = {}) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output,
    ...more,
  })
  const incomplete = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } })

  test('items are input items as they are, without what a client parsed', () => {
    const items = [reasoning, { id: 'ws_1', type: 'web_search_call', status: 'completed' }, message, call]
    const { messages } = read('openai-responses', response(items))
    expect(messages).toEqual(items)
    for (const [index, item] of messages.entries()) expect(item).toBe(items[index])
    const parsed = [
      { ...message, content: [{ ...text, parsed: {} }] },
      { ...call, parsed_arguments: {} },
    ]
    expect(read('openai-responses', response(parsed)).messages).toEqual([message, call])
  })

  test('reasoning that leads to nothing is left out', () => {
    const half = { ...call, id: 'fc_2', call_id: 'b', arguments: '{"a', status: 'incomplete' }
    const items = [reasoning, message, call, { ...reasoning, id: 'rs_2' }, half]
    expect(read('openai-responses', response(items, incomplete('max_output_tokens')))).toMatchObject({
      ...{ messages: items.slice(0, 3), finish: 'length', left: items.slice(3) },
    })
    expect(read('openai-responses', response([reasoning], incomplete('max_output_tokens')))).toMatchObject({
      ...{ messages: [], left: [reasoning] },
    })
  })

  test('how it ended', () => {
    const refusal = { ...message, content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(read('openai-responses', response([refusal]))).toMatchObject({ finish: 'refusal', messages: [refusal] })
    expect(read('openai-responses', response([message], incomplete('content_filter'))).finish).toBe('refusal')
    const failed = read('openai-responses', response([reasoning, message, call], { status: 'failed', error: {} }))
    const bare = { type: 'message', role: 'assistant', content: [text] }
    expect(failed).toMatchObject({ finish: 'cut', messages: [bare], left: [reasoning, call] })
    expect(failed.messages).toEqual([bare])
  })

  test('the items of the stream count if the end shows none', () => {
    const custom = {
      id: 'ctc_1',
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'b',
      name: 'sql',
      input: 'SELECT 1',
    }
    const events = [
      { type: 'response.created', response: response([]) },
      ...[message, call, custom].map((item, output_index) => ({
        type: 'response.output_item.done',
        output_index,
        item,
      })),
    ]
    const end = (output: object[]) => ({ type: 'response.completed', response: response(output) })
    expect(fold('openai-responses', [...events, end([])]).messages).toEqual([message, call, custom])
    expect(fold('openai-responses', [...events, end([message])]).messages).toEqual([message])
    const failed = { type: 'response.failed', response: response([], { status: 'failed', error: { code: 'x' } }) }
    expect(fold('openai-responses', [...events, failed])).toMatchObject({ finish: 'cut', left: [call, custom] })
    const run = replies['openai-responses'].fold()
    run.push(failed)
    expect(run.failure).toEqual({ code: 'x' })
  })
})

describe('anthropic', () => {
  const message = (content: object[], stop_reason: string | null = 'end_turn') => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content, stop_reason },
    usage: { output_tokens: 1 },
  })
  const text = { type: 'text', text: 'Hi.' }
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
  const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
  const call = { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } }

  test.each([
    ['end_turn', 'stop'],
    ['tool_use', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'pause'],
    ['refusal', 'refusal'],
    [null, 'cut'],
  ])('%s is %s', (reason, finish) => {
    expect(read('anthropic', message([text], reason)).finish).toBe(finish)
  })

  test('a turn that pauses is kept as it is, with what its server still does', () => {
    expect(read('anthropic', message([text, search], 'pause_turn')).messages).toEqual([
      { role: 'assistant', content: [text, search] },
    ])
    expect(read('anthropic', message([text, search], 'max_tokens'))).toMatchObject({
      messages: [{ content: [text] }],
      left: [{ content: [search] }],
    })
    for (const reason of ['end_turn', 'max_tokens', 'refusal'])
      expect(read('anthropic', message([search, found, text], reason)).messages).toEqual([
        { role: 'assistant', content: [search, found, text] },
      ])
  })

  test('blank text and lone thinking are not sent again', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'sig' }
    const blank = { type: 'text', text: '\n\n' }
    expect(read('anthropic', message([thinking, blank, call], 'tool_use')).messages).toEqual([
      { role: 'assistant', content: [thinking, call] },
    ])
    expect(read('anthropic', message([thinking]))).toMatchObject({ messages: [], left: [{ content: [thinking] }] })
    expect(read('anthropic', message([]))).toMatchObject({ messages: [], finish: 'stop' })
  })

  test('a call without arguments at the end of a reply that was too long is not trusted', () => {
    const empty = { ...call, id: 'b', input: {} }
    expect(read('anthropic', message([empty, call], 'max_tokens')).messages).toEqual([
      { role: 'assistant', content: [empty, call] },
    ])
    expect(read('anthropic', message([call, empty], 'max_tokens'))).toMatchObject({
      messages: [{ content: [call] }],
      left: [{ content: [empty] }],
    })
    expect(read('anthropic', message([call, empty], 'tool_use')).messages).toEqual([
      { role: 'assistant', content: [call, empty] },
    ])
  })

  test('citations, encrypted thinking and the tools of the server are put together', () => {
    const citation = { type: 'char_location', cited_text: 'x', document_index: 0, file_id: null }
    const { file_id: _, ...sendable } = citation
    const block = (index: number, content_block: object, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
    const redacted = { type: 'redacted_thinking', data: 'abc' }
    const chunks = [
      { type: 'message_start', message: { ...message([], null), usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: 'ping' },
      ...block(0, redacted),
      ...block(1, { ...search, input: {} }, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
      ...block(2, found),
      ...block(
        3,
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Hi.' },
        { type: 'citations_delta', citation },
      ),
      ...block(4, { ...call, input: {} }, { type: 'input_json_delta', partial_json: '' }),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9, input_tokens: null } },
      { type: 'message_stop' },
    ]
    const content = [redacted, search, found, { ...text, citations: [sendable] }, { ...call, input: {} }]
    expect(fold('anthropic', chunks)).toEqual({
      messages: [{ role: 'assistant', content }],
      ...{ finish: 'stop', id: 'msg_1', model: 'claude', usage: { input_tokens: 5, output_tokens: 9 } },
    })
    expect(fold('anthropic', chunks.slice(0, -1))).toMatchObject({
      messages: [{ role: 'assistant', content: [text] }],
      left: [{ role: 'assistant', content: [redacted, search, found, { ...call, input: {} }] }],
    })
    expect(read('anthropic', message([{ ...text, citations: [citation] }])).messages).toEqual([
      { role: 'assistant', content: [{ ...text, citations: [sendable] }] },
    ])
  })

  test('arguments that nobody can read stay the text that they are', () => {
    const chunks = (reason: string) => [
      { type: 'content_block_start', index: 0, content_block: { ...call, input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a' } },
      { type: 'message_delta', delta: { stop_reason: reason } },
      { type: 'message_stop' },
    ]
    const half = { role: 'assistant', content: [{ ...call, input: '{"a' }] }
    expect(fold('anthropic', chunks('tool_use')).messages).toEqual([half])
    expect(fold('anthropic', chunks('max_tokens'))).toEqual({ messages: [], finish: 'length', left: [half] })
  })
})

describe('gemini', () => {
  const chunk = (parts: object[], finishReason?: string) => ({
    candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  })

  test('parts that must come back as they are stay apart', () => {
    const signed = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'sig' }
    const { messages } = fold('gemini', [
      chunk([{ text: 'I ', thought: true }]),
      chunk([{ text: 'think.', thought: true }]),
      chunk([{ text: 'So ' }, { text: 'it ' }]),
      chunk([{ text: 'is.' }]),
      chunk([{ text: '', thoughtSignature: 'end' }]),
      chunk([{ text: 'Or not.' }]),
      chunk([signed, { functionCall: { name: 'look' } }]),
      chunk([{ executableCode: { code: '1' } }], 'STOP'),
    ])
    expect(messages).toEqual([
      {
        role: 'model',
        parts: [
          ...[{ text: 'I think.', thought: true }, { text: 'So it is.' }, { text: '', thoughtSignature: 'end' }],
          ...[{ text: 'Or not.' }, signed, { functionCall: { name: 'look' } }, { executableCode: { code: '1' } }],
        ],
      },
    ])
  })

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'refusal'],
    ['RECITATION', 'refusal'],
    ['PROHIBITED_CONTENT', 'refusal'],
    ['OTHER', 'stop'],
  ])('%s is %s', (reason, finish) => {
    expect(read('gemini', chunk([{ text: 'Hi.' }], reason)).finish).toBe(finish)
  })

  test('a call that the model failed to make is none', () => {
    const call = { functionCall: { name: 'look', args: {} } }
    for (const reply of [
      read('gemini', chunk([{ text: 'Hm.' }, call], 'MALFORMED_FUNCTION_CALL')),
      fold('gemini', [chunk([{ text: 'Hm.' }, call], 'MALFORMED_FUNCTION_CALL')]),
    ])
      expect(reply).toEqual({
        messages: [{ role: 'model', parts: [{ text: 'Hm.' }] }],
        left: [{ role: 'model', parts: [call] }],
        finish: 'stop',
      })
    expect(read('gemini', { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] })).toEqual({
      messages: [],
      finish: 'stop',
    })
  })

  test('a prompt that is blocked is a refusal', () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, responseId: 'r' }
    expect(read('gemini', blocked)).toEqual({ messages: [], finish: 'refusal', id: 'r' })
    expect(fold('gemini', [blocked])).toEqual({ messages: [], finish: 'refusal', id: 'r' })
  })

  test('arguments that come value by value are put together', () => {
    const piece = (functionCall: object) => chunk([{ functionCall }])
    const chunks = [
      chunk([{ functionCall: { name: 'book', id: 'a', willContinue: true }, thoughtSignature: 'sig' }]),
      piece({ partialArgs: [{ jsonPath: '$.city', stringValue: 'Lis', willContinue: true }], willContinue: true }),
      piece({
        partialArgs: [
          { jsonPath: '$.city', stringValue: 'bon' },
          { jsonPath: '$.nights', numberValue: 2 },
        ],
        willContinue: true,
      }),
      piece({
        partialArgs: [
          { jsonPath: "$.guests[1]['full name']", stringValue: 'B' },
          { jsonPath: '$.guests[0].name', stringValue: 'A' },
        ],
        willContinue: true,
      }),
      piece({
        partialArgs: [
          { jsonPath: '$.late', boolValue: false },
          { jsonPath: '$.note', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      }),
      piece({}),
      chunk([{ functionCall: { name: 'look', args: { x: 1 } } }], 'STOP'),
    ]
    const args = { city: 'Lisbon', nights: 2, guests: [{ name: 'A' }, { 'full name': 'B' }], late: false, note: null }
    expect(fold('gemini', chunks).messages).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'book', id: 'a', args }, thoughtSignature: 'sig' },
          { functionCall: { name: 'look', args: { x: 1 } } },
        ],
      },
    ])
    const half = fold('gemini', [...chunks.slice(0, 3), chunk([], 'MAX_TOKENS')])
    expect(half.messages).toEqual([])
    expect(callsIn('gemini', half.left)).toMatchObject([{ name: 'book', input: { city: 'Lisbon', nights: 2 } }])
  })
})

describe('bedrock', () => {
  const call = { toolUse: { toolUseId: 'a', name: 'look', input: { x: 1 } } }
  const answer = (content: object[], stopReason: string) => ({
    ...{ output: { message: { role: 'assistant', content } }, stopReason, usage: { totalTokens: 1 } },
    $metadata: { requestId: 'r' },
  })

  test.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'refusal'],
    ['content_filtered', 'refusal'],
    ['malformed_tool_use', 'stop'],
  ])('%s is %s', (reason, finish) => {
    const reply = read('bedrock', answer([{ text: 'Hi.' }, call], reason))
    expect(reply).toMatchObject({ finish, id: 'r', usage: { totalTokens: 1 } })
    expect(callsIn('bedrock', reply.messages)).toHaveLength(reason === 'malformed_tool_use' ? 0 : 1)
  })

  test('bytes, citations and the tools of the server are put together', () => {
    const delta = (contentBlockIndex: number, delta: object) => ({ contentBlockDelta: { contentBlockIndex, delta } })
    const start = (contentBlockIndex: number, start: object) => ({ contentBlockStart: { contentBlockIndex, start } })
    const citation = { title: 'A', location: {} }
    const ran = { toolUseId: 's', name: 'web', type: 'server_tool_use' }
    const chunks = [
      { messageStart: { role: 'assistant' } },
      delta(0, { reasoningContent: { redactedContent: new Uint8Array([1, 2]) } }),
      delta(0, { reasoningContent: { redactedContent: new Uint8Array([3]) } }),
      start(1, { toolUse: ran }),
      delta(1, { toolUse: { input: '{"q":1}' } }),
      start(2, { toolResult: { toolUseId: 's', type: 'web_result', status: 'success' } }),
      delta(2, { toolResult: [{ text: 'found' }] }),
      delta(3, { text: 'It ' }),
      delta(3, { citation }),
      delta(3, { text: 'is.' }),
      start(4, { toolUse: { toolUseId: 'a', name: 'look' } }),
      { messageStop: { stopReason: 'tool_use' } },
    ]
    const content = [
      { reasoningContent: { redactedContent: new Uint8Array([1, 2, 3]) } },
      { toolUse: { ...ran, input: { q: 1 } } },
      { toolResult: { toolUseId: 's', type: 'web_result', status: 'success', content: [{ text: 'found' }] } },
      { citationsContent: { content: [{ text: 'It is.' }], citations: [citation] } },
      { toolUse: { toolUseId: 'a', name: 'look', input: {} } },
    ]
    expect(fold('bedrock', chunks).messages).toEqual([{ role: 'assistant', content }])
    expect(fold('bedrock', chunks.slice(0, -1)).messages).toEqual([
      { role: 'assistant', content: [{ text: 'It is.' }] },
    ])
  })

  test('arguments that nobody can read stay the text that they are', () => {
    const chunks = (input: string, stopReason: string) => [
      { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'a', name: 'look' } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input } } } },
      { messageStop: { stopReason } },
    ]
    const called = (input: unknown) => [
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'look', input } }] },
    ]
    expect(fold('bedrock', chunks('{"x', 'tool_use'))).toEqual({ messages: called('{"x'), finish: 'stop' })
    expect(fold('bedrock', chunks('{"x', 'max_tokens'))).toEqual({
      messages: [],
      finish: 'length',
      left: called('{"x'),
    })
    expect(fold('bedrock', chunks('', 'max_tokens'))).toEqual({ messages: [], finish: 'length', left: called({}) })
  })

  test('an exception inside the stream is kept', () => {
    const exception = { throttlingException: { message: 'Too many' } }
    const run = replies.bedrock.fold()
    for (const chunk of [{ contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hi.' } } }, exception])
      run.push(chunk)
    expect(run.failure).toBe(exception)
    expect(run.end()).toEqual({ messages: [{ role: 'assistant', content: [{ text: 'Hi.' }] }], finish: 'cut' })
  })
})

describe('ai-sdk', () => {
  test('approvals, files and tools of the provider', () => {
    const call = { toolCallId: 'a', toolName: 'pay', input: { sum: 1 } }
    const hosted = { toolCallId: 's', toolName: 'web', providerExecuted: true }
    const { messages, finish } = fold('ai-sdk', [
      { type: 'start-step', request: {} },
      { type: 'file', file: { base64: 'AAAA', mediaType: 'image/png' } },
      { type: 'tool-call', ...hosted, input: {} },
      { type: 'tool-result', ...hosted, input: {}, output: { found: 1 }, preliminary: true },
      { type: 'tool-result', ...hosted, input: {}, output: { found: 2 } },
      { type: 'tool-call', ...call },
      { type: 'tool-approval-request', approvalId: 'p', toolCall: call },
      { type: 'source', sourceType: 'url', id: '1', url: 'x' },
      { type: 'finish-step', finishReason: 'tool-calls', usage: {} },
      { type: 'finish', finishReason: 'tool-calls' },
    ])
    expect(finish).toBe('stop')
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'file', data: 'AAAA', mediaType: 'image/png' },
          { type: 'tool-call', ...hosted, input: {} },
          { type: 'tool-result', toolCallId: 's', toolName: 'web', output: { type: 'json', value: { found: 2 } } },
          { type: 'tool-call', ...call },
          { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' },
        ],
      },
    ])
    expect(callsIn('ai-sdk', messages)).toMatchObject([{ by: 'provider' }, { by: 'client', approval: 'requested' }])
  })

  test('what an approved call gave before the first step is kept, whatever comes', () => {
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'pay', input: {}, output: 'paid' }
    const answer = { type: 'tool-result', toolCallId: 'a', toolName: 'pay', output: { type: 'text', value: 'paid' } }
    expect(fold('ai-sdk', [{ type: 'start' }, result])).toEqual({
      messages: [{ role: 'tool', content: [answer] }],
      finish: 'cut',
    })
  })

  test('an abort cuts, and the result of a stream is not one of a run', () => {
    const said = [{ type: 'text-delta', id: '0', text: 'Hi.' }, { type: 'abort' }]
    expect(fold('ai-sdk', said)).toEqual({
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }],
      finish: 'cut',
    })
    class Streaming {
      get steps(): never {
        throw new Error('read too early')
      }
    }
    expect(read('ai-sdk', new Streaming())).toBeUndefined()
  })
})

describe('ai-sdk-ui', () => {
  const step = (...chunks: object[]) => [{ type: 'start-step' }, ...chunks, { type: 'finish-step' }]
  const say = (text: string) => [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-end', id: '0' },
  ]

  test('data, metadata, and a step that begins anew', () => {
    const { messages } = fold('ai-sdk-ui', [
      { type: 'start', messageId: 'm1', messageMetadata: { a: { b: 1 } } },
      ...step(
        { type: 'data-weather', id: 'd', data: 1 },
        { type: 'data-weather', id: 'd', data: 2 },
        { type: 'data-toast', data: 3, transient: true },
        ...say('No'),
        { type: 'tool-input-start', toolCallId: 'a', toolName: 'look' },
        { type: 'reset-step' },
        ...say('Yes.'),
        { type: 'tool-input-available', toolCallId: 'a', toolName: 'look', input: {}, dynamic: true },
        { type: 'tool-output-available', toolCallId: 'a', output: 1 },
      ),
      { type: 'message-metadata', messageMetadata: { a: { c: 2 } } },
      { type: 'finish', messageMetadata: { d: 3 } },
    ])
    expect(messages).toEqual([
      {
        ...{ id: 'm1', role: 'assistant', metadata: { a: { b: 1, c: 2 }, d: 3 } },
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'Yes.', state: 'done' },
          { type: 'dynamic-tool', toolName: 'look', toolCallId: 'a', state: 'output-available', input: {}, output: 1 },
        ],
      },
    ])
  })

  test('approvals stand with their calls', () => {
    const { messages } = fold('ai-sdk-ui', [
      ...step(
        { type: 'tool-input-available', toolCallId: 'a', toolName: 'pay', input: {} },
        { type: 'tool-approval-request', toolCallId: 'a', approvalId: 'p' },
      ),
      { type: 'tool-approval-response', approvalId: 'p', approved: false, reason: 'no' },
      { type: 'tool-output-denied', toolCallId: 'a' },
      { type: 'finish' },
    ])
    expect(messages).toMatchObject([
      { parts: [{}, { state: 'output-denied', approval: { id: 'p', approved: false, reason: 'no' } }] },
    ])
  })

  test('a step that is done keeps the calls that were answered, whatever is cut after it', () => {
    const call = (toolCallId: string) => ({ type: 'tool-input-available', toolCallId, toolName: 'look', input: {} })
    const { messages, left } = fold('ai-sdk-ui', [
      ...step(...say('Hi.'), call('a'), { type: 'tool-output-available', toolCallId: 'a', output: 1 }, call('b')),
      { type: 'start-step' },
      call('c'),
    ])
    expect(callsIn('ai-sdk-ui', messages).map(({ id }) => id)).toEqual(['a'])
    expect(callsIn('ai-sdk-ui', left).map(({ id }) => id)).toEqual(['b', 'c'])
  })

  test('a stored message that was still coming was cut', () => {
    const parts = [
      { type: 'reasoning', text: 'Hm.', state: 'done' },
      { type: 'text', text: 'One mom', state: 'streaming', providerMetadata: { openai: { itemId: 'msg_1' } } },
      { type: 'tool-look', toolCallId: 'a', state: 'input-streaming', input: { x: 1 } },
    ]
    expect(read('ai-sdk-ui', { id: 'm', role: 'assistant', parts })).toEqual({
      messages: [{ id: 'm', role: 'assistant', parts: [{ type: 'text', text: 'One mom', state: 'done' }] }],
      left: [{ id: 'm', role: 'assistant', parts: [parts[0], parts[2]] }],
      ...{ finish: 'cut', id: 'm' },
    })
  })

  test('a call that was too long is left out', () => {
    const { messages, left } = fold('ai-sdk-ui', [
      ...step(...say('Hi.'), {
        type: 'tool-input-error',
        toolCallId: 'a',
        toolName: 'look',
        input: '{"a',
        errorText: 'bad',
      }),
      { type: 'finish', finishReason: 'length' },
    ])
    expect(callsIn('ai-sdk-ui', messages)).toEqual([])
    expect(callsIn('ai-sdk-ui', left)).toMatchObject([{ id: 'a', input: '{"a' }])
  })
})
