import { describe, expect, test } from 'vitest'
import { facts as otherFacts } from '../../../src/strict/facts/others.ts'
import { type Api, type Strict, startStrict } from '../../../src/strict/index.ts'
import { facts as deepseekFacts } from '../../../src/strict/providers/deepseek/facts.ts'
import { facts as glmFacts } from '../../../src/strict/providers/glm/facts.ts'
import { hosted } from '../../../src/strict/providers/hosted/provider.ts'
import { facts as minimaxFacts } from '../../../src/strict/providers/minimax/facts.ts'
import { facts as moonshotFacts } from '../../../src/strict/providers/moonshot/facts.ts'
import { azure, openai } from '../../../src/strict/providers/openai/provider.ts'
import { facts as qwenFacts } from '../../../src/strict/providers/qwen/facts.ts'
import { assistant, result, text, use, user } from '../../oracle/cases/blocks.ts'
import { a, call, calls, s, t, thought, u } from '../../oracle/cases/chat.ts'
import { fc, fco, rs, says } from '../../oracle/cases/items.ts'
import { events, type Json, post } from '../http.ts'
import { ask, expectAll, expectRefusal, type Refused, titled } from './rejections.ts'

const healthy = [u(), calls('A'), t('A')]
const thoughtful = [u(), thought('A'), t('A')]
const withArgs = (args: string) => [u(), { ...calls(), tool_calls: [call('A', 'weather', args)] }, t('A')]
const system = { role: 'system', content: 'be kind' }
const hi = says('user')
const id = expect.stringMatching(/^req_\w+$/)

type Row = [
  fact: string,
  refused: unknown[],
  text: string,
  accepted: unknown[],
  more?: Partial<Refused> & { model?: string },
]

/** Rows about one endpoint. `write` is the body of its refusals, `field` is where the history stands. */
const rows = (path: string, write: (text: string) => unknown, list: Row[], field = 'messages'): Refused[] =>
  list.map(([fact, refused, text, accepted, { model = 'm', body = write(text), ...more } = {}]) => ({
    ...{ fact, path, body, refused: { model, [field]: refused }, accepted: { model, [field]: accepted } },
    ...more,
  }))

const deepseekBody = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
})
const dsMissing =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"

const deepseek = [
  ...rows('/deepseek/chat/completions', deepseekBody, [
    ['ds-missing', [u(), thought('A', 'B'), t('A'), u()], dsMissing, [u(), thought('A', 'B'), t('B'), t('A'), u()]],
    [
      'ds-orphan',
      [u(), t('A')],
      "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
      thoughtful,
    ],
    [
      'ds-reasoning-back',
      healthy,
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      [u(), { ...calls('A'), reasoning_content: '' }, t('A'), a(), u()],
      { model: 'deepseek-v4-pro' },
    ],
    [
      'ds-successive',
      [s(), u(), a(), u(), u()],
      'deepseek-reasoner does not support successive user or assistant messages (messages[3] and messages[4] in your input). You should interleave the user/assistant messages in the message sequence.',
      [s(), u(), a(), u()],
      { model: 'deepseek-r1' },
    ],
  ]),
  ...rows(
    '/deepseek/v1/responses',
    message => ({ error: { message, type: 'invalid_request_error', param: '', code: 'invalid_request_error' } }),
    [
      [
        'ds-responses-adjacent',
        [hi, fc('A'), says('developer'), fco('A')],
        'No tool output found for tool call A',
        [hi, rs('rs_1'), fc('A'), fc('B'), fco('B'), fco('A'), says('developer')],
      ],
      [
        'ds-responses-orphan',
        [hi, fco('A')],
        'No tool call found for tool output with call_id A.',
        [hi, fc('A'), fco('A')],
      ],
    ],
    'input',
  ),
  ...rows('/deepseek/anthropic/v1/messages', deepseekBody, [
    [
      'ds-anthropic-system',
      [user(text()), system],
      'Failed to deserialize the JSON body into the target type: messages[1].role: unknown variant `system`, expected `user` or `assistant`',
      [user(text())],
    ],
    [
      'ds-anthropic-missing',
      [user(text()), assistant(use('A'), use('B')), user(text())],
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: A, B. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      [user(text()), assistant(use('A'), use('B')), user(result('A'), result('B'), text())],
    ],
  ]),
]

