import { ApiError, type Content, GoogleGenAI } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/gemini/facts.ts'
import { a, calls, u as says, t } from '../../oracle/cases/chat.ts'
import { fc, fr, m, text, u } from '../../oracle/cases/parts.ts'
import { type Json, post } from '../http.ts'
import { type Case, type Door, testAccepted, testCases, testComplete } from './over-http.ts'

const door = (provider: string, root: string): Door => ({
  ...{ provider, model: 'gemini-2.5-pro' },
  request: (contents, fields, model) => ({
    path: `${root}/models/${model}:generateContent`,
    stream: `${root}/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents, ...fields },
  }),
  refusal: message => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
})

const studio = door('gemini', '/v1beta')
const vertex = door('vertex', '/v1/projects/p/locations/global/publishers/google')

const hi = u(text())
const step = [m(fc()), u(fr())]
const signed = (name = 'weather', thoughtSignature = 'c2ln') => ({ ...fc(name), thoughtSignature })
const three = 'gemini-3-pro-preview'

const position =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
const response = 'Please ensure that function response turn comes immediately after a function call turn.'
const count =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
const role = 'Please use a valid role: user, model.'
const more = 'Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'
const emptyText = `Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again. ${more}`
const line = (path: string, words: string) => `* GenerateContentRequest.contents${path}: ${words}\n`
const oneof = "required oneof field 'data' must have one initialized field"
const unsigned = (name: string, place: number) =>
  `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${place}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`
const unsignedVertex = (name: string, place: number) =>
  `Unable to submit request because function call \`default_api:${name}\` in the ${place}. content block is missing a \`thought_signature\`. Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures`
const notStruct = (path: string, value: string) =>
  `Invalid value at '${path}' (type.googleapis.com/google.protobuf.Struct), ${value}`

/** Both ways in have these, in the same words. */
const shared: Case[] = [
  {
    fact: 'ge-call-position',
    refused: [...step, m(text()), hi],
    text: position,
    accepted: [hi, ...step, m(text()), hi],
  },
  {
    fact: 'ge-call-position',
    name: 'behind a model turn',
    refused: [hi, m(text()), ...step],
    text: position,
    accepted: [hi, m(text(), fc()), u(fr())],
  },
  { fact: 'ge-response-position', refused: [u(fr())], text: response, accepted: [hi, ...step] },
  {
    fact: 'ge-response-position',
    name: 'in a model turn',
    refused: [hi, m(fc(), fr()), hi],
    text: response,
    accepted: [hi, ...step],
  },
  {
    fact: 'ge-count',
    refused: [hi, m(fc(), fc()), u(fr())],
    text: count,
    accepted: [hi, m(fc(), fc()), u(fr(), fr())],
  },
  { fact: 'ge-count', name: 'none', refused: [hi, m(fc()), hi], text: count, accepted: [hi, m(fc()), u(fr(), text())] },
  {
    fact: 'ge-count',
    name: 'in two turns',
    refused: [hi, m(fc(), fc('tides')), u(fr()), u(fr('tides'))],
    text: count,
    accepted: [hi, m(fc(), fc('tides')), u(fr('tides'), fr())],
  },
  {
    fact: 'ge-alternate',
    pedantic: true,
    refused: [hi, hi],
    text: 'Please ensure that multiturn requests alternate between user and model.',
    accepted: [u(text(), text())],
  },
  {
    fact: 'ge-end',
    pedantic: true,
    refused: [hi, m(text())],
    text: 'Please ensure that multiturn requests ends with a user role or a function response.',
    accepted: [hi, m(text()), hi],
  },
  {
    fact: 'ge-role',
    refused: [hi, { ...m(text()), role: 'assistant' }, hi],
    text: role,
    accepted: [hi, m(text()), hi],
  },
  {
    fact: 'ge-struct',
    refused: [hi, m(fc()), u(fr('weather', 'sunny'))],
    text: notStruct('contents[2].parts[0].function_response.response', '"sunny"'),
    accepted: [hi, m(fc()), u(fr('weather', { output: 'sunny' }))],
  },
  {
    fact: 'ge-struct',
    name: 'a list',
    refused: [hi, m(fc()), u(fr('weather', ['sunny']))],
    text: 'Invalid JSON payload received. Unknown name "response" at \'contents[2].parts[0].function_response\': Proto field is not repeating, cannot start list.',
    accepted: [hi, m(fc()), u(fr('weather', { output: ['sunny'] }))],
  },
  {
    fact: 'ge-struct',
    name: 'arguments',
    refused: [hi, m({ functionCall: { name: 'weather', args: '{"city' } }), u(fr())],
    text: notStruct('contents[1].parts[0].function_call.args', '"{\\"city"'),
    accepted: [hi, ...step],
  },
  {
    fact: 'ge-sig-invalid',
    pedantic: true,
    model: three,
    refused: [hi, m(signed('weather', 'no signature!')), u(fr())],
    text: 'Corrupted thought signature.',
    accepted: [hi, m(signed()), u(fr())],
  },
]

const studioCases: Case[] = [
  ...shared,
  {
    fact: 'ge-sig-corrupted',
    verify: true,
    refused: [hi, m({ ...text(), thoughtSignature: 'c2ln' }), hi],
    text: 'Corrupted thought signature.',
    accepted: [hi, m(signed('tides', 'skip_thought_signature_validator')), u(fr('tides'))],
  },
  { fact: 'ge-empty', refused: [], text: line('', 'contents is not specified'), accepted: [hi] },
  {
    fact: 'ge-empty-parts',
    refused: [hi, m(), hi],
    text: line('[1].parts', 'contents.parts must not be empty.'),
    accepted: [hi, m(text()), hi],
  },
  {
    fact: 'ge-empty-part',
    refused: [hi, m({}), hi],
    text: line('[1].parts[0].data', oneof),
    accepted: [hi, m(text()), hi],
  },
  {
    fact: 'ge-empty-part',
    name: 'several, a line each',
    refused: [hi, m({}), hi, m({ thought: true }), hi],
    text: line('[1].parts[0].data', oneof) + line('[3].parts[0].data', oneof),
    accepted: [hi, m(text()), hi],
  },
  {
    fact: 'ge-empty-part',
    name: 'an empty text',
    pedantic: true,
    refused: [hi, m(text(), text('')), hi],
    text: line('[1].parts[1].data', oneof),
    accepted: [hi, m(text(), { text: '', thoughtSignature: 'c2ln' }), hi],
  },
  {
    fact: 'ge-fr-name',
    refused: [hi, m(fc()), u(fr(''))],
    text: line('[2].parts[0].function_response.name', 'Name cannot be empty.'),
    accepted: [hi, ...step],
  },
  {
    fact: 'ge-fc-name',
    refused: [hi, m(text(), fc('')), u(fr())],
    text: line('[1].parts[1].function_call.name', 'Name cannot be empty.'),
    accepted: [hi, m(text(), fc()), u(fr())],
  },
  {
    fact: 'ge-sig-missing',
    model: three,
    refused: [hi, m(text(), fc(), fc('tides')), u(fr(), fr('tides'))],
    text: unsigned('weather', 2),
    accepted: [hi, m(text(), signed(), fc('tides')), u(fr(), fr('tides'))],
  },
  {
    fact: 'ge-sig-missing',
    name: 'in a later step',
    model: three,
    refused: [hi, m(signed()), u(fr()), m(fc('tides')), u(fr('tides'))],
    text: unsigned('tides', 4),
    accepted: [hi, m(signed()), u(fr()), m(signed('tides', 'skip_thought_signature_validator')), u(fr('tides'))],
  },
]

const vertexCases: Case[] = [
  ...shared,
  {
    fact: 'ge-empty',
    refused: [],
    text: `Unable to submit request because at least one contents field is required. ${more}`,
    accepted: [hi],
  },
  {
    fact: 'ge-empty-parts-vertex',
    refused: [hi, m(), hi],
    text: `Unable to submit request because it must include at least one parts field, which describes the prompt input. ${more}`,
    accepted: [hi, m(text()), hi],
  },
  { fact: 'ge-empty-part', refused: [hi, m(text(), text('')), hi], text: emptyText, accepted: [hi, m(text()), hi] },
  { fact: 'ge-role', name: 'none', refused: [{ parts: [text()] }], text: role, accepted: [hi] },
  {
    fact: 'ge-role',
    name: 'that of results of old',
    refused: [hi, m(fc()), { ...u(fr()), role: 'function' }],
    text: role,
    accepted: [hi, ...step],
  },
  {
    fact: 'ge-sig-corrupted-vertex',
    verify: true,
    refused: [hi, m(signed()), u(fr())],
    text: `Unable to submit request because Thought signature is not valid.. ${more}`,
    accepted: [hi, m(fc()), u(fr())],
  },
  {
    fact: 'ge-sig-missing-vertex',
    model: three,
    refused: [hi, m(fc()), u(fr())],
    text: unsignedVertex('weather', 2),
    accepted: [hi, m({ ...fc(), thought_signature: 'c2ln' }), u(fr())],
  },
]

describe('Gemini refuses', () => testCases(studio, studioCases))

describe('Vertex AI refuses', () => testCases(vertex, vertexCases))

/** Google's own client sends a streamed answer back in the contents in which it came. */
test.each([
  ['Gemini', studio],
  ['Vertex AI', vertex],
])('%s takes the fragments that it has streamed, and no others', async (_, { provider, request, model }) => {
  const calls = [{ name: 'weather', input: { city: 'LIS' } }, { name: 'time' }]
  await using strict = await startStrict({
    provider,
    script: [{ thinking: 'hm hm', text: 'I look it up', calls }, 'ok'],
  })
  const { stream, body } = request([hi], { tools: [] }, model)
  const streamed = (await post(strict, stream ?? '', body)).text.split('\n').filter(line => line.startsWith('data: '))
  const fragments = streamed.map(line => JSON.parse(line.slice(6)).candidates[0].content)
  expect(fragments.length).toBeGreaterThan(2)
  const answers = u(fr(), fr('time'))
  const again = request([hi, ...fragments, answers], {}, model)
  await post(strict, again.path, again.body)
  expect(strict.requests[1].verdict).toBe('accepted')
  const others = request([hi, m(text('other words')), fragments.at(-1), answers], {}, model)
  await post(strict, others.path, others.body)
  expect(strict.requests[2].verdict).not.toBe('accepted')
})

describe('Gemini takes', () =>
  testAccepted(studio, {
    'a turn that does not say whose it is, and results of old': {
      history: [{ parts: [text()] }, m(fc()), { ...u(fr()), role: 'function' }],
    },
    'calls of an earlier turn without signatures': { model: three, history: [hi, ...step, m(text()), hi] },
    'an older model without signatures': { history: [hi, ...step] },
    'a model for images without signatures': { model: 'gemini-3-pro-image-preview', history: [hi, ...step] },
    'a history that goes on with a cached one': {
      fields: { cachedContent: 'cachedContents/1' },
      history: [u(fr())],
    },
    'a history that begins with the model': { history: [m(text()), hi] },
  }))

test.each([
  [true, 'ge-system-role', 'Content with system role is not supported.'],
  [false, 'ge-role', role],
])('a system turn is refused, with words of its own only if pedantic (%s)', async (pedantic, fact, words) => {
  await using strict = await startStrict({ pedantic })
  const { path, body } = studio.request([{ ...hi, role: 'system' }, hi], {}, studio.model)
  expect((await post(strict, path, body)).json()).toEqual(studio.refusal(words))
  expect(strict.requests[0].verdict).toMatchObject({ fact })
})

test('ge-sig-invalid: a signature that this server made for another API', async () => {
  await using strict = await startStrict({ pedantic: true, script: [{ thinking: 'Hm.', text: 'Hello.' }] })
  const asked = await post(strict, '/v1/messages', { model: 'm', messages: [{ role: 'user', content: 'hello' }] })
  const { signature } = (asked.json().content as Json[])[0]
  const { path, body } = studio.request([hi, m(signed('weather', String(signature))), u(fr())], {}, three)
  expect((await post(strict, path, body)).json()).toEqual(studio.refusal('Invalid thought signature.'))
})

test('a list is refused in a list', async () => {
  await using strict = await startStrict()
  const { stream, body } = studio.request([u(fr())], {}, studio.model)
  expect((await post(strict, stream.replace('?alt=sse', ''), body)).json()).toEqual([studio.refusal(response)])
})

test('where tokens are counted nothing is refused', async () => {
  await using strict = await startStrict()
  const body = { generateContentRequest: { model: 'models/gemini-2.5-pro', contents: [u(fr())] } }
  expect((await post(strict, '/v1beta/models/gemini-2.5-pro:countTokens', body)).status).toBe(200)
})

describe("behind OpenAI's API", () => {
  const compatible: Door = {
    ...studio,
    request: (messages, fields, model) => ({
      ...{ path: '/v1beta/openai/chat/completions', stream: '/v1beta/openai/chat/completions' },
      body: { model, messages, ...fields },
    }),
    refusal: message => [studio.refusal(message)],
  }
  testCases(compatible, [
    {
      fact: 'ge-fr-name',
      refused: [t('A')],
      text: line('[0].parts[0].function_response.name', 'Name cannot be empty.'),
      accepted: [says(), calls('A'), t('A')],
    },
    {
      fact: 'ge-count',
      refused: [says(), calls('A', 'B'), t('A'), says()],
      text: count,
      accepted: [says(), a(), says()],
    },
  ])
  testAccepted(compatible, {
    'calls behind words of the model': { history: [says(), a(), calls('A'), t('A')] },
  })
})

test.each([true, false])('the SDK has its own error for it (stream: %s)', async stream => {
  await using strict = await startStrict()
  const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: strict.url } })
  const request = { model: 'gemini-2.5-pro', contents: [u(fr())] as Content[] }
  const error = await (stream
    ? client.models.generateContentStream(request)
    : client.models.generateContent(request)
  ).then(
    () => 'no error',
    error => error,
  )
  expect(error).toBeInstanceOf(ApiError)
  expect(error.status).toBe(400)
  expect(JSON.parse(error.message)).toEqual(studio.refusal(response))
})

testComplete(facts, [...studioCases.map(({ fact }) => fact), ...vertexCases.map(({ fact }) => fact), 'ge-system-role'])
