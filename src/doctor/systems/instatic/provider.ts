import type { Facts } from '../../../core/dialect.ts'
import { anthropic } from '../../../core/dialects/anthropic.ts'
import type { DialectId } from '../../../core/dialects/index.ts'

/** How Instatic writes the requests of a chat, which depends on its provider. */
export interface Mapper {
  /** Whose words are quoted for a refusal. */
  readonly reader: DialectId
  /** Rows go out one by one, so that calls that were made together stand apart. */
  readonly splitsSteps: boolean
  readonly facts: Partial<Facts>
}

/**
 * The mapper of a provider. All three insist on what the strictest of them does, since a chat can change its provider;
 * but words that are only white space, and ids of a form that only Anthropic refuses, come from models of the others.
 */
export function mapperOf(provider: string | null): Mapper {
  if (provider === 'anthropic')
    return { reader: 'anthropic', splitsSteps: false, facts: { ...factsFor('refuse-blank'), ids: anthropic.facts.ids } }
  const facts = factsFor('refuse-empty')
  if (provider !== null && responses.has(provider)) return { reader: 'openai-responses', splitsSteps: false, facts }
  return { reader: 'openai', splitsSteps: true, facts }
}

const responses: ReadonlySet<string> = new Set(['openai', 'openrouter', 'requesty'])

const factsFor = (blank: 'refuse-blank' | 'refuse-empty'): Partial<Facts> => ({
  malformedInput: 'refuse',
  emptyMessage: blank,
  emptyLast: 'refuse',
  blankText: blank,
  firstAssistant: 'refuse',
})
