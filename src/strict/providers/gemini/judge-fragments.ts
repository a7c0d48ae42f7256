import type { JsonObject } from '../../json.ts'
import type { Wire } from '../../judge/validator.ts'
import { partsOf } from './history.ts'

/** Whether the content before `n` is a fragment of the same turn: this server has streamed them so. */
const isFragment = ({ messages, state }: Wire, n: number): boolean =>
  state?.fragments.areOneTurn(messages[n - 1], messages[n]) === true

/** Where the contents of each turn of the model stand. */
export function modelTurns(wire: Wire): number[][] {
  const turns: number[][] = []
  for (const [n, { role }] of wire.messages.entries()) {
    if (role !== 'model') continue
    const last = turns.at(-1)
    if (last?.at(-1) === n - 1 && isFragment(wire, n)) last.push(n)
    else turns.push([n])
  }
  return turns
}

/** The empty texts of fragments, with which streams end. */
export const silentEnds = (wire: Wire): Set<JsonObject> =>
  new Set(
    modelTurns(wire)
      .filter(({ length }) => length > 1)
      .flatMap(turn => turn.flatMap(n => partsOf(wire.messages[n])))
      .filter(({ text }) => text === ''),
  )