const minimaxBody = (message: string) => ({
  type: 'error',
  error: { type: 'bad_request_error', message, http_code: '400' },
  request_id: id,
})
const notFollow = 'invalid params, tool call result does not follow tool call (2013)'
const mismatch = 'invalid params, tool call and result not match (2013)'
const isEmpty = 'invalid params, chat content is empty (2013)'

const minimax = [
  ...rows('/minimax/v1/chat/completions', minimaxBody, [
    ['mm-orphan', [u(), t('A')], "invalid params, tool result's tool id(A) not found (2013)", healthy],
    ['mm-not-follow', [u(), calls('A'), a(), u()], notFollow, [...healthy, a(), u()]],
    ['mm-mismatch', [u(), calls('A', 'B'), t('A')], mismatch, [u(), calls('A', 'B'), t('A'), t('B')]],
    ['mm-mismatch', [u(), calls('A'), t('A'), t('A')], mismatch, healthy, { name: 'a result twice' }],
    ['mm-mismatch', [u(), u()], mismatch, [u(), a(), u()], { name: 'neighbouring users', pedantic: true }],
    [
      'mm-dup',
      [u(), calls('A', 'A'), t('A')],
      'invalid params, duplicate tool_call id: A',
      [u(), calls('A', 'B'), t('A'), t('B')],
    ],
    ['mm-id-invalid', [u(), calls(''), t('')], 'invalid params, tool call id is invalid (2013)', healthy],
    [
      'mm-args',
      withArgs('{"city": "Lis'),
      'invalid params, invalid function arguments json string, tool_call_id: A (2013)',
      withArgs('{}'),
    ],
    ['mm-empty', [u(), { ...calls('A'), content: '' }, t('A')], isEmpty, healthy, { pedantic: true }],
    ['mm-empty', [u(), calls('A'), t('A', '')], isEmpty, healthy, { name: 'a result', pedantic: true }],
    ['mm-empty', [s()], isEmpty, [s(), u()], { name: 'no user', pedantic: true }],
  ]),
  ...rows('/minimax/anthropic/v1/messages', minimaxBody, [
    [
      'mm-not-follow',
      [user(text()), assistant(use('A')), user(result('A'), text())],
      notFollow,
      [user(text()), assistant(use('A')), user(result('A')), user(text())],
      { name: 'text behind the result' },
    ],
    [
      'mm-orphan',
      [user(result('A'))],
      "invalid params, tool result's tool id(A) not found (2013)",
      [user(text()), assistant(use('A')), user(result('A'))],
      { name: 'in blocks' },
    ],
  ]),
]

const plainBody = (message: string) => ({ error: { message, type: 'invalid_request_error' } })

const moonshot = rows('/moonshot/v1/chat/completions', plainBody, [
  [
    'km-missing',
    [u(), thought('A', 'B'), u()],
    "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: A, B",
    [u(), thought('A', 'B'), t('A'), t('B'), u()],
  ],
  ['km-orphan', [...thoughtful, t()], 'Invalid request: tool_call_id  is not found', thoughtful],
  ['km-orphan', [u(), t('A')], 'Invalid request: tool_call_id A is not found', thoughtful, { name: 'with an id' }],
  [
    'km-reasoning',
    healthy,
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
    thoughtful,
    { model: 'kimi-k2.5' },
  ],
  [
    'km-empty',
    [u(), a('')],
    "Invalid request: the message at position 1 with role 'assistant' must not be empty",
    [u(), a()],
    { pedantic: true },
  ],
])

const prefix = '<400> InternalError.Algo.InvalidParameter: '

const qwen = rows(
  '/qwen/compatible-mode/v1/chat/completions',
  message => ({
    error: { code: 'invalid_parameter_error', param: null, message, type: 'invalid_request_error' },
    id: expect.stringMatching(/^chatcmpl-\w+$/),
    request_id: id,
  }),
  [
    [
      'qw-missing',
      [u(), calls('A'), u()],
      `${prefix}An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[1].role`,
      [...healthy, u()],
    ],
    [
      'qw-orphan',
      [u(), t('A')],
      `${prefix}messages with role "tool" must be a response to a preceeding message with "tool_calls".`,
      healthy,
    ],
    [
      'qw-no-user',
      [s(), a()],
      `${prefix}The input messages do not contain elements with the role of user`,
      [s(), u(), a()],
    ],
    [
      'qw-args',
      withArgs(''),
      `${prefix}The "function.arguments" parameter of the code model must be in JSON format.`,
      withArgs('{}'),
    ],
    [
      'qw-empty-toolcalls',
      [u(), { ...a(), tool_calls: [] }],
      `${prefix}Empty tool_calls is not supported in message`,
      [u(), a()],
      { pedantic: true },
    ],
    [
      'qw-role',
      [{ role: 'developer', content: 'be kind' }, u()],
      "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0].role'",
      [s(), u()],
    ],
  ],
)

