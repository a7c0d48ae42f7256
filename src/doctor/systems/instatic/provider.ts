import type { Facts } from '../../../core/dialect.ts'
import { anthropic } from '../../../core/dialects/anthropic.ts'
import type { DialectId } from '../../../core/dialects/index.ts'

/** How Instatic builds the requests of a chat, which depends on its provider. */
export interface Mapper {
  /** The dialect whose error messages are quoted. */
  readonly dialect: DialectId
  /** Rows are sent one by one, so that calls made together are separate messages. */
  readonly splitsSteps: boolean
  readonly facts: Partial<Facts>
}

/**
 * The mapper of a provider. All three require what the strictest of them does, since a chat can change its provider;
 * but blank text, and ids of a form that only Anthropic rejects, come from models of the others.
 */
export function mapperOf(provider: string | null): Mapper {
  if (provider === 'anthropic')
    return {
      dialect: 'anthropic',
      splitsSteps: false,
      facts: { ...factsFor('refuse-blank'), ids: anthropic.facts.ids },
    }
  const facts = factsFor('refuse-empty')
  if (provider !== null && responses.has(provider)) return { dialect: 'openai-responses', splitsSteps: false, facts }
  return { dialect: 'openai', splitsSteps: true, facts }
}

const responses: ReadonlySet<string> = new Set(['openai', 'openrouter', 'requesty'])

const factsFor = (blank: 'refuse-blank' | 'refuse-empty'): Partial<Facts> => ({
  malformedInput: 'refuse',
  emptyMessage: blank,
  emptyLast: 'refuse',
  blankText: blank,
  firstAssistant: 'refuse',
})
