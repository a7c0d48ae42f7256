import type { CodecId } from '../codecs/index.ts'
import type { DialectId } from '../core/dialects/index.ts'

/** A failure of a real system, and the history that it leaves. */
export interface Failure {
  readonly title: string
  readonly story: string
  readonly format: CodecId
  readonly for: DialectId
  readonly request: Request
  readonly history: readonly unknown[]
}

/** Where the history is sent, and what goes with it. */
export interface Request {
  readonly path: string
  readonly body: object
}

const chat = (model: string): Request => ({ path: '/v1/chat/completions', body: { model } })

const anthropicMessages = (tool: string): Request => ({
  path: '/v1/messages',
  body: {
    model: 'claude-opus-4-5',
    max_tokens: 1024,
    tools: [{ name: tool, input_schema: { type: 'object' } }],
  },
})

/** A conversation that another model goes on with: the thinking in it was signed for the first one. */
export const modelSwitch = {
  title: 'A foreign signature after a model switch',
  story: 'The first model thought and called a tool. Its quota ran out, and another model was asked to continue.',
  path: '/v1/messages',
  models: ['claude-opus-4-5', 'claude-sonnet-4-6'],
  body: {
    max_tokens: 2048,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tools: [{ name: 'search_flights', input_schema: { type: 'object' } }],
  },
  question: { role: 'user', content: 'Find me a flight to Lisbon on Friday.' },
  replies: [
    { thinking: 'Friday is the 20th.', calls: [{ id: 'toolu_03', name: 'search_flights', input: { to: 'LIS' } }] },
    'TP 1351 for 89 EUR.',
  ],
  result: 'TP 1351, 89 EUR',
} as const

const chatCall = (id: string, name: string, input: unknown): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

export const failures: readonly Failure[] = [
  {
    title: 'An orphan after a double submit',
    story:
      'Two clicks ran two turns. The second save overwrote the call of the first turn; the result of that call was still stored.',
    format: 'openai-chat',
    for: 'openai',
    request: chat('gpt-5.5'),
    history: [
      { role: 'user', content: 'Refund order 1042.' },
      { role: 'tool', tool_call_id: 'call_a', content: 'refunded, receipt 77' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_b', 'refund', { order: 1042 })] },
      { role: 'tool', tool_call_id: 'call_b', content: 'refused: already refunded, receipt 77' },
      { role: 'user', content: 'And order 1043, please.' },
    ],
  },
  {
    title: 'Text between a call and its result after an approval',
    story: 'The call waited for an approval. Text of the assistant from that time was stored as a separate message.',
    format: 'openai-chat',
    for: 'openai',
    request: chat('gpt-5.5'),
    history: [
      { role: 'user', content: 'Drop the staging database.' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_1', 'drop_database', { name: 'staging' })] },
      { role: 'assistant', content: 'This deletes 12 tables. I will go on once you approve.' },
      { role: 'tool', tool_call_id: 'call_1', content: 'dropped 12 tables' },
      { role: 'user', content: 'Thanks. Now restore it from the backup.' },
    ],
  },
  {
    title: 'A user message inside a pending call after an interrupt',
    story: 'The user pressed stop and typed a new message, and then the tool returned its result.',
    format: 'anthropic',
    for: 'anthropic',
    request: anthropicMessages('bash'),
    history: [
      { role: 'user', content: 'Run the tests.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Running all of them.' },
          { type: 'tool_use', id: 'toolu_01', name: 'bash', input: { command: 'npm test' } },
        ],
      },
      { role: 'user', content: 'Stop, the unit tests are enough.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: '3 of 412 failed' }] },
    ],
  },
  {
    title: 'A system message that is no longer first',
    story:
      'A compaction put its summary before the system message. The hosted model accepted that; the local model used next does not.',
    format: 'openai-chat',
    for: 'qwen-template',
    request: chat('qwen3.5-27b'),
    history: [
      { role: 'user', content: 'Summary so far: we are planning a trip to Lisbon.' },
      { role: 'system', content: 'You are a travel agent. Book nothing without asking.' },
      { role: 'user', content: 'Find me a flight on Friday.' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_9', 'search_flights', { to: 'LIS' })] },
      { role: 'tool', tool_call_id: 'call_9', content: 'TP 1351, 89 EUR' },
    ],
  },
  {
    title: 'An error and a real result for one call after a crash',
    story:
      'The restarted worker wrote an error for the open call. The tool had survived, and its result was stored too.',
    format: 'anthropic',
    for: 'anthropic',
    request: anthropicMessages('charge_card'),
    history: [
      { role: 'user', content: 'Charge the card.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_02', name: 'charge_card', input: { amount: 89 } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_02', content: 'worker restarted', is_error: true },
          { type: 'tool_result', tool_use_id: 'toolu_02', content: 'charged 89 EUR, receipt 78' },
        ],
      },
    ],
  },
]
