import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"

const refused = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"

export const deepseek: Dialect = {
  id: 'deepseek',
  title: 'DeepSeek',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    emptyMessage: 'refuse-null',
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    textAfterCall: 'refuse',
    missingReasoning: 'refuse',
  },
  doubtful: { emptyCalls: 'refuse' },
  models: [
    {
      match: /deepseek-r1/i,
      facts: { consecutiveUsers: 'refuse', consecutiveAssistants: 'refuse', missingReasoning: 'accept' },
    },
    { match: /^deepseek-chat$/, facts: { missingReasoning: 'accept', media: 'refuse' } },
    { match: /deepseek-(chat|v3|coder)/i, facts: { missingReasoning: 'accept' } },
    { match: /^deepseek-reasoner$/, facts: { media: 'refuse' } },
  ],
  refusals: {
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'text-after-call': 'No tool output found for tool call',
    'orphan-result': refused,
    'early-result': refused,
    'unsupported-media':
      'Failed to deserialize the JSON body into the target type: messages[{n}]: unknown variant `image_url`, expected `text`',
    'missing-reasoning': 'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'broken-alternation':
      'deepseek-reasoner does not support successive user or assistant messages (messages[{n}] in your input). You should interleave the user/assistant messages in the message sequence.',
    'system-role':
      'Failed to deserialize the JSON body into the target type: messages[{n}].role: unknown variant `system`, expected `user` or `assistant`',
  },
}
