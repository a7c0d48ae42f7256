import type { Entry } from '../entry.ts'
import type { Wire } from '../validator.ts'
import { hasFragments } from './gemini-fragments.ts'

/** The turns of a conversation: what stands in one content at home, and elsewhere the results that follow each other. */
export function turnsOf(talk: Entry[], wire: Wire): Entry[][] {
  const isSame = wire.format === 'gemini' ? isSameContent(hasFragments(wire)) : areResults
  const turns: Entry[][] = []
  let last: Entry | undefined
  for (const entry of talk) {
    if (last && isSame(last, entry)) turns[turns.length - 1].push(entry)
    else turns.push([entry])
    last = entry
  }
  return turns
}

const isSameContent = (joins: boolean) => (last: Entry, entry: Entry) =>
  last.index === entry.index || (joins && last.role === 'assistant' && entry.role === 'assistant')

const areResults = (last: Entry, entry: Entry): boolean => last.role === 'tool' && entry.role === 'tool'
