import { Mistral } from '@mistralai/mistralai'
import { MistralError } from '@mistralai/mistralai/models/errors'
import { expect, test } from 'vitest'
import { notSimulated } from '../../../src/strict/facts/not-simulated.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/mistral/facts.ts'
import { a, call, calls, s, t, u } from '../../oracle/cases/chat.ts'
import { post } from '../http.ts'

/** What is refused, in which words, and what is accepted instead. */
interface Case {
  fact: string
  /** Where another fact's words are said. */
  as?: string
  model?: string
  refused: unknown[]
  text: string
  kind?: Kind
  accepted: unknown[]
}

type Kind = { type: string; code: string | null }

const [A, B, X] = ['aaaaaaaaa', 'bbbbbbbbb', 'xxxxxxxxx']
const order: Kind = { type: 'invalid_request_message_order', code: '3230' }
const functionCall: Kind = { type: 'invalid_function_call', code: '3280' }
const other: Kind = { type: 'invalid_request_error', code: null }

const healthy = [u(), calls(A), t(A)]
const named = (name: string) => [u(), { ...calls(), tool_calls: [call(A, name)] }, t(A)]
const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } })
const miscount = 'Not the same number of function calls and responses'
const badName =
  'Function name was get weather but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.'

const cases: Case[] = [
  { fact: 'mi-empty', refused: [], text: 'Conversation must have at least one message', accepted: [s()] },
  {
    fact: 'mi-single',
    refused: [a()],
    text: 'Conversation must start with a user message or system message',
    accepted: [u()],
  },
  {
    fact: 'mi-single',
    refused: [t(A)],
    text: 'Conversation must start with a user message or system message',
    accepted: [s()],
  },
  {
    fact: 'mi-last',
    refused: [u(), a()],
    text: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    accepted: [u(), { ...a(), prefix: true }],
  },
  {
    fact: 'mi-order',
    refused: [...healthy, u()],
    text: "Unexpected role 'user' after role 'tool'",
    accepted: [...healthy, a(), u()],
  },
  { fact: 'mi-order', refused: [u(), t(A)], text: "Unexpected role 'tool' after role 'user'", accepted: [u(), u()] },
  {
    fact: 'mi-order',
    refused: [u(), a(), s(), u()],
    text: "Unexpected role 'system' after role 'assistant'",
    accepted: [s(), s(), u(), s(), u(), a(), a(), u()],
  },
  {
    fact: 'mi-order',
    refused: [...healthy, s(), u()],
    text: "Unexpected role 'system' after role 'tool'",
    accepted: healthy,
  },
  {
    fact: 'mi-count',
    refused: [u(), calls(A, B), t(A), a(), u()],
    text: miscount,
    accepted: [u(), calls(A, B), t(B), t(A), a(), u()],
  },
  { fact: 'mi-count', refused: [u(), calls(A), u()], text: miscount, accepted: healthy },
  {
    fact: 'mi-count',
    model: 'mistral-small-2503',
    refused: [u(), calls(A), t(A), t(A)],
    text: miscount,
    accepted: healthy,
  },
  {
    fact: 'mi-count-quirk',
    as: 'mi-count',
    model: 'mistral-small-2503',
    refused: [calls(A), t(A)],
    text: miscount,
    // Ids are not looked at, and calls in the first message need no results.
    accepted: [calls(A), u(), calls(A), t(X)],
  },
  {
    fact: 'mi-v13-unexpected',
    refused: [u(), calls(A), t(X)],
    text: `Unexpected tool call id ${X} in tool results`,
    accepted: healthy,
  },
  {
    fact: 'mi-v13-unexpected',
    refused: [u(), calls(A), t()],
    text: 'Unexpected tool call id None in tool results',
    accepted: healthy,
  },
  {
    fact: 'mi-v13-dup-result',
    refused: [u(), calls(A), t(A), t(A)],
    text: `Duplicate tool call id ${A} in tool results`,
    accepted: healthy,
  },
  {
    fact: 'mi-v13-dup-call',
    refused: [u(), calls(A, A), t(A)],
    text: `Duplicate tool call id ${A} in assistant message`,
    accepted: [u(), calls(A, B), t(A), t(B)],
  },
  {
    fact: 'mi-id',
    refused: [u(), calls('call_abc'), t('call_abc')],
    text: 'Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.',
    kind: functionCall,
    accepted: healthy,
  },
  {
    fact: 'mi-id',
    model: 'mistral-large-2411',
    refused: [u(), calls(A), t('toolu_01VpEm654HvfMo')],
    text: 'Tool call id was toolu_01VpEm654HvfMo but must be a-z, A-Z, 0-9, with a length of 9.',
    kind: functionCall,
    accepted: healthy,
  },
  {
    fact: 'mi-id-missing',
    model: 'mistral-large-2411',
    refused: [u(), calls(A), t()],
    text: 'Tool call id has to be defined.',
    kind: functionCall,
    accepted: healthy,
  },
  {
    fact: 'mi-id-missing',
    refused: [u(), calls('null'), t('null')],
    text: 'Tool call id has to be defined in serving mode.',
    kind: functionCall,
    accepted: healthy,
  },
  { fact: 'mi-name', refused: named('get weather'), text: badName, kind: functionCall, accepted: named('get_weather') },
  {
    fact: 'mi-name',
    refused: [u(), calls(A), { ...t(A), name: 'get weather' }],
    text: badName,
    kind: functionCall,
    accepted: [u(), calls(A), { ...t(A), name: 'get_weather' }],
  },
  {
    fact: 'mi-name',
    refused: [u(), calls(A), { ...t(A), name: '' }],
    text: badName.replace('get weather', ''),
    kind: functionCall,
    // What is not a name at all is refused in other words, which were never seen.
    accepted: [u(), calls(A), { ...t(A), name: { toString: 1 } }],
  },
  {
    fact: 'mi-both',
    model: 'open-mistral-nemo',
    refused: [u(), { ...calls(A), content: 'Let me see.' }, t(A)],
    text: 'Assistant message must have either content or tool_calls, but not both.',
    kind: other,
    accepted: healthy,
  },
  {
    fact: 'mi-none',
    refused: [u(), a(''), u()],
    text: 'Assistant message must have either content or tool_calls, but not none.',
    kind: other,
    accepted: [u(), u()],
  },
  {
    fact: 'mi-none',
    refused: [u(), a(null), u()],
    text: 'Assistant message must have either content or tool_calls, but not none.',
    kind: other,
    // So is content that is none of the known kinds.
    accepted: [u(), a(0.1), a({ text: '' }), a(['']), a([{ type: '?', text: '' }]), u()],
  },
  {
    fact: 'mi-prefix',
    refused: [u(), { ...a(), prefix: true }, u()],
    text: 'Assistant message with prefix True must be last message',
    kind: other,
    accepted: [u(), a(), u()],
  },
  {
    fact: 'mi-system-null',
    refused: [s(null), u()],
    text: 'System prompt must have content',
    kind: other,
    accepted: [s(), u()],
  },
]

