/** Small histories for the tests of the command line. */
const call = (id: string, name = 'search_flights', input = '{"to":"LIS"}'): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: input } }],
})

const result = (id: string, content = 'TP 1351, 89 EUR'): object => ({ role: 'tool', tool_call_id: id, content })

const user = (content: string): object => ({ role: 'user', content })

export const healthy = [user('Find me a flight.'), call('call_1'), result('call_1')]

export const unanswered = [user('Find me a flight.'), call('call_1'), user('Are you there?')]

/** 4 calls, 4 results, 1 orphan, 1 unanswered. */
export const mixed = [
  user('Plan Lisbon.'),
  ...['call_1', 'call_2', 'call_3'].flatMap(id => [call(id), result(id)]),
  result('call_lost', 'nobody asked'),
  call('call_4', 'search_hotels', '{"city":"Lisbon"}'),
  user('Hello?'),
]

export const orphan = [user('Find me a flight.'), result('call_lost'), call('call_1'), result('call_1')]

/** A warning for every reader, an error for none. */
export const repeated = [user('Hello?'), user('Hello?'), { role: 'assistant', content: 'Yes.' }, user('Good.')]

export const anthropicUnanswered = [
  user('Find me a flight.'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }] },
  user('Are you there?'),
]

export const responsesOrphan = [
  { role: 'user', content: 'Go on.' },
  { type: 'function_call_output', call_id: 'call_held', output: 'done' },
]

export const json = (value: unknown): string => JSON.stringify(value)
export const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
export const jsonl = (messages: readonly unknown[]): string => messages.map(message => `${json(message)}\n`).join('')
export { call, result, user }
