import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { isHealthy } from '../../src/heal/heal.ts'
import { planFor } from '../../src/heal/options.ts'
import { check, createHealer, type HealOptions, heal, healRequest, trim } from '../../src/index.ts'
import { judge } from '../oracle/judge.ts'

/** What providers accept, by their documentation or for all that is known, and an earlier release changed or reported. */
interface Accepted extends Required<Pick<HealOptions, 'format'>> {
  name: string
  model?: string
  messages: unknown[]
}

const user = (content: unknown) => ({ role: 'user', content })
const says = (...content: unknown[]) => ({ role: 'assistant', content })
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
const answers = (...ids: string[]) => user(ids.map(id => ({ type: 'tool_result', tool_use_id: id, content: 'REAL' })))
const thought = (signature: string) => ({ type: 'thinking', thinking: '', signature })
const called = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
})
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'REAL' })
const text = (words: string) => ({ type: 'text', text: words })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const person = (...parts: unknown[]) => ({ role: 'user', parts })

const interleaved = says(thought('AAA='), use('toolu_1'), thought('BBB='), text('And now.'), use('toolu_2'))

const accepted: Accepted[] = [
  {
    name: 'thinking and text between calls, in the open step',
    format: 'anthropic',
    messages: [user('x'), interleaved, answers('toolu_1', 'toolu_2')],
  },
  {
    name: 'thinking and text between calls, in a step that is over',
    format: 'anthropic',
    messages: [user('x'), interleaved, answers('toolu_2', 'toolu_1'), says(text('Done.')), user('y')],
  },
  {
    name: 'thinking between calls on Bedrock',
    format: 'bedrock',
    messages: [
      user([{ text: 'x' }]),
      says(
        { reasoningContent: { reasoningText: { text: 'a', signature: 'AAA=' } } },
        { toolUse: { toolUseId: 'tooluse_1', name: 'read', input: {} } },
        { reasoningContent: { reasoningText: { text: 'b', signature: 'BBB=' } } },
        { toolUse: { toolUseId: 'tooluse_2', name: 'read', input: {} } },
      ),
      user(['tooluse_1', 'tooluse_2'].map(toolUseId => ({ toolResult: { toolUseId, content: [{ text: 'REAL' }] } }))),
    ],
  },
  {
    name: 'a summary first in a message of the user',
    format: 'anthropic',
    model: 'claude-opus-5',
    messages: [user([{ type: 'compaction', content: 'Summary.', signature: 'S' }, text('Go on.')])],
  },
  {
    name: 'a summary, and the assistant after it',
    format: 'anthropic',
    model: 'claude-opus-5',
    messages: [
      says({ type: 'compaction', content: 'Summary.', signature: 'S' }),
      says(use('toolu_1')),
      answers('toolu_1'),
    ],
  },
  {
    name: 'a directive without the content key, first and between others',
    format: 'anthropic',
    model: 'claude-opus-5',
    messages: [
      { role: 'system', output_config: { effort: 'high' } },
      user('x'),
      { role: 'system', content: 'Be short.' },
      { role: 'system', content: [], output_config: { effort: 'low' } },
      says(text('y')),
      user('z'),
    ],
  },
  {
    name: 'a system message for a model that came after Opus 4.8',
    format: 'anthropic',
    model: 'claude-sonnet-5',
    messages: [user('x'), { role: 'system', content: 'Be short.' }],
  },
  {
    name: 'an asynchronous custom call, and its output turns later',
    format: 'openai-responses',
    messages: [
      user('x'),
      { type: 'custom_tool_call', call_id: 'call_1', name: 'f', input: 'x', async: true },
      says('Started.'),
      user('Meanwhile?'),
      called('call_2', { async: true }),
      says('Also started.'),
      user('And?'),
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'REAL' },
      says('It is done.'),
      user('Thanks.'),
    ],
  },
  {
    name: 'outputs in another order, with items and words between',
    format: 'openai-responses',
    messages: [
      user('x'),
      called('call_1'),
      called('call_2'),
      { role: 'developer', content: 'Mind the budget.' },
      output('call_2'),
      { type: 'configuration_update', reasoning: { effort: 'high' } },
      user('Hurry.'),
      output('call_1'),
    ],
  },
  {
    name: 'reasoning with its encrypted content and no ids, as Codex sends it',
    format: 'openai-responses',
    model: 'gpt-5-codex',
    messages: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
      { type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAAAABo' },
      called('call_1', { id: 'fc_1' }),
      output('call_1'),
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'y' }] },
      called('call_2', { id: 'fc_2' }),
      output('call_2'),
    ],
  },
  {
    name: 'calls without a content key, also beside words of the user',
    format: 'openai-chat',
    messages: [
      user('x'),
      { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'REAL' },
      user('y'),
    ],
  },
  {
    name: 'the model first, and each side twice',
    format: 'gemini',
    messages: [
      model({ text: 'Hello.' }),
      person({ text: 'x' }),
      person({ text: 'y' }),
      model({ text: 'a' }),
      model({ text: 'b' }),
    ],
  },
  {
    name: 'words after a result',
    format: 'gemini',
    messages: [
      person({ text: 'x' }),
      model({ functionCall: { name: 'f', args: {} } }),
      person({ functionResponse: { name: 'f', response: { output: 'REAL' } } }),
      person({ text: 'y' }),
    ],
  },
]

