import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {id}"

export const moonshot: Dialect = {
  id: 'moonshot',
  title: 'Moonshot, Kimi',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    emptyMessage: 'refuse-empty',
    missingReasoning: 'refuse',
    toolReferences: 'refuse',
  },
  doubtful: { emptyCalls: 'refuse' },
  models: [{ match: /moonshot-v1|kimi-k2-(0711|0905|turbo|instruct)/i, facts: { missingReasoning: 'accept' } }],
  refusals: {
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'orphan-result': 'Invalid request: tool_call_id {id} is not found',
    'early-result': 'Invalid request: tool_call_id {id} is not found',
    'missing-reasoning':
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index {n}',
    'unknown-tool-reference':
      'failed to convert tool result content: unsupported content type in ContentBlockParamUnion: tool_reference',
    'empty-message': "Invalid request: the message at position {n} with role '{role}' must not be empty",
  },
}
