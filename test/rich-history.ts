import type { CodecId } from '../src/index.ts'
import { Random } from './laws/random.ts'

/**
 * Random histories rich in what formats can say beside texts and function calls: every block and item of the SDKs' types,
 * each field of words with a word of its own. A step is calls with their results, and what stands around them is blocks.
 */
export function richHistory(format: CodecId, seed: number): unknown[] {
  const random = new Random(seed)
  const words = (): string => `say ${random.word()} now`
  const kit = kits[format]
  const some = (blocks: readonly Make[], max = 3): unknown[] =>
    Array.from({ length: random.range(1, max) }, () => random.pick(blocks)(words, random))
  const history: unknown[] = []
  for (let turn = random.range(1, 3); turn > 0; turn--) {
    history.push(...kit.user(some(kit.asked)))
    for (let step = random.int(3); step > 0; step--) {
      const steps = Array.from({ length: random.range(1, 2) }, () => ({
        id: random.id('call_'),
        make: random.pick(kit.steps),
      }))
      const made = steps.map(({ id, make }) => make(id, words, random))
      history.push(...kit.step(some(kit.said, 2), made))
    }
    history.push(...kit.assistant(some(kit.said)))
  }
  return history
}

type Words = () => string
type Make = (words: Words, random: Random) => unknown
type Made = { readonly call: unknown; readonly result: unknown }
type MakeStep = (id: string, words: Words, random: Random) => Made

interface Kit {
  readonly asked: readonly Make[]
  readonly said: readonly Make[]
  readonly steps: readonly MakeStep[]
  user(blocks: unknown[]): unknown[]
  assistant(blocks: unknown[]): unknown[]
  step(blocks: unknown[], made: readonly Made[]): unknown[]
}

const image = 'data:image/png;base64,iVBORw0KGgo='
const png = 'iVBORw0KGgo='
const anyOf =
  (...makes: readonly Make[]): Make =>
  (words, random) =>
    random.pick(makes)(words, random)

const openaiChat: Kit = {
  asked: [
    words => ({ type: 'text', text: words() }),
    () => ({ type: 'image_url', image_url: { url: image, detail: 'high' } }),
    words => ({ type: 'file', file: { filename: words(), file_data: image } }),
    words => ({ type: 'file', file: { file_id: words() } }),
  ],
  said: [
    words => ({ content: words() }),
    words => ({ content: words(), reasoning: words() }),
    words => ({ content: words(), reasoning_content: words() }),
    words => ({ content: words(), reasoning_details: [{ type: 'reasoning.text', text: words(), index: 0 }] }),
    words => ({ content: words(), thinking_blocks: [{ type: 'thinking', thinking: words(), signature: 's' }] }),
    words => ({ content: null, refusal: words() }),
    words => ({ content: words(), refusal: words() }),
    words => ({
      content: [
        { type: 'text', text: words() },
        { type: 'refusal', refusal: words() },
      ],
    }),
    words => ({ content: words(), audio: { id: 'audio_1', transcript: words() } }),
    words => ({ content: words(), name: words() }),
    words => ({
      content: words(),
      annotations: [{ type: 'url_citation', url_citation: { title: words(), url: words() } }],
    }),
    words => ({ content: words(), images: [{ type: 'image_url', image_url: { url: words() } }] }),
  ],
  steps: [
    (id, words, random) => ({
      call: {
        id,
        type: 'function',
        function: { name: 'read', arguments: JSON.stringify({ path: words(), deep: [{ a: words() }] }) },
      },
      result: {
        role: 'tool',
        tool_call_id: id,
        content: anyOf(
          words => words(),
          words => [
            { type: 'text', text: words() },
            { type: 'text', text: words() },
          ],
        )(words, random),
        ...(random.chance(0.3) ? { status: 'error' } : {}),
        ...(random.chance(0.2) ? { artifact: { rows: [words()] } } : {}),
      },
    }),
    (id, words) => ({
      call: { id, type: 'custom', custom: { name: 'shell', input: words() } },
      result: { role: 'tool', tool_call_id: id, content: words() },
    }),
  ],
  user: blocks => [{ role: 'user', content: blocks }],
  assistant: blocks => blocks.map(block => ({ role: 'assistant', ...(block as object) })),
  step: ([block], made) => [
    { role: 'assistant', ...(block as object), tool_calls: made.map(({ call }) => call) },
    ...made.map(({ result }) => result),
  ],
}

