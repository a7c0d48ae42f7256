import { countWhile, type HistorySummary, seqOf, type ThreadItem } from '../branches/thread-item.ts'
import type { ThreadState } from '../fold.ts'

type Compacted = Pick<ThreadState, 'items' | 'isCompacted'>

/** The current summary: the last one on this branch that was not undone. */
export function summaryOf({ items, isCompacted }: Compacted): HistorySummary | undefined {
  if (!isCompacted) return undefined
  const undone = new Set<number>()
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind === 'expand') undone.add(item.summary)
    else if (item?.kind === 'summary' && !undone.has(item.seq)) return item
  }
  return undefined
}

/** The items that a model is shown: the current summary replaces the items that it covers. */
export function shownItems(state: Compacted): readonly ThreadItem[] {
  const { items, isCompacted } = state
  if (!isCompacted) return items
  const summary = summaryOf(state)
  const rest = items.slice(summary ? countUpTo(items, summary.upTo) : 0).filter(isHistoryItem)
  return summary ? [summary, ...rest] : rest
}

/** The number of items up to a position. */
export const countUpTo = (items: readonly ThreadItem[], upTo: number): number =>
  countWhile(items, item => seqOf(item) <= upTo)

/** Whether the item is part of the history, and not a summary or its undoing. */
export const isHistoryItem = ({ kind }: ThreadItem): boolean => kind !== 'summary' && kind !== 'expand'
