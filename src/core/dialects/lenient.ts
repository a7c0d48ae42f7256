import { type Dialect, lenientFacts } from '../dialect.ts'

export const lenient: Dialect = {
  id: 'lenient',
  title: 'Pairing, seating and answering only',
  codec: 'openai-chat',
  facts: { ...lenientFacts, refusalField: 'accept' },
  refusals: {},
}
