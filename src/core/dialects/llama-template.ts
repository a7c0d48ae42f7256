import { type Dialect, lenientFacts } from '../dialect.ts'

export const llamaTemplate: Dialect = {
  id: 'llama-template',
  title: 'Llama 3 chat template on a local server',
  codec: 'openai-chat',
  facts: {
    ...lenientFacts,
    emptyMessage: 'refuse-null',
    malformedInput: 'refuse',
    textAfterCall: 'refuse',
    parallelCalls: 'refuse',
  },
  refusals: {
    'parallel-calls': 'This model only supports single tool-calls at once!',
  },
}
