import { expect, test } from 'vitest'
import { notSimulated } from '../../../src/strict/facts/not-simulated.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/gemini-interactions/facts.ts'
import { post } from '../http.ts'

const hi = { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] }
const thought = { type: 'thought', signature: 'c2lnbmF0dXJl' }
const call = { type: 'function_call', id: 'a1', name: 'weather', arguments: {} }
const result = { type: 'function_result', call_id: 'a1', name: 'weather', result: 'sunny' }
const unsigned = { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }] }
const step = [thought, call, result]
const { call_id: _, ...unanswering } = result
const { name: __, ...nameless } = result
const invalid = 'Request contains an invalid argument.'
const missing = (field: string) => `Missing ${field} in content of type function_result`

/** What the API rejects, in which words, and what it accepts instead. */
const cases: [fact: string, refused: unknown[], words: string, accepted: unknown[]][] = [
  [
    'gi-turns',
    [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    'When using the steps-based API version, use step_list input format instead of turn_list.',
    [{ type: 'text', text: 'Hi' }],
  ],
  ['gi-call-id', [hi, thought, call, unanswering], missing('call_id'), [hi, ...step]],
  ['gi-name', [hi, thought, call, nameless], missing('name'), [hi, ...step]],
  [
    'gi-result',
    [hi, thought, call, { ...result, result: 42 }],
    "'result' must be a Struct, FunctionResultSubcontent[], or string",
    [hi, thought, call, { ...result, result: { value: 42 } }],
  ],
  [
    'gi-unknown-field',
    [hi, thought, call, { ...result, id: 'r1' }],
    "Unknown parameter 'id' at 'input[3]'.",
    [hi, ...step],
  ],
  ['gi-signature', [hi, call, result], invalid, [hi, call, result, hi]],
  ['gi-signature', [hi, unsigned, call, result], invalid, [hi, unsigned, ...step]],
]

test.each(cases)('[S12] %s is refused: %j', async (fact, refused, words, accepted) => {
  await using strict = await startStrict()
  const ask = (input: unknown[]) => post(strict, '/v1beta/interactions', { model: 'gemini-3-pro', input })
  const { status, json } = await ask(refused)
  expect({ status, body: json() }).toEqual({
    status: 400,
    body: { error: { message: words, code: 'invalid_request' } },
  })
  expect(strict.requests[0].verdict).toMatchObject({ fact })
  expect((await ask(accepted)).status).toBe(200)
})

test('[S12] every fact about interactions that can be refused has a case', () => {
  const tried = new Set(cases.map(([fact]) => fact))
  expect(facts.map(({ id }) => id).filter(id => id !== 'gi-empty' && !(id in notSimulated) && !tried.has(id))).toEqual(
    [],
  )
})

test('[S12] the order of turns is that of generateContent, also in what the server stores', async () => {
  await using strict = await startStrict({ script: () => ({ calls: [{ name: 'weather' }] }) })
  const ask = (body: object) => post(strict, '/v1beta/interactions', { model: 'gemini-3-pro', ...body })
  const { id } = (await ask({ input: 'Weather?' })).json()
  const { status, json } = await ask({ input: 'Are you there?', previous_interaction_id: id })
  expect([status, json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('number of function response') } },
  ])
})
