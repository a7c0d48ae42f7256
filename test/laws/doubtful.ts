import type { CodecId } from '../../src/codecs/index.ts'
import {
  agUi,
  aiSdk,
  anthropic,
  bedrock,
  chat,
  gemini,
  interactions,
  langchain,
  responses,
  ui,
} from '../../src/core/rules/example-messages.ts'

const hello = 'Find me a flight.'
const done = { state: 'output-available', input: {}, output: 'TP 1351' }
const uiCall = { type: 'tool-search', toolCallId: 'call_1', ...done }
const uiImage = { type: 'file', mediaType: 'image/png', url: 'https://example.test/a.png' }
const reasoning = { type: 'reasoning', text: 'Hm.' }
const [chatCall, chatResult] = [chat.call('call_1', 'search', '{}'), chat.result('call_1', 'TP 1351')]
const [lcCall, lcResult] = [langchain.call('search', {}, 'call_1'), langchain.tool('TP 1351', 'call_1')]
const image = { type: 'image_url', image_url: { url: 'https://example.test/a.png' } }
const ollamaCall = { name: 'search', arguments: {} }
/** Messages of Ollama's own chat API, whose calls need no ids. */
const ollama = {
  user: (content: string) => ({ role: 'user', content }),
  calls: (called: object, id?: unknown) => ({
    ...{ role: 'assistant', content: '' },
    tool_calls: [{ ...(id === undefined ? {} : { id }), function: called }],
  }),
  result: (of: object) => ({ role: 'tool', content: 'TP 1351', ...of }),
}
const many = Array.from({ length: 40 }, () => ({ name: 'search' }))

