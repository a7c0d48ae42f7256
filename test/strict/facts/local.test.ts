import { describe, expect, test } from 'vitest'
import { notSimulated } from '../../../src/strict/facts/not-simulated.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/templates/facts.ts'
import { a, call, calls, s, t, u } from '../../oracle/cases/chat.ts'
import { events, type Json, post } from '../http.ts'

/** What a model's template refuses, in which words, and what it accepts instead. */
interface Case {
  fact: string
  model: string
  tools?: Json[]
  refused: unknown[]
  text: string
  accepted: unknown[]
}

const id = 'aaaaaaaaa'
const developer = { role: 'developer', content: 'be kind' }
const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }]
const alternate = 'Conversation roles must alternate user/assistant/user/assistant/...'
const alternateOld =
  'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'
const alternateNew =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'

const cases: Case[] = [
  {
    fact: 'tp-system-first',
    model: 'Qwen/Qwen3.5-27B',
    refused: [s(), s(), u()],
    text: 'System message must be at the beginning.',
    accepted: [s(), u()],
  },
  {
    fact: 'tp-system-first',
    model: 'qwen3.6:35b',
    refused: [u(), s()],
    text: 'System message must be at the beginning.',
    accepted: [u(), u(), a(), a(), t('X'), t('X')],
  },
  {
    fact: 'tp-no-user',
    model: 'Qwen/Qwen3.5-27B',
    refused: [s(), calls('A'), t('A')],
    text: 'No user query found in messages.',
    accepted: [s(), u(), calls('A'), t('A')],
  },
  {
    fact: 'tp-no-messages',
    model: 'Qwen/Qwen3.5-27B',
    refused: [],
    text: 'No messages provided.',
    accepted: [u('')],
  },
  {
    fact: 'tp-role',
    model: 'Qwen/Qwen3.5-27B',
    refused: [developer, u()],
    text: 'Unexpected message role.',
    accepted: [s(), u()],
  },
  {
    fact: 'tp-alt-gemma',
    model: 'google/gemma-3-27b-it',
    refused: [u(), u()],
    text: alternate,
    accepted: [s(), u(), a(), u()],
  },
  {
    fact: 'tp-alt-gemma',
    model: 'medgemma-4b',
    refused: [a(), u()],
    text: alternate,
    accepted: [u(), calls('A'), t('A'), a()],
  },
  {
    fact: 'tp-alt-mistral-old',
    model: 'mistralai/Mistral-7B-Instruct-v0.3',
    refused: [s(), u(), u()],
    text: alternateOld,
    accepted: [s(), u(), calls(id), t(id), a(), u()],
  },
  {
    fact: 'tp-id9',
    model: 'mistral-nemo',
    refused: [u(), calls('call_1'), t('call_1')],
    text: 'Tool call IDs should be alphanumeric strings with length 9!',
    accepted: [u(), calls(id), t(id)],
  },
  {
    fact: 'tp-id9',
    model: 'mistral-nemo',
    refused: [u(), calls(id), t('call_1')],
    text: 'Tool call IDs should be alphanumeric strings with length 9!',
    accepted: [u(), calls(id), t(id)],
  },
  {
    fact: 'tp-roles-only',
    model: 'mistral-nemo',
    refused: [u(), s()],
    text: 'Only user and assistant roles are supported, with the exception of an initial optional system message!',
    accepted: [s(), u()],
  },
  {
    fact: 'tp-alt-mistral-new',
    model: 'mistralai/Devstral-Small-2-24B-Instruct-2512',
    refused: [u(), calls('call_1'), t('call_1'), u()],
    text: alternateNew,
    accepted: [u(), calls('call_1'), t('call_1'), a(), u()],
  },
  {
    fact: 'tp-alt-mistral-new',
    model: 'ministral-3:8b',
    refused: [s(), s(), u()],
    text: alternateNew,
    accepted: [s(), u(), a()],
  },
  {
    fact: 'tp-roles-new',
    model: 'ministral-3:8b',
    refused: [developer, u()],
    text: 'Only user, assistant and tool roles are supported, got developer.',
    accepted: [s(), u()],
  },
  {
    fact: 'tp-single-call',
    model: 'meta-llama/Llama-3.3-70B-Instruct',
    refused: [u(), calls('A', 'B'), t('A'), t('B')],
    text: 'This model only supports single tool-calls at once!',
    accepted: [u(), calls('A'), t('A'), calls('B'), t('B'), t('X')],
  },
  {
    fact: 'tp-tools-first-user',
    model: 'llama3.1:8b',
    tools,
    refused: [s()],
    text: "Cannot put tools in the first user message when there's no first user message!",
    accepted: [s(), u()],
  },
  {
    fact: 'tp-gptoss-orphan',
    model: 'openai/gpt-oss-20b',
    refused: [u(), a(), t('A')],
    text: 'Message has tool role, but there was no previous assistant message with a tool call!',
    accepted: [u(), calls('A'), t('A'), u(), t('B')],
  },
]

