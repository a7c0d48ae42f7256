import type { CodecId } from '../../src/index.ts'
import type { Random } from './random.ts'

/** Histories of one to three messages with as little in them as there can be: empty texts, lists, objects and nothing. */
export const tinyHistory = (format: CodecId, random: Random): unknown[] =>
  Array.from({ length: random.range(1, 3) }, () => message(format, random))

type Make = () => unknown

function message(format: CodecId, random: Random): unknown {
  const content = contentOf(format, random)
  const said = (key: string): object => (content === undefined ? {} : { [key]: content })
  switch (format) {
    case 'gemini':
      return { role: random.pick(['user', 'model', 'function', 'system']), ...said('parts') }
    case 'ai-sdk-ui':
      return { id: 'm', role: random.pick(['user', 'assistant', 'system']), parts: content ?? [] }
    case 'pydantic-ai':
      return pydanticMessage(random)
    case 'gemini-interactions':
      return step(random, said('content'))
    case 'openai-responses':
      return item(random, said('content'))
    case 'anthropic':
    case 'bedrock':
      return { role: random.pick(['user', 'assistant', 'system']), ...said('content') }
    case 'ai-sdk':
      return { role: random.pick(['user', 'assistant', 'system', 'tool']), ...said('content') }
  }
  return format === 'ollama' ? ollamaMessage(random, said('content')) : chatMessage(format, random, said('content'))
}

function pydanticMessage(random: Random): unknown {
  const content = random.pick(['', ' ', 'a', [], ['a', { url: 'x', kind: 'image-url' }], [''], {}, null, 5])
  const said = (part_kind: string) => ({ content, part_kind })
  const answers: Make = () => ({
    ...said(random.pick(['tool-return', 'retry-prompt'])),
    ...(random.chance(0.8) ? { tool_name: random.pick(['x', '']) } : {}),
    tool_call_id: idOf(random),
  })
  const asked: Make = () =>
    one(random, [answers, () => said('user-prompt'), () => said('system-prompt'), () => said('odd'), () => null])
  const call: Make = () => ({
    ...{ tool_name: random.pick(['x', '']), args: random.pick(['{}', '', 'x', {}, null]), tool_call_id: idOf(random) },
    part_kind: 'tool-call',
  })
  const told: Make = () =>
    one(random, [call, call, () => said('text'), () => said('thinking'), () => said('file'), () => 'a'])
  return random.chance(0.5)
    ? { kind: 'request', parts: some(random, asked, 0, 3) }
    : { kind: 'response', parts: some(random, told, 0, 3) }
}

function ollamaMessage(random: Random, said: object): unknown {
  const role = random.pick(['user', 'assistant', 'assistant', 'tool', 'system', 'developer'])
  const images = random.chance(0.2) ? { images: random.pick([[], ['a'], ['data:x'], [null], null, 'a']) } : {}
  const base = { role, ...said, ...images }
  if (role === 'tool') {
    const answers = random.pick([{}, { tool_name: random.pick(['x', 'y', '']) }, { tool_call_id: idOf(random) }])
    return { ...base, ...answers }
  }
  if (role !== 'assistant') return base
  const call: Make = () => ({
    ...(random.chance(0.3) ? { id: idOf(random) } : {}),
    function: { name: random.pick(['x', 'y', '']), arguments: random.pick([{}, { a: 1 }, '', '{}', null]) },
  })
  const thought = random.chance(0.3) ? { thinking: random.pick(['', 'a', null]) } : {}
  return { ...base, ...thought, ...(random.chance(0.6) ? { tool_calls: some(random, call, 0, 3) } : {}) }
}

function chatMessage(format: CodecId, random: Random, said: object): unknown {
  const [isLangChain, isAgUi] = [format === 'langchain', format === 'ag-ui']
  const role = random.pick(['user', 'assistant', 'assistant', 'tool', 'system'] as const)
  const types = { user: 'human', assistant: 'ai', tool: 'tool', system: 'system' }
  const base = { ...(isLangChain ? { type: types[role] } : { role }), ...(isAgUi ? { id: 'm' } : {}), ...said }
  if (role === 'tool') return { ...base, [isAgUi ? 'toolCallId' : 'tool_call_id']: idOf(random) }
  if (role !== 'assistant') return base
  const call: Make = () =>
    isLangChain
      ? { id: idOf(random), name: 'x', args: random.pick([{}, '']), type: 'tool_call' }
      : { id: idOf(random), type: 'function', function: { name: 'x', arguments: random.pick(['{}', '', 'x']) } }
  const calls = random.chance(0.4) ? { [isAgUi ? 'toolCalls' : 'tool_calls']: some(random, call, 0, 2) } : {}
  const refusal = format === 'openai-chat' && random.chance(0.3) ? { refusal: random.pick(['', null, 'no']) } : {}
  return { ...base, ...calls, ...refusal }
}