/** Histories that a scan could take for healthy, and that some provider rejects. */
export const doubtful: Partial<Record<CodecId, readonly (readonly unknown[])[]>> = {
  'openai-chat': [
    [chat.user(hello), { ...chat.assistant('Well.'), function_call: { name: 'search', arguments: '{}' } }],
    [
      chat.user(hello),
      { ...chat.assistant('Well.'), function_call: { name: 'search', arguments: '{}' } },
      chat.user('?'),
    ],
    [chat.user(hello), { ...chat.assistant('Well.'), tool_call_id: 'call_1' }, chat.user('?')],
    [chat.user(hello), chat.calls(chatCall, null), chatResult],
    [chat.user(hello), chat.calls({ ...chatCall, custom: { name: 'search', input: '' } }), chatResult],
    [chat.user(hello), chat.calls({ id: 'call_1', type: 'custom', custom: { name: 'search', input: '' } }), chatResult],
  ],
  'openai-responses': [
    [
      responses.user(hello),
      responses.call('call_1', 'search', '{}'),
      responses.reasoning('rs_1'),
      responses.output('call_1', 'x'),
    ],
    [
      responses.user(hello),
      responses.call('call_1', 'search', '{}'),
      responses.assistant('Well.'),
      responses.output('call_1', 'x'),
    ],
    [responses.user(hello), responses.reasoning('rs_1'), responses.reasoning('rs_1'), responses.assistant('Well.')],
    [responses.user(hello), responses.call('call_1', 'search', '{}'), responses.reasoning('rs_1'), responses.user('?')],
  ],
  'gemini-interactions': [
    [
      ...[interactions.user(hello), interactions.thought('c2ln')],
      ...[interactions.call('a', 'search', {}), interactions.call('b', 'search', {})],
      ...[
        interactions.result('a', 'search', 'x'),
        interactions.thought('c2ln'),
        interactions.result('b', 'search', 'x'),
      ],
    ],
  ],
  ollama: [
    ...[{ name: 5 }, { name: '' }].map(called => [
      ollama.user(hello),
      ollama.calls({ ...called, arguments: {} }),
      ollama.result({}),
    ]),
    [ollama.user(hello), ollama.calls(ollamaCall), ollama.result({ tool_name: 5 })],
    [ollama.user(hello), ollama.calls(ollamaCall, 5), ollama.result({ tool_name: 'search' })],
    [ollama.user(hello), ollama.calls(ollamaCall, 'call_1'), ollama.result({ tool_call_id: 7 })],
    [
      ...[ollama.user(hello), ollama.calls(ollamaCall, 'call_1'), ollama.result({ tool_call_id: 'call_1' })],
      ...[ollama.calls(ollamaCall, 'call_1'), ollama.result({ tool_call_id: 'call_1' })],
    ],
    [ollama.user(hello), { ...ollama.calls(ollamaCall), thinking: {} }, ollama.result({})],
    [{ ...ollama.user(hello), thinking: {} }],
  ],
  anthropic: [
    [
      anthropic.user(hello),
      anthropic.assistantBlocks({ type: 'redacted_thinking' }, anthropic.text('Well.')),
      anthropic.user('?'),
    ],
    ...[[], '', [anthropic.text('')]].map(content => [
      anthropic.user(hello),
      anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search', {})),
      anthropic.userBlocks({ ...anthropic.toolResult('toolu_1', content), is_error: true }),
    ]),
  ],
  gemini: [
    [gemini.user(gemini.text(hello)), gemini.model(...many.map(({ name }) => gemini.call(name, {})))],
    [
      gemini.user(gemini.text(hello)),
      gemini.model(...many.map(({ name }) => gemini.call(name, {}))),
      gemini.user(...many.map(({ name }) => gemini.response(name, 'x'))),
    ],
    ...['', 7, 'bad name!'].map(name => [
      gemini.user(gemini.text(hello)),
      gemini.model(gemini.callWithId('a', name, {})),
      gemini.user(gemini.responseWithId('a', 'search', 'x')),
    ]),
    [gemini.user(gemini.text(hello)), gemini.model(gemini.call('', {})), gemini.user(gemini.response('', 'x'))],
    [
      gemini.user(gemini.text(hello)),
      gemini.model(gemini.call('bad name!', {})),
      gemini.user(gemini.response('search', 'x')),
    ],
    [
      gemini.user(gemini.text(hello)),
      gemini.model(gemini.callWithId('a', 'search', {}), gemini.callWithId('a', 'search', {})),
    ],
    [
      gemini.user(gemini.text(hello)),
      gemini.model(gemini.callWithId('a', 'search', {}), gemini.callWithId('a', 'search', {})),
      gemini.user(gemini.responseWithId('a', 'search', 'x')),
    ],
    [gemini.user(gemini.text(hello)), gemini.model(gemini.text('Well.'), gemini.response('search', 'x'))],
    [gemini.user(gemini.text(hello)), gemini.model({ ...gemini.text('Well.'), ...gemini.response('search', 'x') })],
    [gemini.user(gemini.text(hello), gemini.response('search', 'x')), gemini.model(gemini.text('Well.'))],
    [gemini.user({ ...gemini.response('search', 'x') }), gemini.model(gemini.text('Well.'))],
  ],
  bedrock: [
    [bedrock.user(bedrock.text(hello)), { role: 'assistant', content: 'Well.' }, bedrock.user(bedrock.text('?'))],
    [{ role: 'user', content: hello }],
    [
      bedrock.user(bedrock.text(hello)),
      bedrock.assistant({ toolUse: { toolUseId: 'a', name: 'search', input: {}, type: 'server_tool_use' } }),
      bedrock.user(bedrock.toolResult('a', { text: 'TP 1351' })),
    ],
  ],
  'ai-sdk': [
    [
      aiSdk.user(hello),
      aiSdk.assistantParts({ ...aiSdk.call('srvtoolu_1', 'search', {}), providerExecuted: true }, aiSdk.text('Well.')),
      aiSdk.user('?'),
    ],
    [
      aiSdk.user(hello),
      aiSdk.assistantParts(
        { ...aiSdk.call('srvtoolu_1', 'search', {}), providerExecuted: true },
        { ...aiSdk.result('srvtoolu_2', 'search', 'x'), providerExecuted: true },
        aiSdk.text('Well.'),
      ),
      aiSdk.user('?'),
    ],
    [aiSdk.user(hello), aiSdk.assistantParts(aiSdk.call(7, 'search', {})), aiSdk.tool(aiSdk.result(7, 'search', 'x'))],
    [
      aiSdk.user(hello),
      aiSdk.assistantParts(aiSdk.call('mcp_1', 'search', {})),
      aiSdk.tool(aiSdk.result('mcp_1', 'search', 'x')),
    ],
  ],
  'ai-sdk-ui': [
    [ui.user('1', { type: 'data-note', data: {} }), ui.assistant('2', ui.text('Well.')), ui.user('3', ui.text('?'))],
    [ui.user('1', ui.text(hello)), ui.assistant('2', reasoning), ui.user('3', ui.text('?'))],
    [ui.user('1', ui.text(hello)), ui.assistant('2', ui.text('Well.'), uiImage), ui.user('3', ui.text('?'))],
    [ui.user('1', ui.text(hello)), ui.assistant('2', ui.text('Well.'), reasoning), ui.user('3', ui.text('?'))],
    [ui.user('1', ui.text(hello)), ui.assistant('2', uiCall, reasoning, ui.text('Well.')), ui.user('3', ui.text('?'))],
    [
      ui.user('1', ui.text(hello)),
      ui.assistant('2', { type: 'reasoning' }, ui.text('Well.')),
      ui.user('3', ui.text('?')),
    ],
    [ui.user('1', ui.text(hello)), ui.assistant('2', uiCall, ui.text('Well.')), ui.user('3', ui.text('?'))],
    [ui.user('1', ui.text(hello)), ui.assistant('2', uiCall, ui.text('Well.'), { ...uiCall, toolCallId: 'call_2' })],
    ...[
      [],
      undefined,
      [ui.text('')],
      [{ type: 'tool-search' }],
      [{ type: 'reasoning', text: 'x' }],
      [{ type: 'data-x' }],
    ].map(parts => [
      ui.user('1', ui.text(hello)),
      ui.assistant('2', ui.text('Well.'), { type: 'steering-message', parts }, ui.text('Well?')),
    ]),
    ...['output-error', 'output-denied'].flatMap(state =>
      [undefined, null, ''].map(errorText => [
        ui.user('1', ui.text(hello)),
        ui.assistant('2', { type: 'tool-search', toolCallId: 'call_1', input: {}, state, errorText }),
      ]),
    ),
  ],
  langchain: [
    [
      langchain.human(hello),
      { ...langchain.ai('Well.'), invalid_tool_calls: [{ id: 'call_1', name: 'search', args: '{' }] },
    ],
    [
      langchain.human(hello),
      { ...langchain.ai('', lcCall), invalid_tool_calls: [{ id: 'call_2', name: 'x', args: '{' }] },
      lcResult,
    ],
    [langchain.human(hello), { ...langchain.ai('Well.'), tool_calls: {} }],
    [langchain.human(hello), { ...langchain.ai('Well.'), tool_calls: 'none' }],
    [langchain.human(hello), langchain.ai('Well.'), langchain.ai('', lcCall), lcResult],
    [
      langchain.human(hello),
      langchain.ai('', lcCall),
      lcResult,
      langchain.ai('Well.'),
      langchain.ai('', { ...lcCall, id: 'call_2' }),
    ],
    [langchain.ai('', lcCall), lcResult],
    [langchain.human(hello), langchain.ai(' ', lcCall), lcResult],
    [langchain.human(hello), langchain.ai([{ type: 'text', text: '' }], lcCall), lcResult],
    [langchain.human(hello), langchain.ai('', null), lcResult],
    [langchain.human(hello), langchain.ai('', 'search'), lcResult],
    [
      langchain.human(hello),
      langchain.ai('', { id: 'call_1', function: { name: 'bad name!', arguments: '{}' } }),
      lcResult,
    ],
    [
      langchain.human(hello),
      langchain.ai('', { id: 'call_1', function: { name: 'search', arguments: '{' } }),
      lcResult,
    ],
    [langchain.human(hello), langchain.ai('', lcCall), { ...lcResult, content: [] }],
    [langchain.human(hello), langchain.ai('', lcCall), { ...lcResult, content: null }],
    [langchain.human(hello), langchain.ai('', lcCall), { ...lcResult, name: 'bad name!' }],
    [langchain.human(hello), langchain.ai('', lcCall), { ...lcResult, content: [image] }],
    [langchain.human(hello), langchain.ai('', lcCall), { ...lcResult, content: [{ type: 'image' }] }],
    [
      langchain.human(hello),
      langchain.ai(
        [
          { type: 'tool_use', id: 'call_1', name: 'search', input: {} },
          { type: 'text', text: 'Well.' },
        ],
        lcCall,
      ),
      lcResult,
    ],
    [langchain.human(hello), langchain.ai([{ type: 'tool_use', id: 'call_1' }], lcCall), lcResult],
    [
      langchain.human(hello),
      langchain.ai([{ type: 'tool_use', id: 'call_1', name: 'search', input: '{' }], lcCall),
      lcResult,
    ],
    [
      langchain.human(hello),
      langchain.ai([
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Well.' },
      ]),
      langchain.human('?'),
    ],
  ],
  'ag-ui': [
    [
      agUi.user('1', hello),
      agUi.calls('2', agUi.call('call_1', 'search', '{}')),
      { ...agUi.result('3', 'call_1', 'TP 1351'), name: 'bad name!' },
    ],
  ],
}