const roleDetail = (index: number) => ({
  ...{ type: 'literal_error', loc: ['body', 'messages', index, 'role'], input: 'system' },
  ...{ msg: "Input should be 'user' or 'assistant'", ctx: { expected: "'user' or 'assistant'" } },
})

const glm = [
  ...rows('/glm/api/paas/v4/chat/completions', message => ({ error: { code: '1214', message } }), [
    ['gl-1214', [s(), a()], 'The messages parameter is illegal. Please check the documentation.', [s(), u(), a()]],
  ]),
  ...rows('/glm/api/anthropic/v1/messages', () => ({ detail: [roleDetail(1), roleDetail(3)] }), [
    ['gl-anthropic-system', [user(text()), system, user(text()), system], '', [user(text())], { status: 422 }],
  ]),
]

const wrapped = (raw: unknown, provider_name: string, indent?: number) => ({
  error: {
    message: 'Provider returned error',
    code: 400,
    metadata: { raw: JSON.stringify(raw, null, indent), provider_name },
  },
  user_id: 'user_strict',
})
const firstId = 'req_abcdefghijklmnopqrstuvwxyzab0001'
const anthropicRaw = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message:
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: B. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  },
  request_id: firstId,
}
const openaiRaw = {
  error: {
    message: 'No tool output found for function call A.',
    ...{ type: 'invalid_request_error', param: 'input', code: null },
  },
}

const openrouter = rows('/openrouter/api/v1/chat/completions', () => undefined, [
  [
    'an-missing-result',
    [s(), u(), calls('A', 'B'), t('A'), u()],
    '',
    [s(), u(), calls('A', 'B'), t('A'), t('B'), u()],
    { model: 'anthropic/claude-sonnet-4.5', body: wrapped(anthropicRaw, 'Anthropic') },
  ],
  [
    'or-missing-output-fn',
    [u(), calls('A'), u()],
    '',
    [u(), calls('A'), u(), t('A')],
    { model: 'openai/gpt-5', body: wrapped(openaiRaw, 'OpenAI', 2) },
  ],
  [
    'mm-orphan',
    [u(), t('A')],
    '',
    healthy,
    {
      model: 'minimax/minimax-m2.5',
      body: wrapped(
        { ...minimaxBody("invalid params, tool result's tool id(A) not found (2013)"), request_id: firstId },
        'Minimax',
      ),
    },
  ],
  [
    'km-reasoning',
    healthy,
    '',
    [u(), { ...calls('A'), reasoning: 'hm' }, t('A')],
    {
      model: 'moonshotai/kimi-k2.6',
      body: wrapped(
        plainBody('thinking is enabled but reasoning_content is missing in assistant tool call message at index 1'),
        'Moonshot AI',
      ),
    },
  ],
])

const coMissing =
  "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
const coEmpty = 'invalid request: all elements in history must have a message.'
const coAfterTool = 'invalid request: cannot specify message if the last entry in chat history contains tool results'

const weather = { name: 'weather', parameters: { city: 'Lisbon' } }
const asked = { role: 'USER', message: 'Go.' }
const planned = { role: 'CHATBOT', message: 'I will look.', tool_calls: [weather] }
const outputs = [{ call: weather, outputs: [{ output: 'sunny' }] }]
const ran = { role: 'TOOL', tool_results: outputs }
const done = { role: 'CHATBOT', message: 'It is sunny.' }

/** A request of the first version: the history, and what is new. */
const turn = (chat_history: unknown[], message: string, more: Json = {}): Json => ({
  ...{ model: 'command-a-03-2025', message, chat_history },
  ...more,
})

const v1 = (fact: string, name: string, refused: Json, text: string, accepted: Json): Refused => ({
  ...{ fact, name, path: '/cohere/v1/chat', refused, body: { message: text }, accepted },
})

