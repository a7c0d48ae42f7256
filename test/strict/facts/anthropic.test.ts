import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/anthropic/facts.ts'
import { assistant, found, result, search, text, thinking, use, user } from '../../oracle/cases/blocks.ts'
import { type Json, post } from '../http.ts'
import { type Case, type Door, testAccepted, testCases, testComplete } from './over-http.ts'

const tools = [{ name: 'weather', input_schema: { type: 'object' } }]

const door: Door = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  request: (messages, fields, model) => ({
    ...{ path: '/v1/messages', stream: '/v1/messages' },
    body: { model, max_tokens: 100, messages, tools, ...fields },
  }),
  refusal: message => ({
    type: 'error',
    error: { type: 'invalid_request_error', message },
    request_id: expect.stringMatching(/^req_01\w{22}$/),
  }),
}

const hi = user(text())
const step = [assistant(use('A')), user(result('A'))]
const both = assistant(use('A'), use('B'))
const thoughtful = [assistant(thinking('c2ln'), use('A')), user(result('A'))]
const system = { role: 'system', content: 'be kind' }
const on = { thinking: { type: 'enabled', budget_tokens: 1024 } }
const off = { thinking: { type: 'disabled' } }
const advisor = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'advisor', input: {} }
const advice = { type: 'advisor_tool_result', tool_use_id: 'srvtoolu_1', content: [] }

const sealed = {
  ...found('srvtoolu_1'),
  content: [{ type: 'web_search_result', url: 'https://a.test', encrypted_content: 'c2ln' }],
}

const missing = (index: number, ids: string) =>
  `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
const unexpected = (place: string, id: string) =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
const unresolved =
  'messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block'
const thoughtless = (index: number, type: string) =>
  `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`
const stray =
  'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'
const blank = 'messages: text content blocks must contain non-whitespace text'
const empty = (index: number) =>
  `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
const noPrefill =
  'This model does not support assistant message prefill. The conversation must end with a user message.'
const place = (index: number) =>
  `messages.${index}: role 'system' must precede an 'assistant' message or end the array; the directive-only form (content: [] with output_config) is accepted at any position`

