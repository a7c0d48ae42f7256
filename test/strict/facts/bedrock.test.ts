import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type Message,
  ValidationException,
} from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/bedrock/facts.ts'
import { asks, cachePoint, reasoning, replies, toolResult, toolUse, words } from '../../oracle/cases/converse.ts'
import { type Json, post } from '../http.ts'
import { type Case, type Door, testAccepted, testCases, testComplete } from './over-http.ts'

const toolConfig = { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }] }

const door: Door = {
  provider: 'bedrock',
  model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  request: (messages, fields, model) => ({
    path: `/model/${encodeURIComponent(model)}/converse`,
    stream: `/model/${encodeURIComponent(model)}/converse-stream`,
    body: { messages, toolConfig, ...fields },
  }),
  refusal: message => ({ message }),
  headers: { 'x-amzn-errortype': 'ValidationException' },
}

const hi = asks(words())
const step = [replies(toolUse('A')), asks(toolResult('A'))]
const both = replies(toolUse('A'), toolUse('B'))
const thoughtful = [replies(reasoning('c2ln'), toolUse('A')), asks(toolResult('A'))]
const on = { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } } }
const off = { additionalModelRequestFields: { thinking: { type: 'disabled' } } }
const llama = 'us.meta.llama4-maverick-17b-instruct-v1:0'
const mistral = 'mistral.mistral-large-2407-v1:0'
const nova = 'us.amazon.nova-pro-v1:0'

const expected = (n: number, ids: string) =>
  `Expected toolResult blocks at messages.${n}.content for the following Ids: ${ids}`
const surplus = (n: number) =>
  `The number of toolResult blocks at messages.${n}.content exceeds the number of toolUse blocks of previous turn.`
const start =
  'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
const alternate =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
const mixed = (n: number, kind: string) =>
  `messages.${n}.content: Conversation blocks and tool ${kind} blocks cannot be provided in the same turn.`
const format = (path: string) =>
  `The format of the value at ${path} is invalid. Provide a json object for the field and try again.`
const wrapped = (text: string) => `The model returned the following errors: ${text}`
const thoughtless =
  'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking'
const stray =
  'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'
const noPrefill =
  'This model does not support assistant message prefill. The conversation must end with a user message.'
const pattern = 'failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+'
const idPattern = pattern.replace('_-', '_.:-')
const long = 'failed to satisfy constraint: Member must have length less than or equal to 64'

