import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered = 'The messages parameter is illegal. Please check the documentation.'

export const glm: Dialect = {
  id: 'glm',
  title: 'GLM on z.ai and Zhipu',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    emptyMessage: 'refuse-null',
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    noUser: 'refuse',
    developer: 'refuse',
  },
  doubtful: { emptyCalls: 'refuse' },
  refusals: {
    'unanswered-call': unanswered,
    'orphan-result': unanswered,
    'missing-user': unanswered,
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'system-role': "Input should be 'user' or 'assistant'",
  },
}