const cohereV1 = [
  v1(
    'co-v1-empty',
    'an answer',
    turn([asked, { ...done, message: '' }], 'Well?'),
    coEmpty,
    turn([asked, done], 'Well?'),
  ),
  v1('co-v1-empty', 'no field', turn([{ role: 'User' }, done], 'Well?'), coEmpty, turn([asked, done], 'Well?')),
  v1(
    'co-v1-empty',
    'a system message',
    turn([{ role: 'SYSTEM', message: '' }], 'Go.'),
    coEmpty,
    turn([{ role: 'SYSTEM', message: 'Be kind.' }], 'Go.'),
  ),
  v1(
    'co-v1-empty',
    'before all else',
    turn([{ ...asked, message: '' }, planned, ran], 'Well?'),
    coEmpty,
    turn([asked, planned, ran, done], 'Well?'),
  ),
  v1(
    'co-v1-user-after-tool',
    'with words behind the results',
    turn([asked, planned, ran], 'And then?'),
    coAfterTool,
    turn([asked, planned, ran], ''),
  ),
  v1(
    'co-v1-user-after-tool',
    'with an answer between',
    turn([asked, { ...planned, role: 'chatbot' }, { ...ran, role: 'tool' }], 'And then?'),
    coAfterTool,
    turn([asked, planned, ran, done], 'And then?'),
  ),
  v1(
    'co-missing',
    'version 1, at the end',
    turn([asked, planned], 'Well?'),
    coMissing,
    turn([asked, planned], '', { tool_results: outputs }),
  ),
  v1(
    'co-missing',
    'version 1, in the middle',
    turn([asked, planned, done, asked, planned], '', { tool_results: outputs }),
    coMissing,
    turn([asked, planned, ran, done, asked, planned], '', { tool_results: outputs }),
  ),
]

const others = [
  ...rows('/xai/v1/chat/completions', error => ({ code: 'Client specified an invalid argument', error }), [
    [
      'xa-content',
      healthy,
      'Invalid request content: Each message must have at least one content element.',
      [u(), { ...calls('A'), content: '' }, t('A')],
    ],
  ]),
  ...rows('/groq/openai/v1/chat/completions', plainBody, [
    [
      'gq-unsupported',
      [u(), { ...a(), reasoning_content: 'hm' }, u()],
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      [u(), { ...a(), reasoning: 'hm' }, u()],
    ],
    [
      'gq-unsupported',
      [{ ...u(), timestamp: 1 }],
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'timestamp' is unsupported)]",
      [u(), calls('A'), u()],
      { name: 'on a user message' },
    ],
  ]),
  ...rows('/cohere/compatibility/v1/chat/completions', message => ({ message }), [
    ['co-missing', [u(), calls('A'), u()], coMissing, [...healthy, u()], { model: 'command-a-03-2025' }],
  ]),
  ...rows('/cohere/v2/chat', message => ({ message }), [
    [
      'co-missing',
      [u(), calls('A', 'B'), t('A'), u()],
      coMissing,
      [u(), calls('A', 'B'), t('A'), t('B'), u()],
      { name: 'version 2', model: 'command-a-03-2025' },
    ],
  ]),
  ...cohereV1,
  ...rows('/perplexity/chat/completions', message => ({ error: { message, type: 'invalid_message', code: 400 } }), [
    [
      'px-alternate',
      [s(), u(), u()],
      'After the (optional) system message(s), user and assistant roles should be alternating.',
      [s(), s(), u(), a(), u()],
    ],
  ]),
  ...rows('/fireworks/inference/v1/chat/completions', plainBody, [
    [
      'fw-extra',
      [u(), { ...a(), reasoning: 'hm', meta: { a: [1, true, null] } }],
      "2 request validation errors: Extra inputs are not permitted, field: 'messages[1].reasoning', value: 'hm'; Extra inputs are not permitted, field: 'messages[1].meta', value: {'a': [1, True, None]}",
      [u(), { ...a(), reasoning_content: 'hm' }],
    ],
    [
      'fw-extra',
      [{ ...u(), id: 'x' }],
      "Extra inputs are not permitted, field: 'messages[0].id', value: 'x'",
      [u()],
      { name: 'a single one' },
    ],
  ]),
]