const cases: Case[] = [
  {
    fact: 'br-missing-result',
    refused: [hi, both, hi],
    text: expected(2, 'A, B'),
    accepted: [hi, both, asks(toolResult('A'), toolResult('B'), words())],
  },
  {
    fact: 'br-missing-result',
    name: 'in two messages',
    refused: [hi, both, asks(toolResult('A')), asks(toolResult('B'))],
    text: expected(2, 'B'),
    accepted: [hi, both, asks(toolResult('B'), toolResult('A'), cachePoint)],
  },
  {
    fact: 'br-missing-result',
    name: 'at the tail',
    refused: [hi, replies(toolUse('A'))],
    text: expected(2, 'A'),
    accepted: [hi, ...step],
  },
  { fact: 'br-too-many-results', refused: [asks(toolResult('A'))], text: surplus(0), accepted: [hi, ...step] },
  {
    fact: 'br-too-many-results',
    name: 'the same one twice',
    refused: [hi, replies(toolUse('A')), asks(toolResult('A'), toolResult('A'))],
    text: surplus(2),
    accepted: [hi, ...step],
  },
  {
    fact: 'br-too-many-results',
    name: 'a late one, behind two user messages',
    refused: [hi, ...step, hi, ...step, asks(toolResult('A'), words())],
    text: surplus(6),
    accepted: [hi, ...step, replies(words()), hi, ...step],
  },
  {
    fact: 'br-dup-use',
    refused: [hi, replies(toolUse('A'), toolUse('A')), asks(toolResult('A'), toolResult('A'))],
    text: 'The toolUse blocks at messages.1.content contain duplicate Ids: A',
    accepted: [hi, ...step, ...step],
  },
  { fact: 'br-start-user', refused: [replies(words()), hi], text: start, accepted: [hi, replies(words()), hi] },
  { fact: 'br-start-user', name: 'nothing at all', refused: [], text: start, accepted: [hi] },
  { fact: 'br-alternate', refused: [hi, hi], text: alternate, accepted: [asks(words(), words())] },
  {
    fact: 'br-alternate',
    name: 'words behind results',
    refused: [hi, ...step, hi],
    text: alternate,
    accepted: [hi, replies(toolUse('A')), asks(toolResult('A'), words())],
  },
  {
    fact: 'br-end-user',
    model: 'eu.anthropic.claude-sonnet-5',
    refused: [hi, replies(words())],
    text: wrapped(noPrefill),
    accepted: [hi, replies(words()), hi],
  },
  {
    fact: 'br-end-user',
    name: 'Llama',
    model: 'meta.llama3-8b-instruct-v1:0',
    refused: [hi, replies(words())],
    text: 'The model that you are using requires the last turn in the conversation to be a user message. Add a user message to the conversation and try again.',
    accepted: [hi, replies(words()), hi],
  },
  {
    fact: 'br-toolconfig',
    fields: { toolConfig: undefined },
    refused: [hi, ...step],
    text: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    accepted: [hi, ...step],
    acceptedFields: {},
  },
  ...[llama, mistral].map(
    (model): Case => ({
      fact: 'br-mixed-result',
      ...{ name: model, model },
      refused: [hi, replies(toolUse('A')), asks(toolResult('A'), words())],
      text: mixed(2, 'result'),
      accepted: [hi, ...step, replies(words()), hi],
    }),
  ),
  {
    fact: 'br-mixed-use',
    model: llama,
    refused: [hi, replies(words(), toolUse('A')), asks(toolResult('A'))],
    text: mixed(1, 'use'),
    accepted: [hi, ...step],
  },
  {
    fact: 'br-mixed-use',
    name: 'Mistral',
    pedantic: true,
    model: mistral,
    refused: [hi, replies(words(), toolUse('A')), asks(toolResult('A'))],
    text: mixed(1, 'use'),
    accepted: [hi, ...step],
  },
  {
    fact: 'br-empty-content',
    refused: [hi, replies()],
    text: 'The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.',
    accepted: [hi, replies(words())],
  },
  {
    fact: 'br-blank-text',
    refused: [asks(words(), words(''))],
    text: 'The text field in the ContentBlock object at messages.0.content.1 is blank. Add text to the text field, and try again.',
    accepted: [hi],
  },
  {
    fact: 'br-ws-text',
    refused: [asks(words(' '))],
    text: 'messages: text content blocks must contain non-whitespace text',
    accepted: [hi],
  },
  {
    fact: 'br-ws-text',
    name: 'nothing in a result',
    refused: [hi, replies(toolUse('A')), asks(toolResult('A', [words('')]))],
    text: 'messages: text content blocks must be non-empty',
    accepted: [hi, replies(toolUse('A')), asks(toolResult('A', []))],
  },
  {
    fact: 'br-trailing-ws',
    refused: [hi, replies(words('It is '))],
    text: wrapped('messages: final assistant content cannot end with trailing whitespace'),
    accepted: [hi, replies(words('It is'))],
  },
  {
    fact: 'br-error-empty',
    refused: [hi, replies(toolUse('A')), asks(toolResult('A', [], 'error'))],
    text: 'The content field at messages.2.content.0.toolResult cannot be empty when status value is error.',
    accepted: [hi, replies(toolUse('A')), asks(toolResult('A', [words('it broke')], 'error'))],
  },
  {
    fact: 'br-think',
    fields: on,
    refused: [hi, ...step],
    text: wrapped(thoughtless),
    accepted: [hi, ...thoughtful],
  },
  {
    fact: 'br-think',
    name: 'switched off',
    fields: off,
    refused: [hi, ...thoughtful],
    text: wrapped(stray),
    accepted: [hi, ...step],
  },
  {
    fact: 'br-think',
    name: 'without a signature',
    refused: [hi, replies(reasoning(), words()), hi],
    text: wrapped('messages.1.content.0.thinking.signature: Field required'),
    accepted: [hi, replies(reasoning('c2ln'), words()), hi],
  },
  {
    fact: 'br-think',
    name: 'at the end',
    refused: [hi, replies(cachePoint, reasoning('c2ln'))],
    text: wrapped('messages.1: The final block in an assistant message cannot be `thinking`.'),
    accepted: [hi, replies(reasoning('c2ln'), words())],
    acceptedFields: on,
  },
  {
    fact: 'br-reasoning',
    model: 'us.deepseek.r1-v1:0',
    refused: [hi, replies(reasoning(), words()), hi],
    text: 'User messages cannot contain reasoning content. Please remove the reasoning content and try again.',
    accepted: [hi, replies(words()), hi],
  },
  {
    fact: 'br-role',
    refused: [{ role: 'system', content: [words()] }, hi],
    text: "1 validation error detected: Value 'system' at 'messages.1.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]",
    accepted: [hi],
  },
  {
    fact: 'br-name',
    refused: [hi, replies(words(), toolUse('A', {}, 'web.search')), asks(toolResult('A'))],
    text: `1 validation error detected: Value at 'messages.2.member.content.2.member.toolUse.name' ${pattern}`,
    accepted: [hi, ...step],
  },
  {
    fact: 'br-name',
    name: 'all faults at once',
    refused: [hi, replies(toolUse('A', {}, 'x.'.repeat(33)), toolUse('B', {}, 'web.search')), hi],
    text: `3 validation errors detected: Value at 'messages.2.member.content.1.member.toolUse.name' ${long}; Value at 'messages.2.member.content.1.member.toolUse.name' ${pattern}; Value at 'messages.2.member.content.2.member.toolUse.name' ${pattern}`,
    accepted: [hi, ...step],
  },
  {
    fact: 'br-id-form',
    refused: [hi, replies(toolUse('weather 0')), asks(toolResult('weather 0'))],
    text: `2 validation errors detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' ${idPattern}; Value at 'messages.3.member.content.1.member.toolResult.toolUseId' ${idPattern}`,
    accepted: [hi, replies(toolUse('functions.weather:0')), asks(toolResult('functions.weather:0'))],
  },
  {
    fact: 'br-json',
    refused: [hi, replies(toolUse('A')), asks(toolResult('A', [{ json: [1] }]))],
    text: format('messages.2.content.0.toolResult.content.0.json'),
    accepted: [hi, replies(toolUse('A')), asks(toolResult('A', [{ json: { sky: 'clear' } }]))],
  },
  {
    fact: 'br-json',
    name: 'the input of a call',
    refused: [hi, replies(toolUse('A', '{"city":"Li')), asks(toolResult('A'))],
    text: format('messages.1.content.0.toolUse.input'),
    accepted: [hi, ...step],
  },
]

