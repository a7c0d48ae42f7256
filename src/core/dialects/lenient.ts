import { type Dialect, lenientFacts } from '../dialect.ts'

export const lenient: Dialect = {
  id: 'lenient',
  title: 'Pairing, placement and answers only',
  codec: 'openai-chat',
  facts: { ...lenientFacts, refusalField: 'accept' },
  refusals: {},
}
