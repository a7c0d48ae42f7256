import { type Dialect, lenientFacts } from '../dialect.ts'

const alternation = 'Conversation roles must alternate user/assistant/user/assistant/...'

export const gemmaTemplate: Dialect = {
  id: 'gemma-template',
  title: 'Gemma chat template on a local server',
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
    consecutiveUsers: 'refuse',
    consecutiveAssistants: 'refuse',
    firstAssistant: 'refuse',
  },
  refusals: {
    'broken-alternation': alternation,
    'wrong-first-role': alternation,
    'system-not-first': alternation,
    'repeated-system': alternation,
  },
}
