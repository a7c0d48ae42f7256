import type { HistoryEntry } from '../../judge/entry.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { modelTurns } from './judge-fragments.ts'

/** The entries of a turn, at least one. */
export type EntriesOfTurn = [HistoryEntry, ...HistoryEntry[]]

/** The turns of a history: one content in Gemini's own format, and consecutive results in other formats. */
export function turnsOf(talk: HistoryEntry[], raw: RawRequest): EntriesOfTurn[] {
  const isSame = raw.format === 'gemini' ? isSameContent(raw) : areResults
  const turns: EntriesOfTurn[] = []
  let turn: EntriesOfTurn | undefined
  for (const entry of talk) {
    const last = turn?.at(-1)
    if (turn && last && isSame(last, entry)) turn.push(entry)
    else {
      turn = [entry]
      turns.push(turn)
    }
  }
  return turns
}

function isSameContent(raw: RawRequest): (last: HistoryEntry, entry: HistoryEntry) => boolean {
  const first = new Map(modelTurns(raw).flatMap(turn => turn.map(n => [n, turn[0]])))
  const startOf = (index: number): number => first.get(index) ?? index
  return (last, entry) => startOf(last.index) === startOf(entry.index)
}

const areResults = (last: HistoryEntry, entry: HistoryEntry): boolean => last.role === 'tool' && entry.role === 'tool'
