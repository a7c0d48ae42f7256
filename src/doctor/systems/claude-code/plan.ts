import type { CallPart, Part, ResultPart } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { ArrangedRecord } from '../../arrange.ts'
import { type Live, newestLeaf } from './live-nodes.ts'
import { type RecordTree, root } from './tree.ts'

/** A record of the repaired chain: one of the file, or a new one. */
export type ChainItem =
  /** `content` is the new content of its message, as JSON. */
  | { readonly kind: 'kept'; readonly node: number; readonly parts?: readonly Part[]; readonly content?: string }
  | { readonly kind: 'copy'; readonly node: number; readonly parts: readonly Part[]; readonly copy: number }
  | { readonly kind: 'made'; readonly node: number; readonly call: CallPart; readonly result: ResultPart }
  /**
   * Text before an assistant message that would come first, or at the end, where the program would continue elsewhere.
   */
  | { readonly kind: 'opening' | 'closing'; readonly node: number }

/** The repaired chain, and which of its items get a new parent: always the previous item. */
export interface ChainPlan {
  readonly items: readonly ChainItem[]
  readonly relinked: ReadonlySet<number>
}

export const chainItems = (lines: readonly ArrangedRecord[], order: readonly number[]): ChainItem[] =>
  lines.map(line => {
    const node = valueAt(order, line.record)
    if (line.kind === 'kept') return { kind: 'kept', node }
    if (line.kind === 'made') return { kind: 'made', node, call: line.call, result: line.result }
    if (line.copy > 0) return { kind: 'copy', node, parts: line.parts, copy: line.copy }
    return { kind: 'kept', node, parts: line.parts }
  })

/**
 * Which links change so that the program finds the items in this order. An item whose previous neighbour changed, or
 * whose parent is removed, is linked to its neighbour; so are the items around it, until one of the chain is already
 * linked to its neighbour: what was attached next to the chain becomes part of it, which every version of the program
 * reads.
 */
export function planLinks(
  items: readonly ChainItem[],
  order: readonly number[],
  { chain }: Live,
  tree: RecordTree,
  moved: ReadonlySet<number>,
): ChainPlan {
  const gone = new Set(order)
  for (const { kind, node } of items) if (kind === 'kept') gone.delete(node)
  const stays = order.filter(node => !gone.has(node))
  const before = new Map(stays.map((node, index) => [node, stays[index - 1] ?? root]))
  const inFront = (index: number): number | undefined => {
    const front = items[index - 1]
    return front === undefined ? root : front.kind === 'kept' ? front.node : undefined
  }
  const isSettled = (index: number): boolean => {
    const { kind, node } = valueAt(items, index)
    const front = inFront(index)
    if (kind !== 'kept' || front === undefined || !chain.has(node)) return false
    const parent = valueAt(tree.parents, node)
    return front === root ? parent < 0 : parent === front
  }
  const isTouched = (index: number): boolean => {
    const { kind, node } = valueAt(items, index)
    const front = inFront(index)
    if (kind !== 'kept' || front === undefined || front !== before.get(node)) return true
    return moved.has(node) || moved.has(front) || gone.has(valueAt(tree.parents, node))
  }
  const relinked = new Set<number>()
  for (const index of items.keys()) {
    if (!isTouched(index) || relinked.has(index)) continue
    relinked.add(index)
    for (let at = index - 1; at >= 0 && !isSettled(at) && !relinked.has(at); at--) relinked.add(at)
    for (let at = index + 1; at < items.length && !isSettled(at); at++) relinked.add(at)
  }
  return { items, relinked }
}

/**
 * Text at the end, without which the program would not find the repaired chain: the newest record is removed, or a
 * record of another branch would be the newest leaf.
 */
export function closingFor({ items, relinked }: ChainPlan, order: readonly number[], tree: RecordTree): ChainItem[] {
  if (tree.rewoundTo !== undefined) return []
  const stays = new Set(items.flatMap(({ kind, node }) => (kind === 'kept' ? [node] : [])))
  const parents = [...tree.parents]
  const kinds = [...tree.kinds]
  for (const node of order) if (!stays.has(node)) kinds[node] = 'other'
  let front = root
  for (const [index, { kind, node }] of items.entries()) {
    if (kind !== 'kept') continue
    if (relinked.has(index)) parents[node] = front
    front = node
  }
  const leaf = newestLeaf({ parents, kinds, times: tree.times })
  return leaf === undefined || stays.has(leaf) ? [] : [{ kind: 'closing', node: leaf }]
}

/**
 * Whether the program would continue elsewhere after a repair although the user went back to a record: that record is
 * removed, or what was before it now follows it.
 */
export function losesRewind(
  items: readonly ChainItem[],
  order: readonly number[],
  { leaf }: Live,
  { rewoundTo }: RecordTree,
): boolean {
  if (rewoundTo === undefined || leaf === undefined) return false
  const end = items.findIndex(({ kind, node }) => kind === 'kept' && node === leaf)
  const before = new Set(order.slice(0, order.indexOf(leaf)))
  return end < 0 || items.slice(end + 1).some(({ kind, node }) => kind === 'kept' && before.has(node))
}