const status: Make = (_words, random) => random.pick(['completed', 'in_progress', 'incomplete', undefined])

const openaiResponses: Kit = {
  asked: [
    words => ({ type: 'input_text', text: words() }),
    () => ({ type: 'input_image', image_url: image, detail: 'auto' }),
    words => ({ type: 'input_image', file_id: words() }),
    words => ({ type: 'input_file', filename: words(), file_data: image }),
    words => ({ type: 'input_audio', input_audio: { data: words(), format: 'wav' } }),
  ],
  said: [
    words => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: words(),
          annotations: [{ type: 'url_citation', url: words(), title: words(), start_index: 0, end_index: 1 }],
        },
      ],
    }),
    words => ({
      type: 'message',
      role: 'assistant',
      status: 'incomplete',
      content: [
        { type: 'output_text', text: words(), annotations: [] },
        { type: 'refusal', refusal: words() },
      ],
    }),
    words => ({ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: words() }] }),
    words => ({
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: words() },
        { type: 'output_audio', transcript: words() },
      ],
    }),
    words => ({ role: 'assistant', content: words(), phase: 'commentary' }),
    words => ({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: words() }],
      content: [{ type: 'reasoning_text', text: words() }],
    }),
    words => ({ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: words() } }),
    words => ({
      type: 'file_search_call',
      id: 'fs_1',
      status: 'completed',
      queries: [words()],
      results: [{ text: words() }],
    }),
    words => ({ type: 'code_interpreter_call', id: 'ci_1', code: words(), outputs: [{ type: 'logs', logs: words() }] }),
    words => ({
      type: 'mcp_call',
      id: 'mcp_1',
      name: words(),
      arguments: words(),
      server_label: words(),
      error: words(),
    }),
    words => ({
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'failed',
      result: null,
      error: { message: words() },
    }),
    words => ({ type: 'compaction', id: 'cmp_1', encrypted_content: words() }),
    words => ({ type: 'program', id: 'p_1', code: words() }),
    words => ({ type: 'something_new', id: 'x_1', text: words(), content: [{ text: words() }] }),
  ],
  steps: [
    (id, words, random) => ({
      call: {
        type: 'function_call',
        call_id: id,
        name: 'read',
        arguments: JSON.stringify({ path: words() }),
        status: status(words, random),
        ...(random.chance(0.3) ? { namespace: words() } : {}),
      },
      result: {
        type: 'function_call_output',
        call_id: id,
        status: status(words, random),
        output: anyOf(
          words => words(),
          words => [
            { type: 'input_text', text: words() },
            { type: 'input_file', file_id: words() },
          ],
        )(words, random),
      },
    }),
    (id, words) => ({
      call: { type: 'custom_tool_call', call_id: id, name: 'grep', input: words() },
      result: { type: 'custom_tool_call_output', call_id: id, output: words() },
    }),
    (id, words, random) => ({
      call: {
        type: 'local_shell_call',
        id: 'lsh_1',
        call_id: id,
        status: 'completed',
        action: { type: 'exec', command: [words(), words()], env: { A: words() }, working_directory: words() },
      },
      result: { type: 'local_shell_call_output', call_id: id, output: words(), status: status(words, random) },
    }),
    (id, words, random) => ({
      call: { type: 'shell_call', call_id: id, action: { commands: [words()] }, status: 'completed' },
      result: {
        type: 'shell_call_output',
        call_id: id,
        output: [{ stdout: words(), stderr: words(), outcome: random.pick([{ type: 'timeout' }, { type: 'exit' }]) }],
      },
    }),
    (id, words, random) => ({
      call: {
        type: 'computer_call',
        id: 'cu_1',
        call_id: id,
        status: 'completed',
        pending_safety_checks: random.pick([[], [{ id: 'sc_1', code: words(), message: words() }]]),
        ...random.pick([
          { action: { type: 'type', text: words() } },
          {
            actions: [
              { type: 'type', text: words() },
              { type: 'keypress', keys: [words()] },
            ],
          },
        ]),
      },
      result: {
        type: 'computer_call_output',
        call_id: id,
        output: random.pick([
          { type: 'computer_screenshot', file_id: words() },
          { type: 'computer_screenshot', image_url: image },
        ]),
        acknowledged_safety_checks: random.pick([null, [{ id: 'sc_1', message: words() }]]),
      },
    }),
    (id, words, random) => ({
      call: {
        type: 'apply_patch_call',
        call_id: id,
        status: 'completed',
        operation: { type: 'update_file', path: words(), diff: words() },
      },
      result: {
        type: 'apply_patch_call_output',
        call_id: id,
        status: random.pick(['completed', 'failed']),
        output: random.pick([words(), null, undefined]),
      },
    }),
    (id, words) => ({
      call: { type: 'tool_search_call', call_id: id, execution: 'client', arguments: { goal: words() } },
      result: {
        type: 'tool_search_output',
        call_id: id,
        execution: 'client',
        tools: [{ type: 'function', name: words(), description: words() }],
      },
    }),
  ],
  user: blocks => [{ role: 'user', content: blocks }],
  assistant: blocks => blocks,
  step: (blocks, made) => [...blocks, ...made.map(({ call }) => call), ...made.map(({ result }) => result)],
}

