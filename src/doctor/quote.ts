import type { Dialect } from '../core/dialect.ts'
import { type DialectId, dialects } from '../core/dialects/index.ts'
import type { Repair } from '../core/rules/repair.ts'

/** A repair with the error message of a provider for this defect, where the list itself names no provider. */
export function quote(repair: Repair, provider: DialectId): Repair {
  const words = (withoutPlaces(dialects[provider]).refusals as Words)[repair.rule]
  if (repair.refusal !== undefined || words === undefined) return repair
  const refusal = words.replaceAll('{id}', repair.callId ?? '{id}')
  return refusal.includes('{') ? repair : { ...repair, refusal }
}

type Words = Readonly<Record<string, string | undefined>>

/**
 * A dialect whose error messages name no place in a request: records of a store are not messages of the request, so the
 * numbers would be wrong. A message that makes no sense without a place is left out.
 */
export function withoutPlaces(dialect: Dialect): Dialect {
  const known = placeless.get(dialect)
  if (known) return known
  const refusals = Object.entries(dialect.refusals as Words).flatMap(([rule, words = '']) => {
    const rest = words.replace(/^messages\.\{n\}[\w.{}]*: /, '')
    return /\{[nk](\+1)?\}/.test(rest) ? [] : [[rule, rest]]
  })
  const made: Dialect = { ...dialect, refusals: Object.fromEntries(refusals) }
  placeless.set(dialect, made)
  return made
}

const placeless = new WeakMap<Dialect, Dialect>()

/**
 * A misplaced system message is rejected by the templates of local servers; a report quotes them if its dialect has no
 * message for it.
 */
export function withTemplateQuotes(repair: Repair): Repair {
  const refusal = repair.rule === 'system-not-first' ? dialects['qwen-template'].refusals[repair.rule] : undefined
  return repair.refusal === undefined && refusal !== undefined ? { ...repair, refusal } : repair
}
