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