const optionsOf = ({ format, model }: Accepted): HealOptions => ({ format, ...(model === undefined ? {} : { model }) })

describe('what a provider accepts', () => {
  test.each(accepted)('[NH8] comes back as the same reference, and is not reported: $name', subject => {
    const { format, messages, model } = subject
    const dialect = { 'openai-chat': 'openai' }[format as string] ?? format
    expect(judge(messages, format, dialect, model).filter(({ pedantic }) => !pedantic)).toEqual([])
    expect(heal(messages, optionsOf(subject))).toBe(messages)
    expect(check(messages, optionsOf(subject))).toEqual([])
    expect(trim(messages, { ...optionsOf(subject), maxMessages: 100 })).toBe(messages)
  })

  test.each(accepted)('[NH8] stays as it is one message at a time: $name', subject => {
    const healer = createHealer(optionsOf(subject))
    for (const message of subject.messages) {
      healer.push(message)
      expect(healer.history.length).toBeGreaterThan(0)
    }
    expect(healer.history).toEqual(subject.messages)
  })

  test('[NH8] a request without storage keeps its item ids', () => {
    const [, , , , , , , , , codex] = accepted
    const body = { model: 'gpt-5-codex', store: false, include: ['reasoning.encrypted_content'], input: codex.messages }
    expect(healRequest(body).body).toBe(body)
  })

  test('[NH8] a trimmed history keeps a late output with its call', () => {
    const messages = [
      user('x'),
      called('call_1'),
      says('One moment.'),
      user('y'),
      says('z'),
      user('w'),
      output('call_1'),
    ]
    expect(trim(messages, { format: 'openai-responses', maxMessages: 3 })).toEqual(messages.slice(1))
  })
})

/** Every type of input item that OpenAI's client has: one that is missing here does not compile. */
const itemTypes: Record<Exclude<ResponseInputItem['type'], null | undefined>, true> = {
  additional_tools: true,
  apply_patch_call: true,
  apply_patch_call_output: true,
  code_interpreter_call: true,
  compaction: true,
  compaction_trigger: true,
  computer_call: true,
  computer_call_output: true,
  configuration_update: true,
  custom_tool_call: true,
  custom_tool_call_output: true,
  file_search_call: true,
  function_call: true,
  function_call_output: true,
  image_generation_call: true,
  item_reference: true,
  local_shell_call: true,
  local_shell_call_output: true,
  mcp_approval_request: true,
  mcp_approval_response: true,
  mcp_call: true,
  mcp_list_tools: true,
  message: true,
  program: true,
  program_output: true,
  reasoning: true,
  shell_call: true,
  shell_call_output: true,
  tool_search_call: true,
  tool_search_output: true,
  web_search_call: true,
}

