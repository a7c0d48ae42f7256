import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[{n}].role'

export const qwen: Dialect = {
  id: 'qwen',
  title: 'Qwen on DashScope',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    emptyMessage: 'refuse-null',
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    textAfterCall: 'refuse',
    developer: 'refuse',
    noUser: 'refuse',
    imageSideMin: 10,
  },
  doubtful: { emptyCalls: 'refuse' },
  refusals: {
    'oversized-image':
      '<400> InternalError.Algo.InvalidParameter: The image length and width do not meet the model restrictions. [height or width must be larger than 10]',
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'orphan-result':
      '<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding message with "tool_calls".',
    'missing-user':
      '<400> InternalError.Algo.InvalidParameter: The input messages do not contain elements with the role of user',
    'malformed-arguments':
      '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be in JSON format.',
    'empty-calls': 'Empty tool_calls is not supported in message',
    'foreign-role':
      "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['{n}].role'",
  },
}
