import type { CodecId, DialectId } from '../../src/index.ts'

/** What a model says, of which every part can be cut into pieces. */
export interface Spoken {
  reasoning: string
  text: string
  calls: { id: string; name: string; json: string }[]
}

type Split = (text: string) => string[]

/** How a wire streams it, and what its users say. */
export interface Streamer {
  name: string
  format: CodecId
  reader: DialectId
  user(text: string): unknown
  chunks(spoken: Spoken, split: Split): unknown[]
}

const chatDelta = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})

type CallDeltas = (call: Spoken['calls'][number], index: number, split: Split) => object[]

/** How servers differ in what they send of a call: one list of deltas for each chunk. */
const callDeltas: Record<string, CallDeltas> = {
  'as OpenAI does': ({ id, name, json }, index, split) => [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...split(json).map(piece => ({ index, function: { arguments: piece } })),
  ],
  'without an index': ({ id, name, json }, _, split) => [
    { id, type: 'function', function: { name, arguments: '' } },
    ...split(json).map(piece => ({ function: { arguments: piece } })),
  ],
  'with one index for all': ({ id, name, json }, _, split) => [
    { index: 0, id, type: 'function', function: { name, arguments: '' } },
    ...split(json).map(piece => ({ index: 0, function: { arguments: piece } })),
  ],
  'with id and name in every piece': ({ id, name, json }, index, split) =>
    split(json).map(piece => ({ index, id, type: 'function', function: { name, arguments: piece } })),
  'with the name in every piece': ({ id, name, json }, index, split) =>
    split(json).map((piece, at) => ({ index, ...(at === 0 && { id }), function: { name, arguments: piece } })),
  'with empty ids behind the first': ({ id, name, json }, index, split) =>
    split(json).map((piece, at) => ({
      ...{ index, id: at === 0 ? id : '', type: 'function' },
      function: { name: at === 0 ? name : null, arguments: piece },
    })),
  'with id and name behind the first piece': ({ id, name, json }, index, split) => {
    const [first, ...rest] = split(json)
    return [
      { index, function: { arguments: first } },
      { index, id, type: 'function', function: { name } },
      ...rest.map(piece => ({ index, function: { arguments: piece } })),
    ]
  },
  'each at once, with neither an index nor an object': ({ id, name, json }) => [
    { id, function: { name, arguments: JSON.parse(json) } },
  ],
}

const chat = (habit: string): Streamer => ({
  name: `chat, ${habit}`,
  format: 'openai-chat',
  reader: 'openai',
  user: text => ({ role: 'user', content: text }),
  chunks: ({ reasoning, text, calls }, split) => [
    chatDelta({ role: 'assistant', content: null }),
    ...split(reasoning).map(piece => chatDelta({ reasoning_content: piece, content: null })),
    ...split(text).map(piece => chatDelta({ content: piece })),
    ...calls.flatMap((call, index) =>
      callDeltas[habit](call, index, split).map(delta => chatDelta({ tool_calls: [delta] })),
    ),
    chatDelta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage: { total_tokens: 1 } },
  ],
})

const chatAtOnce: Streamer = {
  ...chat('as OpenAI does'),
  name: 'chat, all in one chunk',
  chunks: ({ reasoning, text, calls }) => {
    const tool_calls = calls.map(({ id, name, json }) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    }))
    return [chatDelta({ role: 'assistant', reasoning, content: text, tool_calls }, 'stop')]
  },
}

const responses: Streamer = {
  name: 'responses',
  format: 'openai-responses',
  reader: 'openai-responses',
  user: text => ({ role: 'user', content: text }),
  chunks({ reasoning, text, calls }, split) {
    const items = [
      ...(reasoning === ''
        ? []
        : [{ id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] }]),
      ...(text === ''
        ? []
        : [
            {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text }],
            },
          ]),
      ...calls.map(({ id, name, json }, index) => ({
        ...{ id: `fc_${index}`, type: 'function_call', status: 'completed' },
        ...{ call_id: id, name, arguments: json },
      })),
    ]
    const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] }
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      ...items.flatMap((item, output_index) => {
        const at = { output_index, item_id: item.id }
        const grow = (type: string, words: string, more = {}) =>
          split(words).map(delta => ({ type: `response.${type}.delta`, ...at, ...more, delta }))
        const opened = { ...item, ...('arguments' in item ? { arguments: '' } : { content: [], summary: [] }) }
        return [
          { type: 'response.output_item.added', output_index, item: opened },
          ...(item.type === 'reasoning' ? grow('reasoning_summary_text', reasoning, { summary_index: 0 }) : []),
          ...(item.type === 'message' ? grow('output_text', text, { content_index: 0 }) : []),
          ...('arguments' in item ? grow('function_call_arguments', item.arguments) : []),
          { type: 'response.output_item.done', output_index, item },
        ]
      }),
      { type: 'response.completed', response },
    ]
  },
}