const cases: Case[] = [
  {
    fact: 'an-missing-result',
    refused: [hi, both, hi],
    text: missing(1, 'A, B'),
    accepted: [hi, both, user(result('A'), result('B'))],
  },
  {
    fact: 'an-missing-result',
    name: 'at the tail',
    refused: [hi, assistant(use('A'))],
    text: missing(1, 'A'),
    accepted: [hi, ...step],
  },
  {
    fact: 'an-result-not-first',
    refused: [hi, assistant(use('A')), user(text(), result('A'))],
    text: missing(1, 'A'),
    accepted: [hi, assistant(use('A')), user(result('A'), text())],
  },
  {
    fact: 'an-orphan',
    refused: [user(result('A'))],
    text: unexpected('messages.0.content.0', 'A'),
    accepted: [hi, ...step],
  },
  {
    fact: 'an-orphan',
    name: 'behind words',
    refused: [hi, assistant(text()), user(result('A'))],
    text: unexpected('messages.2.content.0', 'A'),
    accepted: [hi, assistant(text(), use('A')), user(result('A'))],
  },
  {
    fact: 'an-dup-use',
    refused: [hi, assistant(use('A'), use('A')), user(result('A'))],
    text: 'messages.1.content.1: `tool_use` ids must be unique',
    accepted: [hi, both, user(result('A'), result('B'))],
  },
  {
    fact: 'an-dup-use',
    name: 'in a later turn',
    pedantic: true,
    refused: [hi, ...step, ...step],
    text: 'messages.3.content.0: `tool_use` ids must be unique',
    accepted: [hi, ...step, assistant(use('B')), user(result('B'))],
  },
  {
    fact: 'an-dup-result',
    refused: [hi, assistant(use('A')), user(result('A'), result('A'))],
    text: 'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: A',
    accepted: [hi, ...step],
  },
  {
    fact: 'an-id-pattern',
    refused: [hi, assistant(use('functions.bash:0')), user(result('functions.bash:0'))],
    text: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    accepted: [hi, assistant(use('functions_bash-0')), user(result('functions_bash-0'))],
  },
  {
    fact: 'an-input',
    refused: [hi, assistant(text(), { ...use('A'), input: '{"city' }), user(result('A'))],
    text: 'messages.1.content.1.tool_use.input: Input should be a valid dictionary',
    accepted: [hi, ...step],
  },
  {
    fact: 'an-srv-id-pattern',
    refused: [hi, assistant(search('call_1'), found('call_1'), text()), hi],
    text: "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    accepted: [hi, assistant(search(), found(), text()), hi],
  },
  {
    fact: 'an-srv-missing',
    refused: [hi, assistant(search()), hi],
    text: unresolved,
    accepted: [hi, assistant(search())],
  },
  {
    fact: 'an-srv-mixed',
    refused: [hi, assistant(search(), use('A')), user(result('A'), text())],
    text: unresolved,
    accepted: [hi, assistant(search(), use('A')), user(result('A'))],
  },
  {
    fact: 'an-srv-orphan',
    refused: [hi, assistant(advice, text()), hi],
    text: 'messages.1.content.0: unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_1. Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.',
    accepted: [hi, assistant(advisor, advice, text()), hi],
  },
  {
    fact: 'an-use-in-user',
    pedantic: true,
    refused: [user(text(), use('A'))],
    text: 'messages.0: `tool_use` blocks can only be in `assistant` messages',
    accepted: [hi, ...step],
  },
  {
    fact: 'an-result-in-assistant',
    refused: [hi, assistant(use('A'), result('A')), hi],
    text: 'messages.1: `tool_result` blocks can only be in `user` messages',
    accepted: [hi, ...step],
  },
  {
    fact: 'an-tools-undefined',
    fields: { tools: [] },
    refused: [hi, ...step],
    text: 'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    accepted: [hi],
  },
  {
    fact: 'an-content-after-use',
    pedantic: true,
    refused: [hi, assistant(use('A'), text()), user(result('A'))],
    text: missing(1, 'A'),
    accepted: [hi, assistant(text(), use('A')), user(result('A'))],
  },
  {
    fact: 'an-first-user',
    refused: [assistant(text()), hi],
    text: 'messages: first message must use the "user" role',
    accepted: [hi, assistant(text()), hi],
  },
  { fact: 'an-empty-messages', refused: [], text: 'messages: at least one message is required', accepted: [hi] },
  { fact: 'an-empty-content', refused: [hi, assistant(), hi], text: empty(1), accepted: [hi, assistant()] },
  {
    fact: 'an-empty-content',
    name: 'a string',
    refused: [{ role: 'user', content: '' }],
    text: empty(0),
    accepted: [{ role: 'user', content: 'hello' }],
  },
  {
    fact: 'an-error-empty',
    refused: [hi, assistant(use('A')), user({ ...result('A'), content: '', is_error: true })],
    text: 'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
    accepted: [hi, assistant(use('A')), user({ ...result('A'), content: '' })],
  },
  {
    fact: 'an-empty-text',
    pedantic: true,
    refused: [hi, assistant(text(''), use('A')), user(result('A'))],
    text: 'messages: text content blocks must be non-empty',
    accepted: [hi, ...step],
  },
  { fact: 'an-ws-text', refused: [hi, assistant(text(' ')), hi], text: blank, accepted: [hi, assistant(text()), hi] },
  {
    fact: 'an-trailing-ws',
    refused: [hi, assistant(text('It is '))],
    text: 'messages: final assistant content cannot end with trailing whitespace',
    accepted: [hi, assistant(text('It is'))],
  },
  ...['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-opus-4-8', 'claude-sonnet-5', 'claude-fable-5'].map(
    (model): Case => ({
      fact: 'an-no-prefill',
      ...{ name: model, model },
      refused: [hi, assistant(text())],
      text: noPrefill,
      accepted: [hi, assistant(text()), hi],
    }),
  ),
  {
    fact: 'an-role',
    refused: [hi, assistant(use('A')), { role: 'tool', content: 'sunny' }],
    text: 'messages: Unexpected role "tool". Allowed roles are "user" or "assistant". For instructions on how to use tools, see https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.',
    accepted: [hi, ...step],
  },
  ...['claude-sonnet-4-5', 'claude-opus-4-7', 'claude-mythos-preview'].map(
    (model): Case => ({
      fact: 'an-system-role-old',
      ...{ name: model, model },
      refused: [hi, system, assistant(text()), hi],
      text: "role 'system' is not supported on this model",
      accepted: [hi],
    }),
  ),
  {
    fact: 'an-system-first',
    model: 'claude-opus-4-8',
    refused: [system, hi],
    text: "messages.0: use the top-level 'system' parameter for the initial system prompt; the directive-only form (content: [] with output_config) is accepted at any position",
    accepted: [{ role: 'system', content: [], output_config: { effort: 'low' } }, hi],
  },
  {
    fact: 'an-system-place',
    model: 'claude-opus-5',
    refused: [hi, system, hi],
    text: place(1),
    accepted: [hi, system, assistant(text()), hi, system],
  },
  {
    fact: 'an-think-first',
    fields: on,
    refused: [hi, ...step],
    text: thoughtless(1, 'tool_use'),
    accepted: [hi, ...thoughtful],
  },
  {
    fact: 'an-think-first',
    name: 'words in front, in a later step',
    fields: on,
    refused: [hi, ...step, assistant(text(), use('B')), user(result('B'))],
    text: thoughtless(3, 'text'),
    accepted: [hi, ...step, assistant(text(), use('B')), user(result('B'))],
    acceptedFields: off,
  },
  {
    fact: 'an-think-first',
    name: 'words beside the results',
    fields: on,
    refused: [hi, step[0], user(result('A'), text())],
    text: thoughtless(1, 'tool_use'),
    accepted: [hi, thoughtful[0], user(result('A'), text())],
  },
  {
    fact: 'an-think-signature',
    refused: [hi, assistant(thinking(''), text()), hi],
    text: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    accepted: [hi, assistant(thinking('c2ln'), text()), hi],
  },
  {
    fact: 'an-think-signature',
    name: 'one that nobody has made',
    refused: [hi, assistant(thinking('skip_thought_signature_validator'), text()), hi],
    text: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    accepted: [hi, assistant(text()), hi],
  },
  {
    fact: 'an-think-sig-missing',
    refused: [hi, assistant(thinking(), text()), hi],
    text: 'messages.1.content.0.thinking.signature: Field required',
    accepted: [hi, assistant(thinking('c2ln'), text()), hi],
  },
  {
    fact: 'an-think-data',
    verify: true,
    refused: [hi, assistant({ type: 'redacted_thinking', data: 'c2ln' }, text()), hi],
    text: 'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    accepted: [hi, assistant(text()), hi],
  },
  {
    fact: 'an-search-encrypted',
    verify: true,
    refused: [hi, assistant(search('srvtoolu_1'), sealed, text()), hi],
    text: 'messages.1.content.1: Invalid `encrypted_content` in `search_result` block',
    accepted: [hi, assistant(search('srvtoolu_1'), found('srvtoolu_1'), text()), hi],
  },
  {
    fact: 'an-think-last',
    refused: [hi, assistant(thinking('c2ln'))],
    text: 'messages.1: The final block in an assistant message cannot be `thinking`.',
    accepted: [hi, assistant(thinking('c2ln')), hi],
  },
  {
    fact: 'an-think-last',
    name: 'something that cannot be read stands behind it',
    refused: [hi, assistant(text(), thinking('c2ln'))],
    text: 'messages.1: The final block in an assistant message cannot be `thinking`.',
    accepted: [hi, { role: 'assistant', content: [thinking('c2ln'), ['?']] }],
    acceptedFields: on,
  },
  { fact: 'an-think-disabled', fields: off, refused: [hi, ...thoughtful], text: stray, accepted: [hi, ...step] },
  {
    fact: 'an-think-disabled',
    name: 'a model that thinks on demand is told nothing',
    refused: [hi, ...thoughtful],
    text: stray,
    accepted: [hi, ...thoughtful],
    acceptedFields: on,
  },
  {
    fact: 'an-think-disabled',
    name: 'words beside the results',
    fields: off,
    refused: [hi, thoughtful[0], user(result('A'), text())],
    text: stray,
    accepted: [hi, step[0], user(result('A'), text())],
  },
  {
    fact: 'an-OPEN-split',
    pedantic: true,
    refused: [hi, both, user(result('A')), user(result('B'))],
    text: missing(1, 'B'),
    accepted: [hi, both, user(result('A'), result('B'))],
  },
]