const ask = async (messages: unknown[], model = 'mistral-large-latest', tools: unknown[] = []) => {
  await using strict = await startStrict({ provider: 'mistral', script: ['Fine.'] })
  const answer = await post(strict, '/v1/chat/completions', { model, messages, ...(tools.length > 0 && { tools }) })
  return { status: answer.status, body: answer.json(), verdict: strict.requests[0].verdict }
}

test.each(cases)(
  '$fact is refused: $text',
  async ({ fact, as = fact, model, refused, text, kind = order, accepted }) => {
    expect(await ask(refused, model)).toEqual({
      status: 400,
      body: { object: 'error', message: text, type: kind.type, param: null, code: kind.code },
      verdict: expect.objectContaining({ fact: as, message: text }),
    })
    expect(await ask(accepted, model)).toMatchObject({ status: 200, verdict: 'accepted' })
  },
)

test('the names of declared tools have the same form', async () => {
  const answer = await ask([u()], undefined, [tool('get weather')])
  expect(answer).toMatchObject({ status: 400, body: { message: badName }, verdict: { fact: 'mi-name' } })
  expect((await ask([u()], undefined, [tool('get_weather')])).status).toBe(200)
})

test('the first fault in the order of the checks is told', async () => {
  const message = async (...history: unknown[]) => (await ask(history)).body.message
  expect(await message(calls('call_1'))).toBe('Conversation must start with a user message or system message')
  expect(await message(u(), t('call_1'), a(''))).toMatch(/^Expected last role/)
  expect(await message(u(), calls('call_1'), t('call_1'), u())).toBe("Unexpected role 'user' after role 'tool'")
  expect(await message(u(), calls('call_1'), u())).toBe(miscount)
  expect(await message(u(), a(''), calls('call_1'), t('call_1'))).toMatch(/but not none\.$/)
})

test('words beside calls are refused only by older models', async () => {
  const history = [u(), { ...calls(A), content: 'Let me see.' }, t(A)]
  expect((await ask(history)).status).toBe(200)
  expect((await ask(history, 'mistral-large-2411')).status).toBe(200)
  expect((await ask(history, 'mistral-small-2409')).status).toBe(400)
})

test('every fact of Mistral is here', () => {
  const proven = facts.filter(({ evidence }) => 'SDC'.includes(evidence)).map(({ id }) => id)
  expect([...new Set(cases.map(({ fact }) => fact)), ...proven.filter(id => id in notSimulated)].sort()).toEqual(
    [...proven].sort(),
  )
})

test.each([true, false])('its own client throws its own error, streaming %s', async stream => {
  await using strict = await startStrict({ provider: 'mistral' })
  const client = new Mistral({ serverURL: strict.url, apiKey: 'any', retryConfig: { strategy: 'none' } })
  const messages = [
    { role: 'user' as const, content: 'hello' },
    { role: 'assistant' as const, toolCalls: [{ id: A, function: { name: 'weather', arguments: '{}' } }] },
    { role: 'user' as const, content: 'hello?' },
  ]
  const request = { model: 'mistral-large-latest', messages }
  const error = await (stream ? client.chat.stream(request) : client.chat.complete(request)).catch(error => error)
  expect(error).toBeInstanceOf(MistralError)
  expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining(miscount) })
})
