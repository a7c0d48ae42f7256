import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'

export const mistralTemplate: Dialect = {
  id: 'mistral-template',
  title: 'Mistral chat templates on a local server',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    legacyCalls: 'refuse',
    emptyMessage: 'refuse-null',
    ids: { invalid: /[^a-zA-Z0-9]/, lengthMax: 9, lengthExact: 9 },
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    system: 'first',
    systems: 'one',
    developer: 'refuse',
    consecutiveUsers: 'refuse',
    consecutiveAssistants: 'refuse',
    userAfterResult: 'refuse',
    firstAssistant: 'refuse',
  },
  refusals: {
    'broken-alternation': unanswered,
    'forbidden-follower': unanswered,
    'wrong-first-role': unanswered,
    'repeated-system': unanswered,
    'system-not-first':
      'Only user and assistant roles are supported, with the exception of an initial optional system message!',
    'malformed-id': 'Tool call IDs should be alphanumeric strings with length 9!',
    'empty-id': 'Tool call IDs should be alphanumeric strings with length 9!',
  },
}
