import { valueAt } from '../../core/invariant.ts'
import type { RecordFields } from '../record-format.ts'
import { Lineages } from './lineages.ts'
import type { LinkedFormat } from './linked-format.ts'
import { type LinkedTree, lost, root } from './linked-tree.ts'

/** The records that the program reads, in order. */
export interface LivePath {
  readonly order: readonly number[]
  /** The nodes on it whose link leads nowhere. The tree has their new parents. */
  readonly repaired: ReadonlySet<number>
  /** The parents as they are written in the file. */
  readonly links: readonly number[]
}

/** Follows the links from the record that the program continues from. */
export function livePath(tree: LinkedTree, format: LinkedFormat, value: (node: number) => RecordFields): LivePath {
  const links = [...tree.parents]
  const { parents } = tree
  const repaired = new Set<number>()
  if (format.isList) {
    const order = [...tree.ids.keys()]
    for (const node of order) {
      if (format.keys.parent !== undefined && parents[node] !== node - 1) repaired.add(node)
      parents[node] = node - 1
    }
    return { order, repaired, links }
  }
  const path = new Set<number>()
  const lineages = new Lineages(parents)
  const leaf = format.leaf ? format.leaf(tree, value) : tree.ids.length - 1
  for (let node = leaf; node !== root; node = valueAt(parents, node)) {
    path.add(node)
    const parent = valueAt(parents, node)
    if (parent !== lost && !path.has(parent)) continue
    parents[node] = lineages.previous(node)
    lineages.link(node, valueAt(parents, node))
    if (parent !== lost || !format.followsLost) repaired.add(node)
    else links[node] = valueAt(parents, node)
  }
  return { order: [...path].reverse(), repaired, links }
}
