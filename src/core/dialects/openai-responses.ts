import { type Dialect, lenientFacts } from '../dialect.ts'

const answeredTwice =
  "Duplicate function_call_output for call_id '{id}'. Each function_call must have exactly one matching function_call_output"

const invalidImage =
  "The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp']."

export const openaiResponses: Dialect = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  codec: 'openai-responses',
  facts: {
    ...lenientFacts,
    refusalField: 'accept',
    ids: { lengthMax: 64 },
    uniqueIds: 'history',
    itemIds: 'strict',
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    textAfterCall: 'refuse',
    lateResults: 'accept',
    emptyMessage: 'refuse-empty',
    blankText: 'refuse-empty',
    loneReasoning: 'refuse',
    callWithoutReasoning: 'refuse-shown',
    repeatedItem: 'refuse',
    unreadableImages: 'refuse',
  },
  doubtful: { lateResults: 'refuse', callWithoutReasoning: 'refuse' },
  // The dialect is also that of servers with other models, which read more types.
  models: [
    {
      match: /^(openai\/)?(gpt-(?!oss)|o\d|chatgpt|codex)/,
      facts: {
        imageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
        // Azure takes dots, and no length is known.
        toolNames: { pattern: /^[\w.-]+$/, lengthMax: Number.MAX_SAFE_INTEGER },
        toolsMax: 128,
      },
    },
  ],
  refusals: {
    'malformed-tool-name':
      "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    'too-many-tools': "Invalid 'tools': array too long. Expected an array with maximum length 128.",
    'unsupported-image': invalidImage,
    'unreadable-image': invalidImage,
    'unanswered-call': 'No tool output found for function call {id}.',
    'orphan-result': 'No tool call found for function call output with call_id {id}.',
    'malformed-result':
      "Invalid type for 'input[{n}].output': expected a computer call output, but got a string instead.",
    'mismatched-result': 'No tool call found for custom tool call output with call_id {id}.',
    'reasoning-without-follower': "Item '{item}' of type 'reasoning' was provided without its required following item.",
    'call-without-reasoning': "Item '{item}' was provided without its required 'reasoning' item.",
    'repeated-item': 'Duplicate item found with id {item}. Remove duplicate items from your input and try again.',
    'duplicate-result': answeredTwice,
    'duplicate-call-id': answeredTwice,
    'malformed-item-id': "Invalid 'input[{n}].id': '{item}'. Expected an ID that begins with 'fc'.",
    'malformed-id': "Invalid 'input[{n}].call_id': string too long. Expected a string with maximum length 64.",
    'empty-id':
      "Invalid 'input[{n}].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
  },
}