describe('Anthropic refuses', () => testCases(door, cases))

describe('Anthropic takes', () =>
  testAccepted(door, {
    'words after results': { history: [hi, assistant(text(), use('A')), user(result('A'), text())] },
    'thinking that began only with the first step': {
      fields: on,
      history: [hi, ...thoughtful, assistant(use('B')), user(result('B'))],
    },
    'a turn before without thinking': { fields: on, history: [hi, ...step, assistant(text()), hi] },
    'a turn before with thinking': { fields: off, history: [hi, ...thoughtful, assistant(text()), hi] },
    'thinking that nobody asked for, from a model that decides itself': {
      model: 'claude-opus-4-8',
      history: [hi, ...thoughtful],
    },
    'no thinking where the model decides': {
      model: 'claude-opus-4-8',
      fields: { thinking: { type: 'adaptive' } },
      history: [hi, ...step],
    },
    'an older model that goes on with its own words': { history: [hi, assistant(text())] },
    'white space in front of the last block': {
      history: [hi, assistant(text('Let me search.\n\n'), search(), found())],
    },
    'white space in front of more words': { history: [hi, assistant(text('Let me '), text('see.'))] },
    'ids that are numbers or missing, and results for them': {
      history: [
        hi,
        assistant({ ...use('A'), id: 5 }),
        user({ ...result('A'), tool_use_id: 5 }, { ...result('A'), tool_use_id: undefined }),
      ],
    },
    'a paused turn': { model: 'claude-opus-4-8', history: [hi, assistant(search())] },
    'a result of the web without its search': { history: [hi, assistant(found(), text()), hi] },
    'a system message for a model that is not known': { model: 'm', history: [hi, system, assistant(text()), hi] },
  }))

