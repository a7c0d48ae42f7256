import type { JsonObject } from '../../json.ts'
import { partsOf } from '../readers/gemini.ts'
import type { Wire } from '../validator.ts'

/**
 * Google's own client sends a streamed answer back in the contents in which it came, so to a server neighbours of the
 * model are fragments of one turn. A bare history is judged as it stands, to be on the safe side.
 */
export const hasFragments = ({ state }: Wire): boolean => state !== undefined

/** Where the contents of each turn of the model stand. */
export function modelTurns(wire: Wire): number[][] {
  const turns: number[][] = []
  for (const [n, { role }] of wire.messages.entries()) {
    if (role !== 'model') continue
    const last = turns.at(-1)
    if (last?.at(-1) === n - 1 && hasFragments(wire)) last.push(n)
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