const document: Make = (words, random) => ({
  type: 'document',
  title: words(),
  context: words(),
  source: random.pick([
    { type: 'text', media_type: 'text/plain', data: words() },
    { type: 'base64', media_type: 'application/pdf', data: png },
    { type: 'url', url: `https://example.test/${words().replaceAll(' ', '/')}` },
    {
      type: 'content',
      content: [
        { type: 'text', text: words() },
        { type: 'text', text: words() },
      ],
    },
    { type: 'file', file_id: words() },
  ]),
})

const searchResult: Make = words => ({
  type: 'search_result',
  source: words(),
  title: words(),
  content: [
    { type: 'text', text: `${words()}\n\n${words()}` },
    { type: 'text', text: words() },
  ],
})

const anthropic: Kit = {
  asked: [
    words => ({ type: 'text', text: words(), cache_control: { type: 'ephemeral' } }),
    () => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }),
    document,
    searchResult,
    words => ({ type: 'container_upload', file_id: words() }),
  ],
  said: [
    words => ({ type: 'text', text: words() }),
    words => ({
      type: 'text',
      text: words(),
      citations: [{ type: 'char_location', cited_text: words(), document_title: words() }],
    }),
    words => ({ type: 'thinking', thinking: words(), signature: 's' }),
    words => ({ type: 'redacted_thinking', data: words() }),
    words => ({ type: 'compaction', content: words() }),
    words => ({ type: 'compaction', content: null, encrypted_content: words() }),
    words => ({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: words() } }),
    words => ({ type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'x', server_name: words(), input: { a: words() } }),
  ],
  steps: [
    (id, words, random) => ({
      call: { type: 'tool_use', id, name: 'read', input: { path: words(), list: [words()] } },
      result: {
        type: 'tool_result',
        tool_use_id: id,
        ...(random.chance(0.3) ? { is_error: true } : {}),
        content: anyOf(
          words => words(),
          (words, random) => [{ type: 'text', text: words() }, document(words, random)],
          (words, random) => [searchResult(words, random)],
          words => [{ type: 'tool_reference', tool_name: words() }],
        )(words, random),
      },
    }),
  ],
  user: content => [{ role: 'user', content }],
  assistant: content => [{ role: 'assistant', content }],
  step: (blocks, made) => [
    { role: 'assistant', content: [...blocks, ...made.map(({ call }) => call)] },
    { role: 'user', content: made.map(({ result }) => result) },
  ],
}

