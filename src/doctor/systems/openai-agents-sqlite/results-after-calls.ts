import { isRecord } from '../../../core/conversation.ts'

/**
 * The order of repaired items in which new or moved results directly follow the last call of their step, before the
 * assistant's further text. Results that already followed such text stay there: the API accepts both.
 */
export function resultsAfterCalls(items: readonly unknown[], origins: readonly (number | undefined)[]): number[] {
  const order: number[] = []
  let afterCall = -1
  for (let index = 0; index < items.length; ) {
    const item = items[index]
    if (!isOfCall(item, '_output')) {
      order.push(index++)
      if (isOfCall(item, '_call')) afterCall = order.length
      else if (!isAssistantItem(item)) afterCall = -1
      continue
    }
    const stood = (origins[index - 1] ?? Number.NaN) + 1
    const results: number[] = []
    for (; isOfCall(items[index], '_output'); index++) results.push(index)
    const isMoved = afterCall >= 0 && !results.some(result => origins[result] === stood)
    const words = isMoved ? order.splice(afterCall) : []
    for (const place of [...results, ...words]) order.push(place)
    afterCall = -1
  }
  return order
}

const isOfCall = (item: unknown, ending: string): boolean =>
  isRecord(item) && 'call_id' in item && typeof item.type === 'string' && item.type.endsWith(ending)

/** Whether an item is from the assistant: its text, its reasoning, or a call of a tool that the provider runs. */
const isAssistantItem = (item: unknown): boolean =>
  isRecord(item) && (item.role === 'assistant' || (item.role === undefined && !aside.has(item.type)))

const aside: ReadonlySet<unknown> = new Set(['compaction', 'item_reference', 'mcp_approval_response'])
