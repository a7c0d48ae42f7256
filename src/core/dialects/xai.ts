import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered = 'Invalid request content: Each message must have at least one content element.'

export const xai: Dialect = {
  id: 'xai',
  title: 'xAI Grok',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    emptyMessage: 'refuse-null',
    textAfterCall: 'refuse',
    contentBesideCalls: 'text',
  },
  doubtful: { malformedInput: 'refuse', emptyCalls: 'refuse' },
  refusals: {
    'missing-content': unanswered,
    'empty-message': unanswered,
    'empty-result': unanswered,
  },
}