const bedrockDocument: Make = (words, random) => ({
  document: {
    format: 'txt',
    name: words(),
    context: words(),
    source: random.pick([{ text: words() }, { bytes: png }, { content: [{ text: words() }, { text: words() }] }]),
  },
})

const bedrock: Kit = {
  asked: [
    words => ({ text: words() }),
    () => ({ image: { format: 'png', source: { bytes: png } } }),
    bedrockDocument,
    words => ({ guardContent: { text: { text: words(), qualifiers: ['query'] } } }),
    words => ({ searchResult: { source: words(), title: words(), content: [{ text: words() }] } }),
  ],
  said: [
    words => ({ text: words() }),
    words => ({ reasoningContent: { reasoningText: { text: words(), signature: 's' } } }),
    words => ({ reasoningContent: { redactedContent: words() } }),
    words => ({
      citationsContent: {
        content: [{ text: words() }],
        citations: [{ title: words(), sourceContent: [{ text: words() }] }],
      },
    }),
    words => ({ toolUse: { toolUseId: 'srvtoolu_1', name: 'nova', input: { q: words() }, type: 'server_tool_use' } }),
  ],
  steps: [
    (id, words, random) => ({
      call: { toolUse: { toolUseId: id, name: 'read', input: { path: words() } } },
      result: {
        toolResult: {
          toolUseId: id,
          ...(random.chance(0.3) ? { status: 'error' } : {}),
          content: [
            anyOf(
              words => ({ text: words() }),
              words => ({ json: { a: { b: words() } } }),
              bedrockDocument,
              words => ({ searchResult: { source: words(), title: words(), content: [{ text: words() }] } }),
            )(words, random),
          ],
        },
      },
    }),
  ],
  user: content => [{ role: 'user', content }],
  assistant: content => [{ role: 'assistant', content }],
  step: (blocks, made) => [
    { role: 'assistant', content: [...blocks, ...made.map(({ call }) => call)] },
    { role: 'user', content: made.map(({ result }) => result) },
  ],
}

const gemini: Kit = {
  asked: [
    words => ({ text: words() }),
    () => ({ inlineData: { mimeType: 'image/png', data: png } }),
    words => ({ fileData: { mimeType: 'application/pdf', fileUri: `gs://${words().replaceAll(' ', '/')}` } }),
  ],
  said: [
    words => ({ text: words() }),
    words => ({ text: words(), thought: true }),
    words => ({ text: words(), thoughtSignature: 's' }),
    words => ({ executableCode: { language: 'PYTHON', code: words() } }),
    words => ({ codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: words() } }),
    words => ({ audioTranscription: { text: words() } }),
    words => ({ toolCall: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', args: { q: words() } } }),
  ],
  steps: [
    (id, words, random) => ({
      call: { functionCall: { id, name: 'read', args: { path: words() } }, thoughtSignature: 's' },
      result: {
        functionResponse: {
          id,
          name: 'read',
          response: random.pick([
            { output: words() },
            { error: words() },
            { output: words(), error: words() },
            { error: { message: words() } },
            { rows: [words()] },
          ]),
          ...(random.chance(0.3) ? { parts: [{ inlineData: { mimeType: 'image/png', data: png } }] } : {}),
          ...(random.chance(0.2) ? { scheduling: words() } : {}),
          ...(random.chance(0.2) ? { parts: [{ somethingNew: words() }] } : {}),
        },
      },
    }),
  ],
  user: parts => [{ role: 'user', parts }],
  assistant: parts => [{ role: 'model', parts }],
  step: (blocks, made) => [
    { role: 'model', parts: [...blocks, ...made.map(({ call }) => call)] },
    { role: 'user', parts: made.map(({ result }) => result) },
  ],
}

const aiSdk: Kit = {
  asked: [
    words => ({ type: 'text', text: words() }),
    () => ({ type: 'image', image, mediaType: 'image/png' }),
    words => ({ type: 'file', data: png, mediaType: 'application/pdf', filename: words() }),
    words => ({ type: 'file', data: { type: 'text', text: words() }, mediaType: 'text/plain' }),
    words => ({ type: 'file', data: { type: 'reference', reference: { openai: words() } }, mediaType: 'text/plain' }),
  ],
  said: [
    words => ({ type: 'text', text: words() }),
    words => ({ type: 'reasoning', text: words() }),
    words => ({ type: 'file', data: png, mediaType: 'image/png', filename: words() }),
    words => ({ type: 'custom', kind: 'openai.compaction', providerOptions: {}, note: words() }),
    words => ({
      type: 'tool-call',
      toolCallId: 'p1',
      toolName: 'search',
      input: { q: words() },
      providerExecuted: true,
    }),
  ],
  steps: [
    (id, words, random) => ({
      call: { type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: words() } },
      result: {
        type: 'tool-result',
        toolCallId: id,
        toolName: 'read',
        output: anyOf(
          words => ({ type: 'text', value: words() }),
          words => ({ type: 'json', value: { rows: [words()] } }),
          words => ({ type: 'error-text', value: words() }),
          words => ({ type: 'error-json', value: { message: words() } }),
          words => ({ type: 'execution-denied', reason: words() }),
          words => ({
            type: 'content',
            value: [
              { type: 'text', text: words() },
              { type: 'image-data', data: png, mediaType: 'image/png' },
              { type: 'file-id', fileId: words() },
              { type: 'custom', note: words() },
            ],
          }),
        )(words, random),
      },
    }),
  ],
  user: content => [{ role: 'user', content }],
  assistant: content => [{ role: 'assistant', content }],
  step: (blocks, made) => [
    { role: 'assistant', content: [...blocks, ...made.map(({ call }) => call)] },
    { role: 'tool', content: made.map(({ result }) => result) },
  ],
}