describe('Bedrock refuses', () => testCases(door, cases))

describe('Bedrock takes', () =>
  testAccepted(door, {
    'words beside calls and results': {
      history: [hi, replies(words(), toolUse('A')), asks(toolResult('A'), words())],
    },
    'reasoning of other models': { model: nova, history: [hi, replies(reasoning(), words()), hi] },
    'blanks for other models': { model: nova, history: [asks(words(' ')), replies(words('It is '))] },
    'a profile that does not name its model': {
      model: 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc',
      history: [hi, replies(reasoning(), toolUse('A')), asks(toolResult('A'), words())],
    },
    'a system message for a model that has them': {
      model: 'us.anthropic.claude-opus-4-8',
      history: [hi, { role: 'system', content: [words()] }, replies(words()), hi],
    },
    'nothing but a cache point': { history: [asks(cachePoint)] },
    'white space in front of the last block': {
      history: [hi, replies(words('hm '), { toolUse: { ...toolUse('A').toolUse, type: 'server_tool_use' } })],
    },
    'a stored prompt, which brings its own messages': {
      model: 'arn:aws:bedrock:us-east-1:123456789012:prompt/ABCDEF1234',
      history: [],
    },
  }))

test('a request without messages is another fault, whose words are not known', async () => {
  await using strict = await startStrict()
  const { path } = door.request([], {}, 'arn:aws:bedrock:us-east-1:123456789012:prompt/ABCDEF1234')
  for (const there of [path, door.request([], {}, door.model).path])
    expect((await post(strict, there, { promptVariables: { city: { text: 'Lisbon' } } })).status).toBe(200)
})

test('br-think: what this server has signed comes back as it was', async () => {
  for (const [change, status] of [
    ['', 200],
    [' indeed', 400],
  ] as const) {
    await using strict = await startStrict({ script: [{ thinking: 'Let me see.', calls: [{ name: 'weather' }] }] })
    const send = (messages: unknown[]) => {
      const { path, body } = door.request(messages, on, door.model)
      return post(strict, path, body)
    }
    const { output } = (await send([hi])).json() as { output: { message: { content: Json[] } } }
    const [thought, call] = output.message.content as [Json, { toolUse: { toolUseId: string } }]
    const { reasoningText } = thought.reasoningContent as { reasoningText: { text: string } }
    reasoningText.text += change
    const answer = await send([hi, replies(thought, call), asks(toolResult(call.toolUse.toolUseId))])
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(answer.json()).toEqual({
        message:
          'The model returned the following errors: messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      })
  }
})

test.each([true, false])('the SDK has its own error for it (stream: %s)', async stream => {
  await using strict = await startStrict()
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const client = new BedrockRuntimeClient({ region: 'us-east-1', endpoint: strict.url, credentials, maxAttempts: 1 })
  const request = { modelId: door.model, messages: [hi, replies(toolUse('A'))] as Message[] }
  const error = await (stream
    ? client.send(new ConverseStreamCommand(request))
    : client.send(new ConverseCommand(request))
  )
    .then(
      () => 'no error',
      error => error,
    )
    .finally(() => client.destroy())
  expect(error).toBeInstanceOf(ValidationException)
  expect(error).toMatchObject({
    name: 'ValidationException',
    message: expected(2, 'A'),
    $metadata: { httpStatusCode: 400 },
  })
})

testComplete(
  facts,
  cases.map(({ fact }) => fact),
)