const anthropic: Streamer = {
  name: 'anthropic',
  format: 'anthropic',
  reader: 'anthropic',
  user: text => ({ role: 'user', content: text }),
  chunks({ reasoning, text, calls }, split) {
    const grow = (type: string, key: string, words: string) => split(words).map(piece => ({ type, [key]: piece }))
    const blocks = [
      {
        block: { type: 'thinking', thinking: '', signature: '' },
        deltas: [...grow('thinking_delta', 'thinking', reasoning), { type: 'signature_delta', signature: 'sig' }],
        isThere: reasoning !== '',
      },
      { block: { type: 'text', text: '' }, deltas: grow('text_delta', 'text', text), isThere: text !== '' },
      ...calls.map(({ id, name, json }) => ({
        block: { type: 'tool_use', id, name, input: {} },
        deltas: grow('input_json_delta', 'partial_json', json),
        isThere: true,
      })),
    ].filter(({ isThere }) => isThere)
    return [
      { type: 'message_start', message: { id: 'msg_1', role: 'assistant', model: 'm', content: [], usage: {} } },
      ...blocks.flatMap(({ block, deltas }, index) => [
        { type: 'content_block_start', index, content_block: block },
        ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ]
  },
}

const geminiChunk = (part: object, more = {}) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...more }],
  modelVersion: 'm',
  responseId: '1',
})

const gemini: Streamer = {
  name: 'gemini',
  format: 'gemini',
  reader: 'gemini',
  user: text => ({ role: 'user', parts: [{ text }] }),
  chunks: ({ reasoning, text, calls }, split) => [
    ...split(reasoning).map(piece => geminiChunk({ text: piece, thought: true })),
    ...split(text).map(piece => geminiChunk({ text: piece })),
    ...calls.map(({ id, name, json }) => geminiChunk({ functionCall: { id, name, args: JSON.parse(json) } })),
    geminiChunk({ text: '' }, { finishReason: 'STOP' }),
  ],
}

