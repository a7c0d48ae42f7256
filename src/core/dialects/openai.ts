import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {id}"

const refused =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."

export const openai: Dialect = {
  id: 'openai',
  title: 'OpenAI Chat Completions, also as Azure',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    ids: { lengthMax: 40 },
    names: { lengthMax: Number.MAX_SAFE_INTEGER },
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    textAfterCall: 'refuse',
    emptyCalls: 'refuse',
    emptyMessage: 'refuse-null',
    refusalField: 'accept',
    unreadableImages: 'refuse',
  },
  // Only old versions of the Azure API.
  doubtful: { contentBesideCalls: 'null-or-text' },
  // The dialect is also that of servers with other models, which read more types.
  models: [
    {
      match: /^(openai\/)?(gpt-(?!oss)|o\d|chatgpt)/,
      facts: {
        imageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
        assistantImages: 'refuse',
        // Azure takes dots.
        toolNames: { pattern: /^[\w.-]+$/, lengthMax: 64 },
        toolsMax: 128,
        callsMax: 128,
      },
    },
  ],
  refusals: {
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'split-step':
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    'orphan-result': refused,
    'early-result': refused,
    'duplicate-result': "Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in messages[{n}].",
    'empty-id': "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
    'empty-calls':
      "Invalid 'messages[{n}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    'malformed-id':
      "Invalid 'messages[{n}].tool_calls[{k}].id': string too long. Expected a string with maximum length 40.",
    'malformed-name':
      "Invalid 'messages[{n}].tool_calls[{k}].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    'empty-message': "Invalid value for 'content': expected a string, got null.",
    'empty-result': "Invalid value for 'content': expected a string, got null.",
    'malformed-result':
      "Invalid type for 'messages[{n}].content': expected one of a string or array of objects, but got an object instead.",
    'unsupported-image':
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    'unreadable-image': 'You uploaded an unsupported image. Please make sure your image is valid.',
    'misplaced-image':
      "Invalid 'messages[{n}]'. Image URLs are only allowed for messages with role 'user', but this message with role 'assistant' contains an image URL.",
    'malformed-tool-name':
      "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    'too-many-tools': "Invalid 'tools': array too long. Expected an array with maximum length 128.",
    'parallel-calls': "Invalid 'messages[{n}].tool_calls': array too long. Expected an array with maximum length 128.",
    'missing-content': "'content' is a required property - 'messages.{n}'",
  },
}
