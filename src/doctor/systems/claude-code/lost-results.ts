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
  for (let node = 0; node < tree.kinds.length && open.size > 0; node++) {
    if (tree.kinds[node] !== 'result' || live.has(node)) continue
    const blocks = blocksOfRecord(reader.value(node))
    const id = blocks[0]?.tool_use_id
    const call = blocks.length === 1 && typeof id === 'string' ? open.get(id) : undefined
    if (call === undefined) continue
    open.delete(id as string)
    const last = lastOfResponse(call, order, tree)
    found.set(last, [...(found.get(last) ?? []), node])
  }
  return found
}

function lastOfResponse(record: number, order: readonly number[], { responses }: RecordTree): number {
  const responseOf = (at: number): number => responses[order[at] ?? -1] ?? -1
  let last = record
  while (responseOf(last) >= 0 && responseOf(last + 1) === responseOf(last)) last++
  return valueAt(order, last)
}
