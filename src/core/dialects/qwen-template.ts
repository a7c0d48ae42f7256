import { type Dialect, lenientFacts } from '../dialect.ts'

export const qwenTemplate: Dialect = {
  id: 'qwen-template',
  title: 'Qwen chat template on a local server',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    legacyCalls: 'refuse',
    emptyMessage: 'refuse-null',
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    system: 'first',
    systems: 'one',
    developer: 'refuse',
    noUser: 'refuse',
  },
  refusals: {
    'system-not-first': 'System message must be at the beginning.',
    'repeated-system': 'System message must be at the beginning.',
    'missing-user': 'No user query found in messages.',
    'foreign-role': 'Unexpected message role.',
    'malformed-arguments': "Expecting ',' delimiter: line 1 column 1 (char 0)",
  },
}
