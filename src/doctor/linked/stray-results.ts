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
  const inserted = new Map<number, number[][]>()
  const areSent = new Map<number, boolean>()
  const isTool = (node: number): boolean => {
    const known = areSent.get(node) ?? contents(node).every(({ role }) => role === 'tool')
    areSent.set(node, known)
    return known
  }
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
    const side = sideOf(node, call, onPath, tree, isTool) ?? (followed.has(node) ? undefined : [node])
    if (!side) continue
    open.delete(part.id)
    found.add(node)
    const parent = valueAt(tree.parents, valueAt(side, 0))
    const after = side.length === 1 && !onPath.has(parent) ? call : parent
    const sides = inserted.get(after)
    if (sides) sides.push(side)
    else inserted.set(after, [side])
    for (const one of side) onPath.add(one)
  }
  return { order: withSides(order, inserted), found }
}

/** Every side follows its record, the one that was found last first. A side may itself have others. */
function withSides(order: readonly number[], inserted: ReadonlyMap<number, readonly (readonly number[])[]>): number[] {
  const whole: number[] = []
  const rest = order.toReversed()
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    whole.push(node)
    for (const side of inserted.get(node) ?? []) for (const one of side.toReversed()) rest.push(one)
  }
  return whole
}

/** The records from the path to a result, if they begin at its call and hold nothing else that is sent. */
function sideOf(
  node: number,
  call: number,
  onPath: ReadonlySet<number>,
  { parents }: LinkedTree,
  isTool: (node: number) => boolean,
): number[] | undefined {
  const side = [node]
  let at = valueAt(parents, node)
  while (at > root && !onPath.has(at)) {
    if (side.length > sideMax || !isTool(at)) return undefined
    side.push(at)
    at = valueAt(parents, at)
  }
  return at >= call ? side.reverse() : undefined
}

const sideMax = 1_000
