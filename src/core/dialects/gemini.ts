import { type Dialect, lenientFacts } from '../dialect.ts'
import { misplacedCall, misplacedResponse, uncounted } from './gemini.refusals.ts'

export const gemini: Dialect = {
  id: 'gemini',
  title: 'Google Gemini generateContent',
  codec: 'gemini',
  facts: {
    ...lenientFacts,
    names: { lengthMax: Number.MAX_SAFE_INTEGER },
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    emptyMessage: 'refuse-empty',
    emptyLast: 'refuse',
    blankText: 'refuse-empty',
    roleNames: 'tolerated',
    consecutiveAssistants: 'refuse-calls',
    firstAssistant: 'refuse-leading-calls',
    imageTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    unreadableImages: 'refuse',
    // What one of the documented forms allows is left alone.
    toolNames: { pattern: /^[A-Za-z_][\w.:-]*$/, lengthMax: 128 },
  },
  doubtful: {
    consecutiveUsers: 'refuse',
    consecutiveAssistants: 'refuse',
    firstAssistant: 'refuse',
    noUser: 'refuse-system-only',
    lastAssistant: 'refuse',
  },
  models: [
    { match: /gemini-([3-9]|\d\d)/, facts: { signature: 'skip_thought_signature_validator' } },
    { match: /gemini-[12]\b|gemma/, facts: { contentResults: 'one-text' } },
  ],
  refusals: {
    'unanswered-call': uncounted,
    'interleaved-message': uncounted,
    'split-results': uncounted,
    'duplicate-result': uncounted,
    'split-step': misplacedCall,
    'wrong-first-role': misplacedCall,
    'misplaced-result': misplacedResponse,
    'early-result': misplacedResponse,
    'orphan-result': misplacedResponse,
    'broken-alternation': 'Please ensure that multiturn requests alternate between user and model.',
    'wrong-last-role': 'Please ensure that multiturn requests ends with a user role or a function response.',
    'empty-message': '* GenerateContentRequest.contents[{n}].parts: contents.parts must not be empty.',
    'blank-text':
      "* GenerateContentRequest.contents[{n}].parts[{k}].data: required oneof field 'data' must have one initialized field",
    'foreign-role': 'Please use a valid role: user, model.',
    'system-role': 'Content with system role is not supported.',
    'unreadable-image':
      'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    'unnamed-result': '* GenerateContentRequest.contents[{n}].parts[{k}].function_response.name: Name cannot be empty.',
    'malformed-tool-name':
      '* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore.',
    'malformed-name': '* GenerateContentRequest.contents[{n}].parts[{k}].function_call.name: Name cannot be empty.',
    'malformed-result':
      "Invalid value at 'contents[{n}].parts[{k}].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    'unsigned-call':
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {n}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  },
}