const aiSdkUi: Kit = {
  asked: [
    words => ({ type: 'text', text: words() }),
    words => ({ type: 'file', url: image, mediaType: 'image/png', filename: words() }),
    words => ({ type: 'data-note', data: { note: words() } }),
  ],
  said: [
    words => ({ type: 'text', text: words(), state: 'done' }),
    words => ({ type: 'reasoning', text: words() }),
    words => ({ type: 'source-url', sourceId: 's', url: words(), title: words() }),
    words => ({ type: 'source-document', sourceId: 's', title: words(), mediaType: 'text/plain' }),
    words => ({ type: 'data-chart', data: { rows: [words()] } }),
    () => ({ type: 'step-start' }),
  ],
  steps: [
    (id, words, random) => ({
      call: {
        type: 'tool-read',
        toolCallId: id,
        input: { path: words() },
        ...(anyOf(
          words => ({ state: 'output-available', output: words() }),
          words => ({ state: 'output-available', output: { rows: [words()] } }),
          words => ({ state: 'output-error', errorText: words() }),
          words => ({ state: 'output-error', errorText: words(), output: words(), rawInput: words() }),
          words => ({ state: 'output-denied', approval: { id: 'a', approved: false, reason: words() } }),
          words => ({
            state: 'output-available',
            output: words(),
            approval: { id: 'a', approved: true, reason: words() },
          }),
        )(words, random) as object),
      },
      result: undefined,
    }),
  ],
  user: parts => [{ id: 'u', role: 'user', parts }],
  assistant: parts => [{ id: 'a', role: 'assistant', parts }],
  step: (blocks, made) => [{ id: 'a', role: 'assistant', parts: [...blocks, ...made.map(({ call }) => call)] }],
}

