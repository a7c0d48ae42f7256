import { expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/ollama/facts.ts'
import { post } from '../http.ts'

const user = { role: 'user', content: 'Hi' }
const calls = (input: unknown) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ function: { name: 'weather', arguments: input } }],
})
const tool = (content: unknown) => ({ role: 'tool', tool_name: 'weather', content })
const unmarshal = (kind: string, field: string, type: string) =>
  `json: cannot unmarshal ${kind} into Go struct field ChatRequest.messages.${field} of type ${type}`

const text = [{ type: 'text', text: 'Hi' }]
const input = 'tool_calls.function.arguments'

const called = (of: object) => ({ role: 'assistant', content: '', tool_calls: [of] })
const wanted = { name: 'weather', arguments: {} }

/** What the handler refuses, in which words, and what it accepts instead. */
const cases: [fact: string, refused: unknown[], words: string, accepted: unknown[]][] = [
  [
    'ol-arguments',
    [user, calls('{"city":"Rome"}')],
    unmarshal('string', input, 'api.ToolCallFunctionArguments'),
    [user, calls({ city: 'Rome' }), user, calls(null)],
  ],
  [
    'ol-content',
    [{ role: 'user', content: text }],
    unmarshal('array', 'content', 'string'),
    [{ role: 'user', content: null }],
  ],
  [
    'ol-content',
    [user, calls({}), tool(text)],
    unmarshal('array', 'content', 'string'),
    [user, calls({}), tool('sunny')],
  ],
  ['ol-content', [user, calls({}), tool({ a: 1 })], unmarshal('object', 'content', 'string'), [tool('sunny')]],
  [
    'ol-base64',
    [{ ...user, images: ['data:image/png;base64,iVBORw0KGgo='] }],
    'illegal base64 data at input byte 4',
    [{ ...user, images: ['iVBORw0KGgo='] }],
  ],
  ['ol-base64', [{ ...user, images: ['https://a.example/a.png'] }], 'illegal base64 data at input byte 5', [user]],
  [
    'ol-field',
    [{ ...user, thinking: { text: 'Hm.' } }],
    unmarshal('object', 'thinking', 'string'),
    [{ ...user, thinking: 'Hm.' }],
  ],
  [
    'ol-field',
    [{ ...user, tool_calls: {} }],
    unmarshal('object', 'tool_calls', '[]api.ToolCall'),
    [{ ...user, tool_calls: [] }],
  ],
  [
    'ol-field',
    [called({ id: ['call_1'], function: wanted })],
    unmarshal('array', 'tool_calls.id', 'string'),
    [called({ id: 'call_1', function: wanted }), called({ id: null, function: wanted })],
  ],
  [
    'ol-field',
    [called({ function: { ...wanted, index: 1.5 } })],
    unmarshal('number 1.5', 'tool_calls.function.index', 'int'),
    [called({ function: { ...wanted, index: 1 } })],
  ],
  ['ol-field', [{ ...tool('x'), tool_call_id: 1 }], unmarshal('number', 'tool_call_id', 'string'), [tool('x')]],
  [
    'ol-field',
    [{ ...user, images: [{ '0': 137 }] }],
    unmarshal('object', 'images', 'api.ImageData'),
    [{ ...user, images: [[137, 80]] }],
  ],
  [
    'ol-field',
    [{ ...user, images: [[256]] }],
    unmarshal('number 256', 'images', 'uint8'),
    [{ ...user, images: [null] }],
  ],
]

const struct = (kind: string, field: string, type: string) =>
  `json: cannot unmarshal ${kind} into Go struct field ${field} of type ${type}`
const declared = (fields: object) => ({ tools: [{ type: 'function', function: { name: 'weather', ...fields } }] })
const schema = (property: unknown) => declared({ parameters: { type: 'object', properties: { city: property } } })
const levels = '"high", "medium", "low", true, or false'

/** The same for a whole request. */
const requests: [fact: string, refused: object, words: string, accepted: object][] = [
  ['ol-field', { messages: user }, struct('object', 'ChatRequest.messages', '[]api.Message'), { messages: null }],
  ['ol-field', { messages: ['Hi'] }, struct('string', 'ChatRequest.messages', 'api.Alias'), { messages: [null] }],
  ['ol-request', { model: 5 }, struct('number', 'ChatRequest.model', 'string'), {}],
  ['ol-request', { stream: 'no' }, struct('string', 'ChatRequest.stream', 'bool'), { stream: false }],
  ['ol-request', { options: [] }, struct('array', 'ChatRequest.options', 'map[string]interface {}'), { options: {} }],
  ['ol-request', { tools: {} }, struct('object', 'ChatRequest.tools', 'api.Tools'), { tools: [null] }],
  [
    'ol-request',
    declared({ description: ['Looks.'] }),
    struct('array', 'ToolFunction.tools.function.description', 'string'),
    schema({ type: ['string', 'null'], description: 'Where.', anyOf: [{ type: 'string' }] }),
  ],
  [
    'ol-request',
    schema(true),
    struct('bool', 'ToolFunctionParameters.tools.function.parameters.properties', 'api.ToolProperty'),
    schema({}),
  ],
  ['ol-request', { think: 'much' }, `invalid think value: "much" (must be ${levels})`, { think: 'high' }],
  ['ol-request', { think: 1 }, `think must be a boolean or string (${levels})`, { think: true }],
  ['ol-request', { keep_alive: 'soon' }, 'time: invalid duration "soon"', { keep_alive: '1h30.5m' }],
  ['ol-request', { keep_alive: true }, "Unsupported type: 'bool'", { keep_alive: -1 }],
  // A message ends the decoding, so its error is the one that is told.
  ['ol-content', { model: 5, messages: [{ content: 1 }] }, unmarshal('number', 'content', 'string'), { messages: [] }],
]

test.each(requests)('%s is refused in a request: %j', async (fact, refused, words, accepted) => {
  await using strict = await startStrict()
  const ask = (fields: object) => post(strict, '/api/chat', { model: 'qwen3:8b', messages: [user], ...fields })
  const { status, json } = await ask(refused)
  expect({ status, body: json() }).toEqual({ status: 400, body: { error: words } })
  expect(strict.requests[0].verdict).toMatchObject({ fact })
  expect((await ask(accepted)).status).toBe(200)
})

test.each(cases)('%s is refused: %j', async (fact, refused, words, accepted) => {
  await using strict = await startStrict()
  const ask = (messages: unknown[]) => post(strict, '/api/chat', { model: 'qwen3:8b', messages })
  const { status, json } = await ask(refused)
  expect({ status, body: json() }).toEqual({ status: 400, body: { error: words } })
  expect(strict.requests[0].verdict).toMatchObject({ fact })
  expect((await ask(accepted)).status).toBe(200)
})

test('every fact about the handler that can be refused has a case', () => {
  const tried = new Set([...cases, ...requests].map(([fact]) => fact))
  expect(facts.map(({ id }) => id).filter(id => id !== 'ol-collate' && !tried.has(id))).toEqual([])
})
