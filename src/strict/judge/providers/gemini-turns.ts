import type { Entry } from '../entry.ts'

/** The turns of a conversation: what stands in one content at home, and elsewhere the results that follow each other. */
export function turnsOf(talk: Entry[], isHome: boolean): Entry[][] {
  const turns: Entry[][] = []
  let last: Entry | undefined
  for (const entry of talk) {
    const isSame = isHome ? last?.index === entry.index : last?.role === 'tool' && entry.role === 'tool'
    if (isSame) turns[turns.length - 1].push(entry)
    else turns.push([entry])
    last = entry
  }
  return turns
}