const langchain: Kit = {
  asked: [
    words => ({ type: 'text', text: words() }),
    () => ({ type: 'image_url', image_url: { url: image } }),
    words => ({ type: 'file', source_type: 'text', text: words(), mime_type: 'text/plain' }),
    words => ({ type: 'something', note: words() }),
  ],
  said: [
    words => ({ content: words() }),
    words => ({ content: [{ type: 'text', text: words(), annotations: [{ type: 'citation', title: words() }] }] }),
    words => ({
      content: [
        { type: 'thinking', thinking: words(), signature: 's' },
        { type: 'text', text: words() },
      ],
    }),
    words => ({ content: words(), additional_kwargs: { reasoning_content: words() } }),
    words => ({ content: words(), additional_kwargs: { reasoning: { summary: [{ text: words() }] } } }),
    words => ({ content: words(), additional_kwargs: { refusal: words() } }),
    words => ({ content: words(), name: words() }),
  ],
  steps: [
    (id, words, random) => ({
      call: { id, name: 'read', args: { path: words() }, type: 'tool_call' },
      result: {
        type: 'tool',
        tool_call_id: id,
        content: anyOf(
          words => words(),
          words => [
            { type: 'text', text: words() },
            { type: 'odd', odd: words() },
          ],
        )(words, random),
        ...(random.chance(0.3) ? { status: 'error' } : {}),
        ...(random.chance(0.3) ? { artifact: { rows: [words()] } } : {}),
      },
    }),
  ],
  user: content => [{ type: 'human', content }],
  assistant: blocks => blocks.map(block => ({ type: 'ai', ...(block as object) })),
  step: ([block], made) => [
    { type: 'ai', ...(block as object), tool_calls: made.map(({ call }) => call) },
    ...made.map(({ result }) => result),
  ],
}

const agUi: Kit = {
  asked: [
    words => ({ type: 'text', text: words() }),
    () => ({ type: 'image', source: { type: 'data', value: png, mimeType: 'image/png' } }),
    words => ({ type: 'document', source: { type: 'id', value: words() } }),
  ],
  said: [
    words => ({ role: 'assistant', content: words() }),
    words => ({ role: 'assistant', content: words(), name: words() }),
    words => ({ role: 'reasoning', content: words() }),
    words => ({ role: 'activity', activityType: 'PLAN', content: { steps: [words()] } }),
  ],
  steps: [
    (id, words, random) => ({
      call: { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: words() }) } },
      result: {
        id: 't',
        role: 'tool',
        toolCallId: id,
        ...(anyOf(
          words => ({ content: words() }),
          words => ({ content: '', error: words() }),
          words => ({ content: words(), error: words() }),
          words => {
            const error = words()
            return { content: error, error }
          },
        )(words, random) as object),
      },
    }),
  ],
  user: content => [{ id: 'u', role: 'user', content }],
  assistant: blocks => blocks.map(block => ({ id: 'a', ...(block as object) })),
  step: (blocks, made) => [
    ...blocks.map(block => ({ id: 'b', ...(block as object) })),
    { id: 'a', role: 'assistant', toolCalls: made.map(({ call }) => call) },
    ...made.map(({ result }) => result),
  ],
}

const ollama: Kit = {
  asked: [words => ({ content: words() }), words => ({ content: words(), images: [png] })],
  said: [
    words => ({ content: words() }),
    words => ({ content: words(), thinking: words() }),
    words => ({ content: words(), images: [png] }),
  ],
  steps: [
    (id, words, random) => ({
      call: {
        ...(random.chance(0.3) ? { id } : {}),
        function: { ...(random.chance(0.3) ? { index: 0 } : {}), name: 'read', arguments: { path: words() } },
      },
      result: {
        role: 'tool',
        content: words(),
        ...(random.chance(0.7) ? { tool_name: 'read' } : {}),
        ...(random.chance(0.2) ? { images: [png] } : {}),
      },
    }),
  ],
  user: blocks => blocks.map(block => ({ role: 'user', ...(block as object) })),
  assistant: blocks => blocks.map(block => ({ role: 'assistant', ...(block as object) })),
  step: ([block], made) => [
    { role: 'assistant', ...(block as object), tool_calls: made.map(({ call }) => call) },
    ...made.map(({ result }) => result),
  ],
}

