import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "

export const cohere: Dialect = {
  id: 'cohere',
  title: 'Cohere',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    emptyMessage: 'refuse-empty',
  },
  doubtful: { emptyCalls: 'refuse' },
  refusals: {
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'empty-message': 'invalid request: all elements in history must have a message.',
  },
}
