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
]

test.each(cases)('%s is refused: %j', async (fact, refused, words, accepted) => {
  await using strict = await startStrict()
  const ask = (messages: unknown[]) => post(strict, '/api/chat', { model: 'qwen3:8b', messages })
  const { status, json } = await ask(refused)
  expect({ status, body: json() }).toEqual({ status: 400, body: { error: words } })
  expect(strict.requests[0].verdict).toMatchObject({ fact })
  expect((await ask(accepted)).status).toBe(200)
})

test('every fact about the handler that can be refused has a case', () => {
  const tried = new Set(cases.map(([fact]) => fact))
  expect(facts.map(({ id }) => id).filter(id => id !== 'ol-collate' && !tried.has(id))).toEqual([])
})