const bedrock: Streamer = {
  name: 'bedrock',
  format: 'bedrock',
  reader: 'bedrock',
  user: text => ({ role: 'user', content: [{ text }] }),
  chunks({ reasoning, text, calls }, split) {
    const blocks = [
      {
        deltas: [...split(reasoning).map(text => ({ text })), { signature: 'sig' }].map(reasoningContent => ({
          reasoningContent,
        })),
        isThere: reasoning !== '',
      },
      { deltas: split(text).map(text => ({ text })), isThere: text !== '' },
      ...calls.map(({ id, name, json }) => ({
        start: { toolUse: { toolUseId: id, name } },
        deltas: split(json).map(input => ({ toolUse: { input } })),
        isThere: true,
      })),
    ].filter(({ isThere }) => isThere)
    return [
      { messageStart: { role: 'assistant' } },
      ...blocks.flatMap((block, contentBlockIndex) => [
        ...('start' in block ? [{ contentBlockStart: { contentBlockIndex, start: block.start } }] : []),
        ...block.deltas.map(delta => ({ contentBlockDelta: { contentBlockIndex, delta } })),
        { contentBlockStop: { contentBlockIndex } },
      ]),
      { messageStop: { stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' } },
      { metadata: { usage: { totalTokens: 1 } } },
    ]
  },
}

/** Parts that the library streams; the user interface has the same under other names. */
const aiSdk: Streamer = {
  name: 'ai-sdk',
  format: 'ai-sdk',
  reader: 'lenient',
  user: text => ({ role: 'user', content: text }),
  chunks: ({ reasoning, text, calls }, split) => [
    { type: 'start' },
    { type: 'start-step', request: {}, warnings: [] },
    ...grown('reasoning', reasoning, split, 'text'),
    ...grown('text', text, split, 'text'),
    ...calls.flatMap(({ id, name, json }) => [
      { type: 'tool-input-start', id, toolName: name },
      ...split(json).map(delta => ({ type: 'tool-input-delta', id, delta })),
      { type: 'tool-input-end', id },
      { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.parse(json) },
    ]),
    { type: 'finish-step', finishReason: 'stop', usage: {}, response: { id: 'r', modelId: 'm' } },
    { type: 'finish', finishReason: 'stop', totalUsage: {} },
  ],
}

const aiSdkUi: Streamer = {
  name: 'ai-sdk-ui',
  format: 'ai-sdk-ui',
  reader: 'lenient',
  user: text => ({ id: text, role: 'user', parts: [{ type: 'text', text }] }),
  chunks: ({ reasoning, text, calls }, split) => [
    { type: 'start', messageId: 'm1' },
    { type: 'start-step' },
    ...grown('reasoning', reasoning, split, 'delta'),
    ...grown('text', text, split, 'delta'),
    ...calls.flatMap(({ id, name, json }) => [
      { type: 'tool-input-start', toolCallId: id, toolName: name },
      ...split(json).map(inputTextDelta => ({ type: 'tool-input-delta', toolCallId: id, inputTextDelta })),
      { type: 'tool-input-available', toolCallId: id, toolName: name, input: JSON.parse(json) },
    ]),
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ],
}

function grown(sort: string, words: string, split: Split, key: string): object[] {
  if (words === '') return []
  const deltas = split(words).map(piece => ({ type: `${sort}-delta`, id: '0', [key]: piece }))
  return [{ type: `${sort}-start`, id: '0' }, ...deltas, { type: `${sort}-end`, id: '0' }]
}

/** Chunks as JSON has them. */
const langchain: Streamer = {
  name: 'langchain',
  format: 'langchain',
  reader: 'lenient',
  user: text => ({ type: 'human', content: text }),
  chunks: ({ reasoning, text, calls }, split) => [
    ...split(reasoning).map(reasoning_content => piece({ additional_kwargs: { reasoning_content } })),
    ...split(text).map(content => piece({ content })),
    ...calls.flatMap(({ id, name, json }, index) => [
      piece({ tool_call_chunks: [{ index, id, name, args: '', type: 'tool_call_chunk' }] }),
      ...split(json).map(args => piece({ tool_call_chunks: [{ index, args, type: 'tool_call_chunk' }] })),
    ]),
    piece({ response_metadata: { finish_reason: 'stop', model_name: 'm' } }),
  ],
}

const piece = (fields: object) => ({
  type: 'AIMessageChunk',
  id: 'run-1',
  content: '',
  additional_kwargs: {},
  ...fields,
})

const ollama: Streamer = {
  name: 'ollama',
  format: 'ollama',
  reader: 'ollama',
  user: content => ({ role: 'user', content }),
  chunks({ reasoning, text, calls }, split) {
    const line = (message: object, done = false) => ({
      ...{
        model: 'm',
        created_at: '2026-01-01T00:00:00Z',
        message: { role: 'assistant', content: '', ...message },
        done,
      },
      ...(done ? { done_reason: 'stop', eval_count: 1 } : {}),
    })
    return [
      ...split(reasoning).map(thinking => line({ thinking })),
      ...split(text).map(content => line({ content })),
      ...calls.map(({ id, name, json }, index) =>
        line({ tool_calls: [{ id, function: { index, name, arguments: JSON.parse(json) } }] }),
      ),
      line({}, true),
    ]
  },
}

const geminiInteractions: Streamer = {
  name: 'gemini-interactions',
  format: 'gemini-interactions',
  reader: 'gemini-interactions',
  user: text => ({ type: 'user_input', content: [{ type: 'text', text }] }),
  chunks({ reasoning, text, calls }, split) {
    let index = -1
    const grow = (step: object, deltas: object[]) => {
      index++
      return [
        { event_type: 'step.start', index, step },
        ...deltas.map(delta => ({ event_type: 'step.delta', index, delta })),
        { event_type: 'step.stop', index },
      ]
    }
    const summary = split(reasoning).map(piece => ({ type: 'thought_summary', content: { type: 'text', text: piece } }))
    const interaction = { id: 'v1_1', object: 'interaction', model: 'm' }
    return [
      { event_type: 'interaction.created', interaction: { ...interaction, status: 'in_progress' } },
      ...(reasoning === ''
        ? []
        : grow({ type: 'thought' }, [...summary, { type: 'thought_signature', signature: 'c2ln' }])),
      ...(text === ''
        ? []
        : grow(
            { type: 'model_output' },
            split(text).map(piece => ({ type: 'text', text: piece })),
          )),
      ...calls.flatMap(({ id, name, json }) =>
        grow(
          { type: 'function_call', id, name, arguments: {} },
          split(json).map(piece => ({ type: 'arguments_delta', arguments: piece })),
        ),
      ),
      {
        event_type: 'interaction.completed',
        interaction: { ...interaction, status: calls.length > 0 ? 'requires_action' : 'completed' },
      },
    ]
  },
}

const pydanticAi: Streamer = {
  name: 'pydantic-ai',
  format: 'pydantic-ai',
  reader: 'lenient',
  user: content => ({ kind: 'request', parts: [{ content, part_kind: 'user-prompt' }] }),
  chunks({ reasoning, text, calls }, split) {
    let index = -1
    const grow = (part: object, kind: string, words: string, field: string) => {
      index++
      return [
        { event_kind: 'part_start', index, part },
        ...split(words).map(piece => ({
          ...{ event_kind: 'part_delta', index, delta: { part_delta_kind: kind, [field]: piece } },
        })),
      ]
    }
    return [
      ...(reasoning === '' ? [] : grow({ content: '', part_kind: 'thinking' }, 'thinking', reasoning, 'content_delta')),
      ...(text === '' ? [] : grow({ content: '', part_kind: 'text' }, 'text', text, 'content_delta')),
      ...calls.flatMap(({ id, name, json }) =>
        grow(
          { tool_name: name, args: '', tool_call_id: id, part_kind: 'tool-call' },
          ...(['tool_call', json, 'args_delta'] as const),
        ),
      ),
      { event_kind: 'agent_run_result' },
    ]
  },
}

const agUi: Streamer = {
  name: 'ag-ui',
  format: 'ag-ui',
  reader: 'lenient',
  user: text => ({ id: text, role: 'user', content: text }),
  chunks({ reasoning, text, calls }, split) {
    const grow = (type: string, messageId: string, words: string) =>
      split(words).map(delta => ({ type, messageId, delta }))
    return [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      ...(reasoning === ''
        ? []
        : [
            { type: 'REASONING_MESSAGE_START', messageId: 'm0', role: 'reasoning' },
            ...grow('REASONING_MESSAGE_CONTENT', 'm0', reasoning),
            { type: 'REASONING_MESSAGE_END', messageId: 'm0' },
          ]),
      ...(text === ''
        ? []
        : [
            { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
            ...grow('TEXT_MESSAGE_CONTENT', 'm1', text),
            { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
          ]),
      ...calls.flatMap(({ id, name, json }) => [
        { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: 'm1' },
        ...split(json).map(delta => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
        { type: 'TOOL_CALL_END', toolCallId: id },
      ]),
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ]
  },
}

const agUiChunks: Streamer = {
  ...agUi,
  name: 'ag-ui, in chunks',
  chunks: ({ reasoning, text, calls }, split) => [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    ...split(reasoning).map((delta, index) => ({
      type: 'REASONING_MESSAGE_CHUNK',
      ...(index === 0 && { messageId: 'm0' }),
      delta,
    })),
    ...split(text).map((delta, index) => ({
      type: 'TEXT_MESSAGE_CHUNK',
      ...(index === 0 && { messageId: 'm1' }),
      delta,
    })),
    ...calls.flatMap(({ id, name, json }) =>
      split(json).map((delta, index) => ({
        type: 'TOOL_CALL_CHUNK',
        ...(index === 0 && { toolCallId: id, toolCallName: name }),
        delta,
      })),
    ),
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ],
}

export const streamers: Streamer[] = [
  ...Object.keys(callDeltas).map(chat),
  ...[
    chatAtOnce,
    responses,
    anthropic,
    gemini,
    bedrock,
    aiSdk,
    aiSdkUi,
    langchain,
    agUi,
    agUiChunks,
    ollama,
    pydanticAi,
    geminiInteractions,
  ],
]