describe.each([
  ['deepseek', deepseek],
  ['minimax', minimax],
  ['moonshot', moonshot],
  ['qwen', qwen],
  ['glm', glm],
  ['openrouter', openrouter],
  ['others', others],
])('%s', (_name, cases) => {
  test.each(titled(cases))('%s', async (_, example) => {
    await expectRefusal(example)
  })
})

test('every fact is shown', () => {
  expectAll(deepseekFacts, [...deepseek, { fact: 'ds-responses-stateless', pedantic: true }])
  expectAll(minimaxFacts, minimax)
  expectAll(moonshotFacts, moonshot)
  expectAll(qwenFacts, qwen)
  expectAll(glmFacts, glm)
  expectAll(otherFacts, [...others, { fact: 'ort-wrap' }])
})

describe('models', () => {
  test.each([
    ['/deepseek/chat/completions', 'deepseek-chat', healthy],
    ['/deepseek/chat/completions', 'deepseek-v4-pro', [u(), u(), a(), a()]],
    ['/moonshot/v1/chat/completions', 'kimi-k2-0905-preview', healthy],
    ['/cohere/compatibility/v1/chat/completions', 'command-r-plus-08-2024', [u(), calls('A'), u()]],
    ['/openrouter/api/v1/chat/completions', 'some/model', [u(), t('A')]],
  ])('%s: %s takes it', async (path, model, messages) => {
    expect((await ask(path, { model, messages })).status).toBe(200)
  })

  test('Cohere, version 1, takes what was never seen refused', async () => {
    const unanswered = turn([asked, planned], 'Well?')
    const single = turn([asked, planned, ran], 'Well?', { force_single_step: true })
    const wordless = turn([asked, { ...planned, message: '' }], '', { tool_results: outputs })
    const others = [{ ...ran, tool_results: [{ call: { name: 'weather', parameters: {} }, outputs: [] }] }, done]
    const paired = turn([asked, { ...planned, tool_calls: [weather, weather] }, ...others], 'Well?')
    const bodies = [
      { ...unanswered, model: 'command-r-plus' },
      { ...unanswered, model: undefined },
      single,
      wordless,
      paired,
    ]
    for (const body of bodies)
      expect((await ask('/v1/chat', body, true)).verdict, JSON.stringify(body)).toBe('accepted')
  })

  test.each(['/deepseek/chat/completions', '/moonshot/v1/chat/completions'])('%s: thinking may be off', async path => {
    expect((await ask(path, { model: 'm', messages: healthy, thinking: { type: 'disabled' } })).status).toBe(200)
  })
})

test('mm-not-follow: an image after a result is not text', async () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const said = async (...blocks: Json[]) => {
    const messages = [user(text()), assistant(use('A')), user(result('A'), ...blocks)]
    return (await ask('/minimax/anthropic/v1/messages', { model: 'MiniMax-M2', messages })).status
  }
  expect([await said(image), await said(image, text())]).toEqual([200, 400])
})

test('ds-responses-stateless: a pedantic DeepSeek has stored nothing', async () => {
  const previous = async (pedantic: boolean) => {
    await using strict = await startStrict({ pedantic, script: [{ calls: [{ name: 'weather', id: 'A' }] }, 'Fine.'] })
    const { id } = (await post(strict, '/deepseek/v1/responses', { model: 'm', input: 'a' })).json()
    return await post(strict, '/deepseek/v1/responses', { model: 'm', previous_response_id: id, input: [fco('A')] })
  }
  const refused = await previous(true)
  const message = 'No tool call found for tool output with call_id A.'
  expect([refused.status, refused.json()]).toMatchObject([400, { error: { message, param: '' } }])
  expect((await previous(false)).status).toBe(200)
  const body = { model: 'm', input: [{ type: 'item_reference', id: 'fc_1' }, fco('A')] }
  expect((await ask('/deepseek/v1/responses', body, true)).verdict).toMatchObject({ fact: 'ds-responses-stateless' })
  expect((await ask('/deepseek/v1/responses', body)).verdict).toBe('accepted')
})