const pydanticAi: Kit = {
  asked: [
    words => words(),
    () => ({ url: 'https://example.test/a.png', kind: 'image-url' }),
    () => ({ data: png, media_type: 'image/png', kind: 'binary' }),
    words => ({ content: words(), metadata: null, kind: 'text-content' }),
  ],
  said: [
    words => ({ content: words(), part_kind: 'text' }),
    words => ({ content: words(), signature: 's', provider_name: 'anthropic', part_kind: 'thinking' }),
  ],
  steps: [
    (id, words, random) => ({
      call: { tool_name: 'read', args: { path: words() }, tool_call_id: id, part_kind: 'tool-call' },
      result: anyOf(
        words => ({ tool_name: 'read', content: words(), tool_call_id: id, part_kind: 'tool-return' }),
        words => ({ tool_name: 'read', content: { rows: [words()] }, tool_call_id: id, part_kind: 'tool-return' }),
        words => ({ tool_name: 'read', content: words(), tool_call_id: id, part_kind: 'retry-prompt' }),
      )(words, random),
    }),
  ],
  user: content => [{ kind: 'request', parts: [{ content, part_kind: 'user-prompt' }] }],
  assistant: blocks => [{ kind: 'response', parts: blocks }],
  step: (blocks, made) => [
    { kind: 'response', parts: [...blocks, ...made.map(({ call }) => call)] },
    { kind: 'request', parts: made.map(({ result }) => result) },
  ],
}

const geminiInteractions: Kit = {
  asked: [
    words => ({ type: 'text', text: words() }),
    () => ({ type: 'image', mime_type: 'image/png', data: png, resolution: 'high' }),
    () => ({ type: 'document', mime_type: 'application/pdf', uri: 'https://example.test/a.pdf' }),
    () => ({ type: 'audio', mime_type: 'audio/wav', data: png }),
    words => ({ type: 'video', uri: 'https://example.test/a.mp4', name: words() }),
  ],
  said: [
    words => ({
      type: 'model_output',
      content: [
        {
          type: 'text',
          text: words(),
          annotations: [{ type: 'url_citation', url: words(), title: words(), start_index: 0, end_index: 1 }],
        },
      ],
    }),
    words => ({
      type: 'model_output',
      content: [
        { type: 'text', text: words() },
        { type: 'image', data: png },
      ],
    }),
    () => ({ type: 'model_output', content: [{ type: 'image', mime_type: 'image/png', data: png }] }),
    words => ({ type: 'model_output', error: { code: 13, message: words() } }),
    words => ({ type: 'thought', signature: 's', summary: [{ type: 'text', text: words() }] }),
    words => ({ type: 'google_search_call', id: 'g1', arguments: { queries: [words()] }, signature: 's' }),
    words => ({ type: 'google_search_result', call_id: 'g1', result: [{ rendered_content: words() }] }),
    words => ({ type: 'code_execution_call', id: 'x1', arguments: { language: 'python', code: words() } }),
    words => ({ type: 'code_execution_result', call_id: 'x1', result: words(), is_error: true }),
    words => ({
      ...{ type: 'mcp_server_tool_call', id: 'm1', name: words(), server_name: words() },
      arguments: { query: words() },
    }),
    words => ({
      type: 'mcp_server_tool_result',
      call_id: 'm1',
      name: 'look',
      result: [{ type: 'text', text: words() }],
    }),
  ],
  steps: [
    (id, words, random) => ({
      call: { type: 'function_call', id, name: 'read', arguments: { path: words() } },
      result: {
        type: 'function_result',
        call_id: id,
        name: 'read',
        result: anyOf(
          words => words(),
          words => ({ rows: [words()] }),
          words => [
            { type: 'text', text: words() },
            { type: 'image', mime_type: 'image/png', data: png },
          ],
        )(words, random),
        ...(random.chance(0.2) ? { is_error: true } : {}),
      },
    }),
  ],
  user: content => [{ type: 'user_input', content }],
  assistant: steps => steps,
  step: (steps, made) => [...steps, ...made.map(({ call }) => call), ...made.map(({ result }) => result)],
}

const kits: Readonly<Record<CodecId, Kit>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  bedrock,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  'ag-ui': agUi,
  ollama,
  'pydantic-ai': pydanticAi,
  'gemini-interactions': geminiInteractions,
}
