import { type FoundHistory, findHistories, isBody, isHistory, withoutLeftOut } from './find-histories.ts'
import type { LeftOut } from './left-out.ts'
import type { Literal } from './read-literal.ts'

export const historiesIn = (value: unknown, parse: (json: string) => unknown): FoundHistory[] =>
  isBody(value) || isHistory(value) ? [{ value, at: '', path: [] }] : findHistories(value, parse)

export interface Inside {
  readonly found: readonly FoundHistory[]
  readonly missing?: LeftOut
  readonly fields: readonly string[]
}

/** The histories in a value, without fields that the text leaves out. `missing` is a left-out part without which a history is not complete. */
export function literalHistories(
  { value, leftOut }: Pick<Literal, 'value' | 'leftOut'>,
  parse: (json: string) => unknown,
): Inside {
  const found = historiesIn(value, parse)
  if (leftOut === undefined) return { found, fields: [] }
  const whole = found.map(withoutLeftOut)
  const kept = whole.flatMap(({ history }) => history ?? [])
  const fields = [...new Set(whole.flatMap(one => one.fields))]
  const missing = (whole.find(({ history }) => history === undefined) ?? whole.find(({ first }) => first))?.first
  if (missing !== undefined) return { found: kept, missing, fields }
  return kept.length > 0 ? { found: kept, fields } : { found: kept, missing: leftOut, fields }
}
