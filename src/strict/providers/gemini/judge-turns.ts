import type { Entry } from '../../judge/entry.ts'
import type { Wire } from '../../judge/validator.ts'
import { modelTurns } from './judge-fragments.ts'

/** The turns of a conversation: what stands in one content at home, and elsewhere the results that follow each other. */
export function turnsOf(talk: Entry[], wire: Wire): Entry[][] {
  const isSame = wire.format === 'gemini' ? isSameContent(wire) : areResults
  const turns: Entry[][] = []
  let last: Entry | undefined
  for (const entry of talk) {
    if (last && isSame(last, entry)) turns[turns.length - 1].push(entry)
    else turns.push([entry])
    last = entry
  }
  return turns
}

function isSameContent(wire: Wire): (last: Entry, entry: Entry) => boolean {
  const first = new Map(modelTurns(wire).flatMap(turn => turn.map(n => [n, turn[0]])))
  const startOf = (index: number): number => first.get(index) ?? index
  return (last, entry) => startOf(last.index) === startOf(entry.index)
}

const areResults = (last: Entry, entry: Entry): boolean => last.role === 'tool' && entry.role === 'tool'