test('ort-wrap: MiniMax behind OpenRouter refuses after the stream began', async () => {
  const { status, text } = await ask('/openrouter/api/v1/chat/completions', {
    ...{ model: 'minimax/minimax-m2.5', stream: true, messages: [u(), t('A')] },
  })
  expect(status).toBe(200)
  expect(events(text)).toEqual([
    {
      data: {
        error: {
          message: "Minimax midstream error: invalid params, tool result's tool id(A) not found",
          ...{ code: 400, metadata: { provider_name: 'Minimax' } },
        },
        user_id: 'user_strict',
      },
    },
  ])
})

describe('what a provider says it takes back', () => {
  const own = [openai, azure, ...hosted].flatMap(({ id, api }) => [api].flat().map(spoken => [id, spoken] as const))

  test('openrouter, for a model that must think', async () => {
    await using strict = await startStrict()
    let left = 2
    strict.script(() => (left-- > 0 ? { calls: [{ name: 'weather' }, { name: 'time' }] } : 'Done.'))
    expect(await converse(strict, 'openrouter', 'openai-chat', 'moonshotai/kimi-k2.5')).toEqual([200, 200, 200])
  })

  test.each(own)('%s, %s', async (id, api) => {
    await using strict = await startStrict({ pedantic: true })
    for (const thinking of ['', 'Hm.']) {
      let left = 2
      strict.script(() => (left-- > 0 ? { thinking, calls: [{ name: 'weather' }, { name: 'time' }] } : 'Done.'))
      expect(await converse(strict, id, api), thinking).toEqual([200, 200, 200])
    }
  })
})

/** The same in Cohere's first API, where the answer brings the history to go on with. */
async function converseV1(strict: Strict, path: string): Promise<number[]> {
  const statuses: number[] = []
  let body: Json = { model: 'm', message: 'Go.' }
  for (let isDone = false; !isDone; ) {
    const { status, json } = await post(strict, path, { ...body, tools: [{ name: 'weather' }, { name: 'time' }] })
    statuses.push(status)
    if (status !== 200) return [...statuses, json() as never]
    const { chat_history, tool_calls = [] } = json() as { chat_history: Json[]; tool_calls?: Json[] }
    const tool_results = tool_calls.map(call => ({ call, outputs: [{ output: 'x' }] }))
    body = { model: 'm', message: '', chat_history, tool_results }
    isDone = tool_calls.length === 0
  }
  return statuses
}

/** A whole conversation in which everything goes back as it came, and each call is answered. */
async function converse(strict: Strict, id: string, api: Api, model = 'm'): Promise<number[]> {
  if (api === 'cohere-v1') return converseV1(strict, `/${id}/v1/chat`)
  const statuses: number[] = []
  const history: Json[] = [{ role: 'user', content: 'Go.' }]
  const tools = ['weather', 'time'].map(name => toolOf(api, name))
  for (let isDone = false; !isDone; ) {
    const field = api === 'openai-responses' ? 'input' : 'messages'
    const { status, json } = await post(strict, `/${id}${paths[api]}`, {
      ...{ model, max_tokens: 100, tools, [field]: history },
    })
    statuses.push(status)
    if (status !== 200) return [...statuses, json() as never]
    const { said, results } = reply(api, json())
    history.push(...said, ...results)
    isDone = results.length === 0
  }
  return statuses
}

const paths: Partial<Record<Api, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  'cohere-v2': '/v2/chat',
}

function toolOf(api: Api, name: string): Json {
  if (api === 'anthropic') return { name, input_schema: { type: 'object' } }
  return api === 'openai-responses' ? { type: 'function', name } : { type: 'function', function: { name } }
}

/** What was said, and what answers it. */
function reply(api: Api, body: Json): { said: Json[]; results: Json[] } {
  if (api === 'openai-responses') {
    const said = body.output as Json[]
    const ids = said.filter(({ type }) => type === 'function_call').map(({ call_id }) => String(call_id))
    return { said, results: ids.map(id => fco(id)) }
  }
  if (api === 'anthropic') {
    const content = body.content as Json[]
    const ids = content.filter(({ type }) => type === 'tool_use').map(block => String(block.id))
    const results = ids.length > 0 ? [user(...ids.map(id => result(id)))] : []
    return { said: [{ role: 'assistant', content }], results }
  }
  const { message } = (api === 'cohere-v2' ? body : (body.choices as Json[])[0]) as { message: Json }
  const ids = ((message.tool_calls ?? []) as Json[]).map(call => String(call.id))
  return { said: [message], results: ids.map(id => t(id)) }
}
