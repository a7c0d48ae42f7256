import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered = 'Invalid request content: Each message must have at least one content element.'

export const xai: Dialect = {
  id: 'xai',
  title: 'xAI Grok',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    emptyCalls: 'refuse',
    emptyMessage: 'refuse-null',
    contentBesideCalls: 'text',
  },
  refusals: {
    'missing-content': unanswered,
    'empty-message': unanswered,
    'empty-result': unanswered,
  },
}