async function ask(provider: string, body: Json, pedantic = false) {
  await using strict = await startStrict({ script: ['Fine.'], pedantic })
  const answer = await post(strict, `/${provider}/v1/chat/completions`, body)
  return { status: answer.status, text: answer.text, verdict: strict.requests[0].verdict, json: answer.json }
}

const request = ({ model, tools }: Case, messages: unknown[]): Json => ({ model, messages, ...(tools && { tools }) })

describe('a template', () => {
  // The plainest of the wrappers.
  test.each(cases)('of $model refuses: $fact', async example => {
    const answer = await ask('mlx', request(example, example.refused))
    expect(answer.status).toBe(404)
    expect(answer.json()).toEqual({ error: example.text })
    expect(answer.verdict).toMatchObject({ fact: example.fact, message: example.text })
    expect((await ask('mlx', request(example, example.accepted))).status).toBe(200)
  })

  test('every fact is here', () => {
    const proven = facts.filter(({ evidence }) => 'SDC'.includes(evidence)).map(({ id }) => id)
    const shown = [...cases.map(({ fact }) => fact), 'vl-args', ...proven.filter(id => id in notSimulated)]
    expect([...new Set(shown)].sort()).toEqual([...proven].sort())
  })

  test.each([
    ...['some-model', '', 'qwen3-8b', 'qwen2.5:7b', 'gemma-4-31b-it', 'gemma4:e2b', 'llama-2-7b', 'meta-llama-3-8b'],
    ...['llama-4-scout', 'phi-4', 'deepseek-v3.2'],
  ])('of %s is not known, and refuses nothing', async model => {
    const broken = [developer, s(), s(null), t('A'), calls('A', 'B'), u(), u()]
    for (const provider of ['vllm', 'llama-cpp', 'ollama', 'lm-studio', 'mlx'])
      expect((await ask(provider, { model, messages: broken, tools })).status, provider).toBe(200)
  })
})