test.each(Object.keys(itemTypes))('[NH9] an input item of OpenAI’s own is known: %s', type => {
  const item = { type, id: 'x_1', role: type === 'message' ? 'user' : undefined, content: 'x' }
  const found = check([{ role: 'user', content: 'x' }, item], { format: 'openai-responses' })
  expect(found.map(({ rule }) => rule)).not.toContain('unreadable-message')
})

const source = { type: 'url', url: 'https://example.test/a' }

/** A block of every type that Anthropic's client has: one that is missing here does not compile. */
const blocks: Record<BetaContentBlockParam['type'], object> = {
  advisor_tool_result: { tool_use_id: 'srvtoolu_1', content: { type: 'advisor_result', text: 'x' } },
  bash_code_execution_tool_result: { tool_use_id: 'srvtoolu_1', content: {} },
  code_execution_tool_result: { tool_use_id: 'srvtoolu_1', content: {} },
  compaction: { content: 'x' },
  container_upload: { file_id: 'file_1' },
  document: { source },
  fallback: { from: { model: 'claude-opus-5' }, to: { model: 'claude-sonnet-5' } },
  image: { source },
  mcp_tool_listing: { mcp_server_name: 'x', tools: [] },
  mcp_tool_result: { tool_use_id: 'mcptoolu_1', content: 'x' },
  mcp_tool_use: { id: 'mcptoolu_1', name: 'x', server_name: 'x', input: {} },
  redacted_thinking: { data: 'x' },
  search_result: { source: 'x', title: 'x', content: [] },
  server_tool_use: { id: 'srvtoolu_1', name: 'web_search', input: {} },
  text: { text: 'x' },
  text_editor_code_execution_tool_result: { tool_use_id: 'srvtoolu_1', content: {} },
  thinking: { thinking: 'x', signature: 'x' },
  tool_addition: { tool: { type: 'tool_reference', name: 'read' } },
  tool_removal: { tool: { type: 'tool_reference', name: 'read' } },
  tool_result: { tool_use_id: 'toolu_0', content: 'x' },
  tool_search_tool_result: { tool_use_id: 'srvtoolu_1', content: {} },
  tool_use: { id: 'toolu_2', name: 'read', input: {} },
  web_fetch_tool_result: { tool_use_id: 'srvtoolu_1', content: {} },
  web_search_tool_result: { tool_use_id: 'srvtoolu_1', content: [] },
}

test.each(Object.entries(blocks))('[NH36] a block of Anthropic’s own hides no defect: %s', (type, fields) => {
  const history = [user('x'), says({ type, ...fields }), user('y'), says(use('toolu_1')), user('z')]
  const found = check(history, { for: 'anthropic' }).map(({ rule }) => rule)
  expect(found).toContain('unanswered-call')
  expect(found).not.toContain('not-a-history')
})

test.each(['video_url', 'audio_url', 'file_url', 'document_url'])('[NH36] a part of chat hides no defect: %s', type => {
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }]
  const history = [
    user([{ type, [type]: { url: 'https://example.test/a' } }]),
    { role: 'assistant', content: null, tool_calls: calls },
    user('z'),
  ]
  const found = check(history, { for: 'qwen' }).map(({ rule }) => rule)
  expect(found).toContain('unanswered-call')
  expect(found).not.toContain('not-a-history')
})

test.each([
  ['openai', false],
  ['deepseek', true],
] as const)(
  'an empty list of calls in messages of every role is doubted only if the provider rejects it: %s',
  (dialect, passes) => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }]
    const called = { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: calls }
    const history = [
      { ...user('x'), tool_calls: [] },
      called,
      { role: 'tool', tool_call_id: 'call_1', content: 'REAL', tool_calls: [] },
      { role: 'assistant', content: 'Done.' },
      user('y'),
    ]
    expect(isHealthy(history, planFor(history, { for: dialect, format: 'openai-chat' }))).toBe(passes)
  },
)
