import type { JsonObject } from '../../json.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { geminiParts } from './history.ts'

/** Whether the content before `n` is a fragment of the same turn, because this server streamed them so. */
function isFragment({ messages, state }: RawRequest, n: number): boolean {
  const before = messages[n - 1]
  const after = messages[n]
  return before !== undefined && after !== undefined && state?.fragments.areOneTurn(before, after) === true
}

/** The indexes of the contents of each model turn, at least one for each. */
export function modelTurns(raw: RawRequest): [number, ...number[]][] {
  const turns: [number, ...number[]][] = []
  for (const [n, { role }] of raw.messages.entries()) {
    if (role !== 'model') continue
    const last = turns.at(-1)
    if (last?.at(-1) === n - 1 && isFragment(raw, n)) last.push(n)
    else turns.push([n])
  }
  return turns
}

/** Empty texts of fragments, with which streams end. */
export const silentEnds = (raw: RawRequest): Set<JsonObject> =>
  new Set(
    modelTurns(raw)
      .filter(({ length }) => length > 1)
      .flatMap(turn => turn.flatMap(n => geminiParts(raw.messages[n] ?? {})))
      .filter(({ text }) => text === ''),
  )