describe('vLLM', () => {
  const wrapped = (message: string) => ({ error: { message, type: 'BadRequestError', param: null, code: 400 } })

  test.each(cases.filter(({ model }) => !/devstral|ministral|gpt-oss/i.test(model)))(
    'says what the template says: $fact, $model',
    async example => {
      const answer = await ask('vllm', request(example, example.refused))
      expect([answer.status, answer.json()]).toEqual([400, wrapped(example.text)])
      expect((await ask('vllm', request(example, example.accepted))).status).toBe(200)
    },
  )

  const devstral = 'mistralai/Devstral-2-123B-Instruct-2512'

  test.each([
    [[u(), calls(id), t(id), u()], "Unexpected role 'user' after role 'tool'"],
    [[u(), calls(id), a(), u()], 'Not the same number of function calls and responses'],
    [[u(), calls(id), t('xxxxxxxxx')], 'Unexpected tool call id xxxxxxxxx in tool results'],
    [[u(), calls('call_1'), t('call_1')], 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.'],
  ])('says it twice with the tokenizer of Mistral: %#', async (messages, text) => {
    const answer = await ask('vllm', { model: devstral, messages })
    expect([answer.status, answer.json()]).toEqual([400, wrapped(`${text} ${text}`)])
  })

  test.each([
    ['long ids are cut to their end', [u(), calls('chatcmpl-tool-123456789'), t('chatcmpl-tool-123456789')]],
    ['calls without results at the end', [u(), calls(id), u()]],
    ['consecutive users', [s(), u(), u()]],
    ['an empty assistant', [u(), a(''), u()]],
  ])('lets pass what the hosted API may refuse: %s', async (_, messages) => {
    expect((await ask('vllm', { model: devstral, messages })).status).toBe(200)
  })

  test('has no template for gpt-oss', async () => {
    expect((await ask('vllm', { model: 'openai/gpt-oss-120b', messages: [u(), t('A')] })).status).toBe(200)
  })

  test.each([
    ['{"city": "Lisbon" "unit": "C"}', "Expecting ',' delimiter: line 1 column 19 (char 18)"],
    ['{"city": "Lis', 'Unterminated string starting at: line 1 column 10 (char 9)'],
    ['{"city": ', 'Expecting value: line 1 column 10 (char 9)'],
    ['{"city" "Lisbon"}', "Expecting ':' delimiter: line 1 column 9 (char 8)"],
    ["{'city': 1}", 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"city": 1}\n{}', 'Extra data: line 2 column 1 (char 12)'],
    ['{"city": "a\tb"}', 'Invalid control character at: line 1 column 12 (char 11)'],
    ['{"city": "\\x"}', 'Invalid \\escape: line 1 column 11 (char 10)'],
    ['{"city": "\\u12"}', 'Invalid \\uXXXX escape: line 1 column 12 (char 11)'],
  ])('vl-args: arguments must be JSON: %j', async (args, text) => {
    const history = (text: string) => [u(), { ...calls(), tool_calls: [call(id, 'weather', text)] }, t(id)]
    const answer = await ask('vllm', { model: 'some-model', messages: history(args) })
    expect([answer.status, answer.json()]).toEqual([400, wrapped(text)])
    expect(answer.verdict).toMatchObject({ fact: 'vl-args' })
    for (const fine of ['{"city": ["Lisbon", 1.5e3, null], "unit": {}}', ''])
      expect((await ask('vllm', { model: 'some-model', messages: history(fine) })).status).toBe(200)
  })
})

describe.each(['llama-cpp', 'ollama'])('%s', provider => {
  const place: Record<string, string[]> = {
    'tp-system-first': [
      'line 85, column 32',
      "...first %}↵            {{- raise_exception('System message must be at the beginnin...",
    ],
    'tp-no-user': [
      'line 79, column 24',
      "...lti_step_tool %}↵    {{- raise_exception('No user query found in messages.') }}↵...",
    ],
    'tp-no-messages': [
      'line 43, column 24',
      "... not messages %}↵    {{- raise_exception('No messages provided.') }}↵{%- endif %...",
    ],
    'tp-role': [
      'line 145, column 28',
      "... {%- else %}↵        {{- raise_exception('Unexpected message role.') }}↵    {%- ...",
    ],
    'tp-alt-gemma': [
      'line 19, column 27',
      '...% 2 == 0) -%}↵        {{ raise_exception("Conversation roles must alternate user...',
    ],
    'tp-alt-mistral-new': [
      'line 46, column 32',
      "...== 0) %}↵            {{- raise_exception('After the optional system message, con...",
    ],
  }

  const words = (text: string, [at, source]: string[]) =>
    `\n------------\nWhile executing CallExpression at ${at} in source:\n${source}\n                                           ^\nError: Jinja Exception: ${text}`

  test.each(cases)('says where in the template it was: $fact, $model', async example => {
    const answer = await ask(provider, request(example, example.refused))
    const { error } = answer.json() as { error: { message: string } }
    expect(error.message).toContain(`\nError: Jinja Exception: ${example.text}`)
    if (!example.tools) {
      expect(answer.status).toBe(500)
      expect(error).toEqual({ code: 500, message: expect.any(String), type: 'server_error' })
      const known = place[example.fact]
      if (known) expect(error.message).toBe(words(example.text, known))
    }
    // The mark stands under the bracket of the call.
    const [, , , source, mark] = error.message.split('\n')
    expect(source.slice(mark.indexOf('^') - 15, mark.indexOf('^') + 1)).toBe('raise_exception(')
    expect((await ask(provider, request(example, example.accepted))).status).toBe(200)
  })

  test('fails earlier with tools, and otherwise', async () => {
    const answer = await ask(provider, { model: 'qwen3.5', tools, messages: [u(), s()] })
    expect(answer.status).toBe(400)
    const text = words('System message must be at the beginning.', place['tp-system-first'])
    expect(answer.json()).toEqual({
      error: {
        code: 400,
        message: `Unable to generate parser for this template. Automatic parser generation failed: ${text}`,
        type: 'invalid_request_error',
      },
    })
  })
})

describe('LM Studio', () => {
  const message = (text: string) =>
    `Error rendering prompt with jinja template: "${text}".\n\nThis is usually an issue with the model's prompt template. If you are using a popular model, you can try to search the model under lmstudio-community, which will have fixed prompt templates. If you cannot find one, you are welcome to post this issue to our discord or issue tracker on GitHub. Alternatively, if you know how to write jinja templates, you can override the prompt template in My Models > model settings > Prompt Template.`

  test.each(cases)('adds its advice: $fact, $model', async example => {
    const answer = await ask('lm-studio', request(example, example.refused))
    expect([answer.status, answer.json()]).toEqual([400, { error: message(example.text) }])
    expect((await ask('lm-studio', request(example, example.accepted))).status).toBe(200)
  })

  test('fails inside the stream', async () => {
    const answer = await ask('lm-studio', { model: 'qwen3.5-9b', stream: true, messages: [s(), a()] })
    expect(answer.status).toBe(200)
    expect(events(answer.text)).toEqual([{ data: { error: { message: message('No user query found in messages.') } } }])
  })
})

describe('a template as a provider of its own', () => {
  test.each([
    ['qwen-template', [u(), s()], 'System message must be at the beginning.', [s(), u()]],
    ['gemma-template', [u(), u()], alternate, [u(), a(), u()]],
    [
      'llama-template',
      [u(), calls('A', 'B')],
      'This model only supports single tool-calls at once!',
      [u(), calls('A')],
    ],
    ['mistral-template', [u(), u()], alternateNew, [u(), calls(id), t(id), a(), u()]],
    ['mistral-template', [u(), calls('call_1')], 'Tool call IDs should be alphanumeric strings with length 9!', [u()]],
  ])('%s refuses for any model: %#', async (provider, refused, message, accepted) => {
    const answer = await ask(provider, { model: 'some-model', messages: refused })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({ error: { message, type: 'BadRequestError', param: null, code: 400 } })
    expect((await ask(provider, { model: 'some-model', messages: accepted })).status).toBe(200)
  })
})

const withMistral = [
  ...['mistralai/Mistral-7B-Instruct-v0.3', 'mistral-nemo', 'mistral-small-latest', 'mistralai/Devstral-Small-2507'],
].flatMap(model => ['vllm', 'llama-cpp', 'ollama', 'lm-studio', 'mlx'].map(provider => [provider, model] as const))

test.each(withMistral)('%s takes the ids that it gave for %s', async (provider, model) => {
  await using strict = await startStrict()
  const path = `/${provider}/v1/chat/completions`
  const { choices } = (await post(strict, path, { model, tools, messages: [u()] })).json()
  const [{ message }] = choices as { message: { tool_calls: Json[] } }[]
  const messages = [u(), message, t(String(message.tool_calls[0].id))]
  await post(strict, path, { model, tools, messages })
  expect(strict.requests[1].verdict).toBe('accepted')
})

test.each(['constructor', '__proto__', 'toString'])('a role named %s is as foreign as any other', async role => {
  for (const provider of ['gemma-template', 'mistral', 'vllm', 'openrouter']) {
    const foreign = await ask(provider, { model: `${role}/x`, messages: [u(), { role, content: 'x' }, u()] })
    const other = await ask(provider, { model: 'other/x', messages: [u(), { role: 'other', content: 'x' }, u()] })
    expect([foreign.status, foreign.verdict]).toEqual([other.status, other.verdict])
  }
})

test('of SGLang nothing is known', async () => {
  expect((await ask('sglang', { model: 'qwen3.5', messages: [s(), s(), t('A')] }, true)).status).toBe(200)
})