test.each([undefined, 'hello', { role: 'user' }])(
  'takes %j for messages, of which nothing is known',
  async messages => {
    await using strict = await startStrict()
    expect((await post(strict, '/v1/messages', { model: 'claude-opus-4-8', messages })).status).toBe(200)
  },
)

describe('thinking that this server has signed', () => {
  const ask = async (change: (block: Json) => Json) => {
    await using strict = await startStrict({ script: [{ thinking: 'Let me see.', calls: [{ name: 'weather' }] }] })
    const send = (messages: unknown[]) =>
      post(strict, '/v1/messages', { model: 'claude-sonnet-4-5', messages, tools, ...on })
    const content = (await send([hi])).json().content as Json[]
    return await send([hi, assistant(change(content[0]), content[1]), user(result(String(content[1].id)))])
  }

  test('comes back as it was', async () => {
    expect((await ask(block => block)).status).toBe(200)
  })

  test('an-think-modified', async () => {
    const answer = await ask(block => ({ ...block, thinking: 'Let me look.' }))
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual(
      door.refusal(
        'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      ),
    )
  })

  test('an-think-signature: that of another API', async () => {
    await using strict = await startStrict({ script: [{ calls: [{ name: 'weather' }] }] })
    const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
    const { candidates } = (await post(strict, '/v1beta/models/gemini-3-pro:generateContent', { contents })).json()
    const [{ thoughtSignature }] = (candidates as { content: { parts: Json[] } }[])[0].content.parts
    const messages = [hi, assistant(thinking(String(thoughtSignature)), text()), hi]
    const answer = await post(strict, '/v1/messages', { model: 'claude-sonnet-4-5', messages })
    expect(answer.json()).toEqual(door.refusal('messages.1.content.0: Invalid `signature` in `thinking` block'))
  })
})

test.each([true, false])('the SDK has its own error for it (stream: %s)', async stream => {
  await using strict = await startStrict()
  const client = new Anthropic({ baseURL: strict.url, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
  const messages = [hi, assistant(use('A'))] as Anthropic.MessageParam[]
  const error = await client.messages.create({ model: 'claude-opus-4-8', max_tokens: 9, messages, stream }).then(
    () => 'no error',
    error => error,
  )
  expect(error).toBeInstanceOf(Anthropic.BadRequestError)
  expect(error).toMatchObject({ status: 400, requestID: strict.requests[0].id, type: 'invalid_request_error' })
  expect(error.error).toEqual(door.refusal(missing(1, 'A')))
})

testComplete(facts, [...cases.map(({ fact }) => fact), 'an-think-modified'])
