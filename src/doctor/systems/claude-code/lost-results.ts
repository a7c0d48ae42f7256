import { valueAt } from '../../../core/invariant.ts'
import type { RecordReader } from '../../linked/record-reader.ts'
import type { LiveJudgement } from './judge-live.ts'
import { blocksOfRecord, type RecordTree } from './tree.ts'

/**
 * Results in the file that no link leads to, for calls that would get a placeholder: each with the last line of the
 * response that made the call. A real result is better than a placeholder.
 */
export function lostResults(
  { lines = [] }: LiveJudgement,
  order: readonly number[],
  tree: RecordTree,
  reader: RecordReader,
): ReadonlyMap<number, number[]> {
  const open = new Map<string, number>()
  for (const line of lines) if (line.kind === 'made') open.set(line.call.id, line.record)
  const found = new Map<number, number[]>()
  if (open.size === 0) return found
  const live = new Set(order)
  const lasts = lastsOfResponses(order, tree)
  for (let node = 0; node < tree.kinds.length && open.size > 0; node++) {
    if (tree.kinds[node] !== 'result' || live.has(node)) continue
    const blocks = blocksOfRecord(reader.value(node))
    const id = blocks[0]?.tool_use_id
    const call = blocks.length === 1 && typeof id === 'string' ? open.get(id) : undefined
    if (call === undefined) continue
    open.delete(id as string)
    const last = valueAt(lasts, call)
    const others = found.get(last)
    if (others) others.push(node)
    else found.set(last, [node])
  }
  return found
}

/** For each record, the last line of its response. */
function lastsOfResponses(order: readonly number[], { responses }: RecordTree): readonly number[] {
  const lasts = [...order]
  for (let at = order.length - 2; at >= 0; at--) {
    const response = responses[valueAt(order, at)] ?? -1
    if (response >= 0 && responses[valueAt(order, at + 1)] === response) lasts[at] = valueAt(lasts, at + 1)
  }
  return lasts
}
