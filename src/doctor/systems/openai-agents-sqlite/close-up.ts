import { isRecord } from '../../../core/conversation.ts'

/**
 * The order of healed items in which results that are new or had to move stand directly behind the last call of their step,
 * in front of what the assistant went on to say. Results that had stood behind such words stay there: the API takes both.
 */
export function closedUp(items: readonly unknown[], origins: readonly (number | undefined)[]): number[] {
  const order: number[] = []
  let behindCall = -1
  for (let index = 0; index < items.length; ) {
    const item = items[index]
    if (!isOfCall(item, '_output')) {
      order.push(index++)
      if (isOfCall(item, '_call')) behindCall = order.length
      else if (!isSaid(item)) behindCall = -1
      continue
    }
    const stood = (origins[index - 1] ?? Number.NaN) + 1
    const results: number[] = []
    for (; isOfCall(items[index], '_output'); index++) results.push(index)
    const isMoved = behindCall >= 0 && !results.some(result => origins[result] === stood)
    const words = isMoved ? order.splice(behindCall) : []
    for (const place of [...results, ...words]) order.push(place)
    behindCall = -1
  }
  return order
}

const isOfCall = (item: unknown, ending: string): boolean =>
  isRecord(item) && 'call_id' in item && typeof item.type === 'string' && item.type.endsWith(ending)

/** Whether an item is of the assistant: its words, its reasoning, or a call of a tool that the provider runs. */
const isSaid = (item: unknown): boolean =>
  isRecord(item) && (item.role === 'assistant' || (item.role === undefined && !aside.has(item.type)))

const aside: ReadonlySet<unknown> = new Set(['compaction', 'item_reference', 'mcp_approval_response'])