const item = (random: Random, said: object): unknown =>
  one(random, [
    () => ({ role: random.pick(['user', 'assistant', 'system', 'developer']), ...said }),
    () => ({ type: 'function_call', call_id: idOf(random), name: 'x', arguments: random.pick(['{}', '', 'x']) }),
    () => ({ type: 'function_call_output', call_id: idOf(random), output: random.pick(['', [], 'r', null]) }),
    () => ({ type: 'reasoning', id: 'rs_1', summary: [] }),
    () => ({ type: 'item_reference', id: 'x' }),
    () => ({ type: 'apply_patch_call', call_id: idOf(random), operation: {}, status: 'completed' }),
    () => ({ type: 'apply_patch_call_output', call_id: idOf(random), status: 'failed' }),
    () => ({ type: 'computer_call', call_id: idOf(random), actions: [] }),
  ])

const step = (random: Random, said: object): unknown =>
  one(random, [
    () => ({ type: random.pick(['user_input', 'model_output', 'model_output']), ...said }),
    () => ({
      type: 'function_call',
      id: idOf(random),
      name: random.pick(['x', '']),
      arguments: random.pick([{}, '{}', 5]),
    }),
    () => ({
      ...{ type: 'function_result', call_id: idOf(random), result: random.pick(['', [], 'r', null, 5, {}, ['a']]) },
      ...random.pick([{}, { name: 'x' }, { name: '' }, { is_error: true, name: 'x' }]),
    }),
    () => ({ type: 'thought', ...random.pick([{}, { signature: 's' }, { signature: '', summary: [] }]) }),
    () => ({ type: 'google_search_call', id: 's1', arguments: {} }),
    () => ({ type: 'model_output', error: { code: 13, message: 'a' } }),
    () => ({ type: 'text', text: textOf(random) }),
    () => ({ type: 'image', uri: 'x' }),
    () => ({ type: 'compaction', id: 'x' }),
  ])

function contentOf(format: CodecId, random: Random): unknown {
  const block = (): unknown => one(random, blocks(format, random))
  return one(random, [
    () => textOf(random),
    () => [],
    () => null,
    () => undefined,
    () => some(random, block, 1, 3),
    () => some(random, block, 1, 2),
    () => ({}),
  ])
}

function blocks(format: CodecId, random: Random): Make[] {
  const text = textOf(random)
  const id = idOf(random)
  const input = random.pick([{}, '', []])
  const any: Make[] = [() => ({}), () => null]
  switch (format) {
    case 'bedrock':
      return [
        ...any,
        () => ({ text }),
        () => ({ toolUse: { toolUseId: id, name: 'x', input } }),
        () => ({ toolResult: { toolUseId: id, content: random.pick([[], '', [{ text }], [{ json: '' }], null]) } }),
        () => ({ reasoningContent: { reasoningText: { text, signature: random.pick(['', 's']) } } }),
        () => ({ cachePoint: { type: 'default' } }),
      ]
    case 'gemini':
      return [
        ...any,
        () => ({ text }),
        () => ({ text, thought: true }),
        () => ({ functionCall: { name: 'x', args: {}, id } }),
        () => ({ functionCall: { name: 'x' } }),
        () => ({ functionResponse: { name: 'x', response: random.pick([{}, '', { output: text }, null]) } }),
      ]
    case 'anthropic':
      return [
        ...any,
        () => ({ type: 'text', text }),
        () => ({ type: 'tool_use', id, name: 'x', input }),
        () => ({
          type: 'tool_result',
          tool_use_id: id,
          content: random.pick([[], '', [{ type: 'text', text }], null]),
        }),
        () => ({ type: 'thinking', thinking: text, signature: random.pick(['', 's']) }),
        () => ({ type: 'compaction', content: text }),
      ]
    case 'ai-sdk':
      return [
        ...any,
        () => ({ type: 'text', text }),
        () => ({ type: 'tool-call', toolCallId: id, toolName: 'x', input }),
        () => ({ type: 'tool-result', toolCallId: id, toolName: 'x', output: { type: 'text', value: text } }),
        () => ({ type: 'tool-result', toolCallId: id, toolName: 'x', output: random.pick(['', undefined]) }),
        () => ({ type: 'reasoning', text }),
      ]
    case 'ai-sdk-ui': {
      const state = random.pick(['input-available', 'output-available', 'output-error', 'input-streaming'])
      return [
        ...any,
        () => ({ type: 'text', text }),
        () => ({ type: 'tool-x', toolCallId: id, state, input, output: text }),
        () => ({ type: 'tool-x', toolCallId: id, state, input, errorText: text }),
        () => ({ type: 'reasoning', text }),
        () => ({ type: 'step-start' }),
      ]
    }
  }
  return [
    ...any,
    () => text,
    () => ({ type: 'text', text }),
    () => ({ type: 'refusal', refusal: text }),
    () => ({ type: 'tool_use', id, name: 'x', input }),
    () => ({ type: 'thinking', thinking: text }),
  ]
}

const one = (random: Random, makes: readonly Make[]): unknown => random.pick(makes)()

const some = (random: Random, make: Make, least: number, most: number): unknown[] =>
  Array.from({ length: random.range(least, most) }, make)

const textOf = (random: Random): string => random.pick(['', ' ', 'a', '\n'])

const idOf = (random: Random): string => random.pick(['', 'c1', 'c2', 'call_123456789', 'srvtoolu_1'])
