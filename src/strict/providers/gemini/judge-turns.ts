import type { HistoryEntry } from '../../judge/entry.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { modelTurns } from './judge-fragments.ts'

/** The turns of a history: one content in Gemini's own format, and consecutive results in other formats. */
export function turnsOf(talk: HistoryEntry[], raw: RawRequest): HistoryEntry[][] {
  const isSame = raw.format === 'gemini' ? isSameContent(raw) : areResults
  const turns: HistoryEntry[][] = []
  let last: HistoryEntry | undefined
  for (const entry of talk) {
    if (last && isSame(last, entry)) turns[turns.length - 1].push(entry)
    else turns.push([entry])
    last = entry
  }
  return turns
}

function isSameContent(raw: RawRequest): (last: HistoryEntry, entry: HistoryEntry) => boolean {
  const first = new Map(modelTurns(raw).flatMap(turn => turn.map(n => [n, turn[0]])))
  const startOf = (index: number): number => first.get(index) ?? index
  return (last, entry) => startOf(last.index) === startOf(entry.index)
}

const areResults = (last: HistoryEntry, entry: HistoryEntry): boolean => last.role === 'tool' && entry.role === 'tool'
