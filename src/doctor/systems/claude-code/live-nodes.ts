import { valueAt } from '../../../core/invariant.ts'
import { keptAncestors, Lineages } from '../../linked/lineages.ts'
import { type Preserved, preserve } from './preserved.ts'
import { lost, type RecordTree, root } from './tree.ts'

/** The records that the program sends, in order, and the links that had to be repaired to reach them. */
export interface Live {
  readonly order: readonly number[]
  /** Those that links lead to; the others are attached next to them. */
  readonly chain: ReadonlySet<number>
  /** The sent nodes whose link led nowhere or into a cycle. The tree has their new parents. */
  readonly repaired: ReadonlySet<number>
  readonly leaf?: number
  readonly preserved?: Preserved
}

/**
 * Follows the links from the newest leaf, or from where the user went back to, and adds what is attached next to the chain: lines of a response of which
 * another line is on the chain, and results that follow those.
 */
export function liveNodes(tree: RecordTree): Live {
  const relinked = breakCycles(tree)
  const preserved = preserve(tree.kept, tree.parents)
  const leaf = tree.rewoundTo === undefined ? newestLeaf(tree) : rewoundLeaf(tree.rewoundTo, tree)
  if (leaf === undefined) return { order: [], chain: new Set(), repaired: relinked }
  const chain = new Set<number>()
  const lineages = new Lineages(tree.parents)
  for (let node = leaf; node !== root; ) {
    chain.add(node)
    if (tree.parents[node] === lost && relinkToPrevious(node, tree, lineages)) {
      relinked.add(node)
      if (preserved && tree.parents[node] === preserved.anchor) tree.parents[node] = preserved.last
      lineages.link(node, valueAt(tree.parents, node))
    }
    node = Math.max(valueAt(tree.parents, node), root)
  }
  if (tree.rewoundTo === undefined)
    for (const node of newerWithoutContent(leaf, tree)) {
      tree.parents[node] = leaf
      relinked.add(node)
    }
  const order = withSiblings([...chain].reverse(), chain, tree)
  return { order, chain, repaired: relinked, leaf, ...(preserved && { preserved }) }
}

/**
 * Records without content that are newer than the leaf and name a parent that is not in the file. Claude Code 2.0.1 always
 * takes the newest record as the leaf, and would find nothing before it.
 */
const newerWithoutContent = (leaf: number, { parents, kinds, times }: RecordTree): number[] =>
  [...parents.keys()].filter(
    node => parents[node] === lost && kinds[node] === 'other' && valueAt(times, node) > valueAt(times, leaf),
  )

/**
 * Gives a record the previous record in the file as parent, unless that is its descendant: it most likely followed that
 * one.
 */
function relinkToPrevious(node: number, { parents, kinds }: RecordTree, lineages: Lineages): boolean {
  const other = kinds[node] === 'boundary' ? root : lineages.previous(node)
  if (other < 0) return false
  parents[node] = other
  lineages.link(node, other)
  return true
}

/** In a cycle, the link that leads forward in the file is wrong. Returns the nodes whose links were repaired. */
function breakCycles(tree: RecordTree): Set<number> {
  const { parents } = tree
  const relinked = new Set<number>()
  const lineages = new Lineages(parents)
  const seenBy = new Int32Array(parents.length).fill(-1)
  for (let start = 0; start < parents.length; start++) {
    let node = start
    while (node >= 0 && seenBy[node] === -1) {
      seenBy[node] = start
      node = valueAt(parents, node)
    }
    if (node < 0 || seenBy[node] !== start) continue
    const cycle = new Set<number>()
    for (let next = node; !cycle.has(next); next = valueAt(parents, next)) cycle.add(next)
    const first = earliest([...cycle].filter(member => valueAt(parents, member) >= member))
    parents[first] = root
    relinkToPrevious(first, tree, lineages)
    relinked.add(first)
  }
  return relinked
}

const earliest = (nodes: readonly number[]): number => nodes.reduce((first, node) => Math.min(first, node))

/** Of all leaf nodes, or the last nodes with content before them, the one with the latest time stamp. */
export function newestLeaf({
  parents,
  kinds,
  times,
}: Pick<RecordTree, 'parents' | 'kinds' | 'times'>): number | undefined {
  const isFollowed = new Uint8Array(parents.length)
  for (const parent of parents) if (parent >= 0) isFollowed[parent] = 1
  const withoutContent = new Set<number>()
  for (const [node, kind] of kinds.entries()) if (!hasContent(kind)) withoutContent.add(node)
  const ancestorWithContent = keptAncestors(parents, withoutContent)
  let newest: number | undefined
  for (let tip = 0; tip < parents.length; tip++) {
    if (isFollowed[tip]) continue
    const node = withoutContent.has(tip) ? ancestorWithContent(tip) : tip
    if (node >= 0 && (newest === undefined || valueAt(times, node) >= valueAt(times, newest))) newest = node
  }
  return newest
}

/** The last record with content before a place that the user went back to; undefined if there is none. */
function rewoundLeaf(place: number, { parents, kinds }: RecordTree): number | undefined {
  const withoutContent = new Set<number>()
  for (const [node, kind] of kinds.entries()) if (!hasContent(kind)) withoutContent.add(node)
  const node = place >= 0 && withoutContent.has(place) ? keptAncestors(parents, withoutContent)(place) : place
  return node < 0 ? undefined : node
}

const hasContent = (kind: string | undefined): boolean => kind === 'user' || kind === 'result' || kind === 'assistant'

function withSiblings(chain: readonly number[], onChain: ReadonlySet<number>, tree: RecordTree): number[] {
  const { responses, parents, kinds } = tree
  const lastOf = new Map<number, number>()
  for (const node of chain) {
    const response = valueAt(responses, node)
    if (response >= 0) lastOf.set(response, node)
  }
  const later = new Map<number, { calls: number[]; results: number[] }>()
  for (let node = 0; node < parents.length; node++) {
    if (onChain.has(node)) continue
    const parent = valueAt(parents, node)
    const isResult = kinds[node] === 'result' && parent >= 0
    const last = lastOf.get(valueAt(responses, isResult ? parent : node))
    if (last === undefined) continue
    const missed = later.get(last) ?? { calls: [], results: [] }
    ;(isResult ? missed.results : missed.calls).push(node)
    later.set(last, missed)
  }
  return chain.flatMap(node => {
    const missed = later.get(node)
    return missed ? [node, ...missed.calls, ...missed.results] : [node]
  })
}
