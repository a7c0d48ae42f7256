import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/openai/facts.ts'
import { a, call, calls, s, t, u } from '../../oracle/cases/chat.ts'
import { ask, expectAll, expectRefusal, type Refused, titled } from './rejections.ts'

const path = '/openai/v1/chat/completions'
const oldAzure = '/azure/openai/deployments/gpt-4/chat/completions?api-version=2023-07-01-preview'
const long = 'c'.repeat(51)
const wide = (length: number) => '😀'.repeat(length)
const fn = { role: 'function', name: 'weather', content: null }
const keyless = { role: 'assistant', tool_calls: [call('A')] }

const missing = (ids: string) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`
const orphan =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const emptyArray = (what: string) =>
  `Invalid '${what}': empty array. Expected an array with minimum length 1, but got an empty array instead.`

const row = (
  fact: string,
  refused: unknown[],
  [message, param = null, code = null]: (string | null)[],
  accepted: unknown[],
  more: Partial<Refused> = {},
): Refused => ({
  ...{ fact, path, refused: { model: 'gpt-5', messages: refused }, accepted: { model: 'gpt-5', messages: accepted } },
  body: { error: { message, type: 'invalid_request_error', param, code } },
  ...more,
})

const cases: Refused[] = [
  row(
    'oc-missing-result',
    [u(), calls('A', 'B'), u()],
    [missing('A, B'), 'messages.[2].role'],
    [u(), calls('A', 'B'), t('B'), t('A'), u()],
  ),
  row(
    'oc-missing-result',
    [s(), u(), calls('A', 'B'), t('A'), a()],
    [missing('B'), 'messages.[4].role'],
    [s(), u(), calls('A', 'B'), t('A'), t('B'), a()],
    { name: 'one of two' },
  ),
  row(
    'oc-user-between',
    [u(), calls('A', 'B'), t('A'), u(), t('B')],
    [missing('B'), 'messages.[3].role'],
    [u(), calls('A', 'B'), t('A'), t('B'), u()],
  ),
  row('oc-trailing-call', [u(), calls('A')], [missing('A'), 'messages'], [u(), calls('A'), t('A')]),
  row('oc-orphan', [u(), t('A')], [orphan, 'messages.[1].role'], [u(), calls('A'), t('A')]),
  row('oc-orphan', [u(), calls('A'), t('A'), u(), t('A')], [orphan, 'messages.[4].role'], [u(), calls('A'), t('A')], {
    name: 'behind a user',
  }),
  row(
    'oc-unknown-id',
    [u(), calls('A'), t('A'), t('X')],
    [
      "Invalid parameter: 'tool_call_id' of 'X' not found in 'tool_calls' of previous message.",
      'messages.[3].tool_call_id',
    ],
    [u(), calls('A'), t('A')],
    { pedantic: true },
  ),
  row(
    'oc-dup-result',
    [u(), calls('A'), t('A'), t('A')],
    [
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'A', in messages[2] and messages[3].",
      'messages.[3].tool_call_id',
    ],
    [u(), calls('A'), t('A'), a(), u(), calls('A'), t('A')],
  ),
  row(
    'oc-missing-tcid',
    [u(), calls('A'), t()],
    [
      "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
      'messages.[2].tool_call_id',
    ],
    [u(), calls('A'), t('A')],
  ),
  row(
    'oc-empty-toolcalls',
    [u(), { ...a(), tool_calls: [] }],
    [emptyArray('messages[1].tool_calls'), 'messages[1].tool_calls', 'empty_array'],
    [u(), a()],
  ),
  row('oc-empty-messages', [], [emptyArray('messages'), 'messages', 'empty_array'], [u()]),
  row(
    'oc-id-too-long',
    [u(), calls('A', long), t('A'), t(long)],
    [
      "Invalid 'messages[1].tool_calls[1].id': string too long. Expected a string with maximum length 40, but got a string with length 51 instead.",
      'messages[1].tool_calls[1].id',
      'string_above_max_length',
    ],
    [u(), calls('A', long.slice(0, 40)), t('A'), t(long.slice(0, 40))],
  ),
  row(
    'oc-empty-name',
    [u(), { ...calls(), tool_calls: [call('A', '')] }, t('A')],
    [
      "Invalid 'messages[1].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
      'messages[1].tool_calls[0].function.name',
      'empty_string',
    ],
    [u(), calls('A'), t('A')],
  ),
  row(
    'oc-null-content',
    [s(), u(null)],
    ["Invalid value for 'content': expected a string, got null.", 'messages.[1].content'],
    [s(), u('')],
  ),
  row(
    'oc-null-content',
    [u(), a(null)],
    ["Invalid value for 'content': expected a string, got null.", 'messages.[1].content'],
    [u(), { ...a(null), refusal: 'no' }],
    { name: 'an assistant' },
  ),
  row(
    'oc-content-type',
    [u(), calls('A'), { ...t('A'), content: { rows: 1 } }],
    [
      "Invalid type for 'messages[2].content': expected one of a string or array of objects, but got an object instead.",
      'messages[2].content',
      'invalid_type',
    ],
    [u(), calls('A'), { ...t('A'), content: '{"rows":1}' }],
  ),
  row(
    'oc-content-type',
    [u(), calls('A'), { ...t('A'), content: [{ rows: 1 }] }],
    [
      "Missing required parameter: 'messages[2].content[0].type'.",
      'messages[2].content[0].type',
      'missing_required_parameter',
    ],
    [u(), calls('A'), { ...t('A'), content: [{ type: 'text', text: '{"rows":1}' }] }],
    { name: 'objects that are not blocks' },
  ),
  row(
    'oc-azure-required-content',
    [u(), keyless, t('A')],
    ["'content' is a required property - 'messages.1'"],
    [u(), { ...keyless, content: null }, t('A')],
    { path: oldAzure },
  ),
]

describe.each(['openai', 'azure'])('%s', provider => {
  test.each(titled(cases))('%s', async (_, example) => {
    await expectRefusal({ ...example, path: example.path.replace('/openai/v1', `/${provider}/v1`) })
  })
})

describe('OpenAI chat', () => {
  test('every fact is shown', () => expectAll(facts, cases))

  test.each([
    ['a user behind results', [u(), calls('A'), t('A'), u()]],
    ['neighbours of one role, and system anywhere', [a(), a(), u(), u(), s(), { role: 'developer', content: 'x' }]],
    ['an id used again in another step', [u(), calls('A'), t('A'), calls('A'), t('A')]],
    ['no content beside calls', [u(), keyless, t('A')]],
    ['a function of old', [u(), { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }]],
  ])('takes %s', async (_, messages) => {
    expect((await ask(path, { model: 'gpt-5', messages })).status).toBe(200)
    const newAzure = oldAzure.replace('2023-07-01-preview', '2024-10-21')
    expect((await ask(newAzure, { model: 'gpt-5', messages })).status).toBe(200)
  })

  test.each([
    ['an old function that gave nothing', [u(), { role: 'assistant', content: null, function_call: {} }, fn]],
    ['an id of forty letters, each of two units', [u(), calls(wide(40)), t(wide(40))]],
    ['ids that are numbers', [u(), { ...calls(), tool_calls: [{ ...call('A'), id: 5 }] }, { ...t(), tool_call_id: 5 }]],
    ['a call that does not say of what', [u(), { ...calls(), tool_calls: [{ id: 'A', type: 'function' }] }, t('A')]],
    ['a call without an id', [u(), { ...calls(), tool_calls: [{ ...call('A'), id: undefined }] }]],
  ])('takes %s', async (_, messages) => {
    expect((await ask(path, { model: 'gpt-5', messages }, true)).verdict).toBe('accepted')
  })

  test('oc-id-too-long: letters are counted, and not their units', async () => {
    const { json } = await ask(path, { model: 'gpt-5', messages: [u(), calls(wide(41)), t(wide(41))] })
    expect(json()).toMatchObject({ error: { message: expect.stringContaining('a string with length 41 instead.') } })
  })

  test('the first fault in the order of the messages is told', async () => {
    const messages = [u(), calls('A'), t('A'), t('A'), u(null), calls('B')]
    const { json } = await ask(path, { model: 'gpt-5', messages })
    expect(json()).toMatchObject({ error: { param: 'messages.[3].tool_call_id' } })
  })
})

describe('the official client', () => {
  const refusedChat = { model: 'gpt-5', messages: [u(), calls('A'), u()] as OpenAI.ChatCompletionMessageParam[] }
  const refusedItems: OpenAI.Responses.ResponseInput = [
    { role: 'user', content: 'hello' },
    { type: 'function_call', call_id: 'A', id: 'call_1', name: 'weather', arguments: '{}' },
  ]
  const unknownItem: OpenAI.Responses.ResponseInput = [{ type: 'item_reference', id: 'rs_1' }]

  test.each<[string, (client: OpenAI, stream: boolean) => Promise<unknown>, object]>([
    [
      'chat',
      (client, stream) => client.chat.completions.create({ ...refusedChat, stream }),
      { status: 400, message: `400 ${missing('A')}`, param: 'messages.[2].role', code: null },
    ],
    [
      'responses',
      (client, stream) => client.responses.create({ model: 'gpt-5', input: refusedItems, stream }),
      {
        status: 400,
        message: "400 Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.",
        ...{ param: 'input[1].id', code: 'invalid_value' },
      },
    ],
    [
      'responses, not found',
      (client, stream) => client.responses.create({ model: 'gpt-5', input: unknownItem, store: false, stream }),
      { status: 404, param: 'input', code: null },
    ],
  ])('tells a refusal as its own error: %s', async (_, send, detail) => {
    await using strict = await startStrict({ provider: 'openai' })
    const client = new OpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
    for (const stream of [false, true]) {
      const error = await send(client, stream).catch(error => error)
      const { status } = detail as { status: number }
      expect(error).toBeInstanceOf(status === 404 ? OpenAI.NotFoundError : OpenAI.BadRequestError)
      expect(error).toMatchObject({ ...detail, type: 'invalid_request_error' })
    }
  })
})
