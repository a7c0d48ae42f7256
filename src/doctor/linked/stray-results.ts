import { valueAt } from '../../core/invariant.ts'
import type { ArrangedRecord } from '../arrange.ts'
import type { RecordContent } from '../record-format.ts'
import { type LinkedTree, root } from './linked-tree.ts'

/**
 * A path with the real results that are next to it, for calls that would get a placeholder: two processes wrote to the
 * file, and the later one did not know the result. `contents` reads any record. The results found are in `found`.
 */
export function withStrayResults(
  order: readonly number[],
  lines: readonly ArrangedRecord[] = [],
  tree: LinkedTree,
  contents: (node: number) => readonly RecordContent[],
): { readonly order: readonly number[]; readonly found: ReadonlySet<number> } {
  const open = new Map<string, number>()
  for (const line of lines) if (line.kind === 'made') open.set(line.call.id, valueAt(order, line.record))
  const found = new Set<number>()
  if (open.size === 0) return { order, found }
  let path = order
  const onPath = new Set(order)
  const followed = new Set(tree.parents)
  for (const node of tree.ids.keys()) {
    if (open.size === 0) break
    if (onPath.has(node)) continue
    const [only, ...more] = contents(node)
    const part = only?.parts[0]
    if (only?.role !== 'tool' || more.length > 0 || only.parts.length !== 1 || part?.kind !== 'result') continue
    const call = open.get(part.id)
    if (call === undefined) continue
    const side = sideOf(node, call, onPath, tree, contents) ?? (followed.has(node) ? undefined : [node])
    if (!side) continue
    open.delete(part.id)
    found.add(node)
    const parent = valueAt(tree.parents, valueAt(side, 0))
    const after = side.length === 1 && !onPath.has(parent) ? call : parent
    path = path.toSpliced(path.indexOf(after) + 1, 0, ...side)
    for (const one of side) onPath.add(one)
  }
  return { order: path, found }
}

/** The records from the path to a result, if they begin at its call and hold nothing else that is sent. */
function sideOf(
  node: number,
  call: number,
  onPath: ReadonlySet<number>,
  { parents }: LinkedTree,
  contents: (node: number) => readonly RecordContent[],
): number[] | undefined {
  const side = [node]
  let at = valueAt(parents, node)
  while (at > root && !onPath.has(at)) {
    if (side.length > sideMax || contents(at).some(({ role }) => role !== 'tool')) return undefined
    side.unshift(at)
    at = valueAt(parents, at)
  }
  return at >= call ? side : undefined
}

const sideMax = 1_000
