import { type Dialect, lenientFacts } from '../dialect.ts'

export const mistral: Dialect = {
  id: 'mistral',
  title: 'Mistral',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    ids: { invalid: /[^a-zA-Z0-9]/, lengthMax: 9, lengthExact: 9 },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 },
    toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 },
    malformedInput: 'refuse',
    legacyCalls: 'refuse',
    textAfterCall: 'refuse',
    emptyMessage: 'refuse-empty',
    system: 'not-after-assistant',
    developer: 'refuse',
    userAfterResult: 'refuse',
    lastAssistant: 'refuse',
    firstAssistant: 'refuse-calls',
    foreignFields: [
      ...['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks', 'annotations', 'audio'],
      ...['extra_content', 'provider_specific_fields', 'cache_control', 'user.name', 'user.tool_calls'],
    ],
  },
  doubtful: { emptyCalls: 'refuse' },
  refusals: {
    'foreign-message-field': 'Extra inputs are not permitted',
    'unanswered-call': 'Not the same number of function calls and responses',
    'interleaved-message': "Unexpected role '{role}' after role 'assistant'",
    'misplaced-result': 'Not the same number of function calls and responses',
    'duplicate-result': 'Duplicate tool call id {id} in tool results',
    'duplicate-call-id': 'Duplicate tool call id {id} in assistant message',
    'orphan-result': 'Unexpected tool call id {id} in tool results',
    'malformed-id': 'Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.',
    'empty-id': 'Tool call id has to be defined.',
    'malformed-name':
      'Function name was {name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.',
    'malformed-tool-name':
      'Function name was {name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.',
    'forbidden-follower': "Unexpected role 'user' after role 'tool'",
    'system-not-first': "Unexpected role 'system' after role 'assistant'",
    'wrong-last-role': 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    'wrong-first-role': 'Conversation must start with a user message or system message',
    'empty-message': 'Assistant message must have either content or tool_calls, but not none.',
  },
}
