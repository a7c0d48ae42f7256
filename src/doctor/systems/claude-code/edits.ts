import { valueAt } from '../../../core/invariant.ts'
import { keptAncestors } from '../../linked/lineages.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import type { RecordReader } from '../../linked/record-reader.ts'
import type { Splice } from '../../linked/spliced.ts'
import { endToMove } from './end-to-move.ts'
import type { Live } from './live-nodes.ts'
import type { ChainItem, ChainPlan } from './plan.ts'
import { answerTo, type Link, lossNoteRecord, withContent, withMember, withParts } from './rewrite.ts'
import { type RecordTree, rangeOf } from './tree.ts'

/**
 * The changes of the file after which the program finds the repaired chain. Lines stay in place, except the last of the
 * chain if it would not be the record that the program continues at.
 */
export function editsFor(
  plan: ChainPlan,
  { repaired, chain }: Live,
  order: readonly number[],
  tree: RecordTree,
  reader: RecordReader,
): Splice[] {
  const { items, relinked } = plan
  const splices: Splice[] = []
  const end = endToMove(plan, chain, order, tree)
  const uuids = items.map(item => uuidOf(item, tree))
  const times = timesOf(items, tree)
  let anchor: number | undefined
  const early: string[] = []
  for (const [index, item] of items.entries()) {
    const { node } = item
    const isMoved = end?.item === index
    const isRepaired = item.kind === 'kept' && repaired.has(node)
    const parent = relinked.has(index) ? (uuids[index - 1] ?? null) : isRepaired ? parentUuid(node, tree) : undefined
    if (item.kind !== 'kept') {
      const timestamp = new Date(valueAt(times, index)).toISOString()
      const link = { parentUuid: parent ?? null, uuid: valueAt(uuids, index), timestamp }
      const line = newLine(item, link, tree, reader)
      if (anchor === undefined) early.push(line)
      else
        splices.push({ at: valueAt(tree.ends, isMoved ? end.after : anchor), remove: 0, insert: tree.lineBreak + line })
      continue
    }
    anchor = node
    const isSame = parent === undefined && !item.parts && item.content === undefined && early.length === 0
    if (isSame && !isMoved) continue
    const text = reader.text(node)
    const time = valueAt(times, index)
    const isYounger = relinked.has(index) && time < valueAt(tree.times, node)
    const rewritten = rewrittenRecord(item, text, parent, isYounger ? time : undefined)
    const lines = isMoved ? early.splice(0) : [...early.splice(0), rewritten]
    const insert = lines.join(tree.lineBreak)
    const { start, end: stop } = rangeOf(node, tree)
    if (insert !== text) splices.push({ at: start, remove: stop - start, insert })
    if (isMoved) splices.push({ at: valueAt(tree.ends, end.after), remove: 0, insert: tree.lineBreak + rewritten })
  }
  const gone = new Set(order)
  for (const { kind, node } of items) if (kind === 'kept') gone.delete(node)
  return [...splices, ...relinkedOutside(repaired, order, gone, tree, reader), ...removals(gone, tree)]
}

/** A kept record with its new content, time and parent; undefined leaves them as they are. */
function rewrittenRecord(
  { content, parts }: Extract<ChainItem, { kind: 'kept' }>,
  text: string,
  parent: string | null | undefined,
  time: number | undefined,
): string {
  const rewritten = content !== undefined ? withContent(text, content) : parts ? withParts(text, parts) : text
  const timed = time === undefined ? rewritten : withMember(rewritten, 'timestamp', stampOf(time))
  return parent === undefined ? timed : withMember(timed, 'parentUuid', JSON.stringify(parent))
}

/** New links for records next to the chain whose link was repaired, or led to a removed record. */
function relinkedOutside(
  repaired: ReadonlySet<number>,
  order: readonly number[],
  gone: ReadonlySet<number>,
  tree: RecordTree,
  reader: RecordReader,
): Splice[] {
  const onChain = new Set(order)
  const keptAncestor = keptAncestors(tree.parents, gone)
  const splices: Splice[] = []
  for (const [node, parent] of tree.parents.entries())
    if (!onChain.has(node) && (repaired.has(node) || gone.has(parent)))
      splices.push(relink(node, keptAncestor(node), tree, reader))
  return splices
}

/** A repaired link next to the chain, or a link to a removed record: it leads to the parent of that record. */
function relink(node: number, parent: number, tree: RecordTree, reader: RecordReader): Splice {
  const { start, end } = rangeOf(node, tree)
  const insert = withMember(reader.text(node), 'parentUuid', JSON.stringify(tree.uuids[parent] ?? null))
  return { at: start, remove: end - start, insert }
}

const parentUuid = (node: number, { parents, uuids }: RecordTree): string | null =>
  uuids[valueAt(parents, node)] ?? null

const uuidOf = (item: ChainItem, tree: RecordTree): string => {
  const uuid = valueAt(tree.uuids, item.node)
  if (item.kind === 'kept') return uuid
  if (item.kind === 'made') return uuidFrom(uuid, item.call.id)
  return item.kind === 'copy' ? uuidFrom(uuid, 'copy', String(item.copy)) : uuidFrom(uuid, item.kind)
}

/**
 * The time of every item. The program continues at the newest record, and 2.0.1 takes the first of several equally new
 * ones. So the last item must be the only newest one: new items before it are older, one millisecond apart, and new
 * items at the end are newer than everything.
 */
function timesOf(items: readonly ChainItem[], tree: RecordTree): number[] {
  const last = items.at(-1)
  const end = last?.kind === 'kept' ? valueAt(tree.times, last.node) : Number.POSITIVE_INFINITY
  const newest = tree.times.reduce((latest, time) => Math.max(latest, time), 0)
  let front = 0
  return items.map(item => {
    const own = valueAt(tree.times, item.node)
    const wanted = item.kind === 'kept' || item.kind === 'copy' ? own : Math.max(front, own) + 1
    if (item === last) return item.kind === 'kept' ? own : Math.max(wanted, newest + 1)
    front = end > 0 ? Math.min(wanted, end - 1) : wanted
    return front
  })
}

const stampOf = (time: number): string => JSON.stringify(new Date(time).toISOString())

/** The text of a new record. */
function newLine(
  item: Exclude<ChainItem, { kind: 'kept' }>,
  link: Link,
  tree: RecordTree,
  reader: RecordReader,
): string {
  if (item.kind === 'copy') {
    const copy = withParts(reader.text(item.node), item.parts)
    const linked = withMember(copy, 'parentUuid', JSON.stringify(link.parentUuid))
    const named = withMember(linked, 'uuid', JSON.stringify(link.uuid))
    const isSame = Date.parse(link.timestamp) === tree.times[item.node]
    return isSame ? named : withMember(named, 'timestamp', JSON.stringify(link.timestamp))
  }
  const record = reader.value(item.node)
  return item.kind === 'made' ? answerTo(record, item.result, link) : lossNoteRecord(item.kind, record, link)
}

/** Records that are not part of the repaired chain are removed, with earlier lines that have their uuid. */
function removals(gone: ReadonlySet<number>, tree: RecordTree): Splice[] {
  return [...gone]
    .flatMap(node => [rangeOf(node, tree), ...(tree.older.get(node) ?? [])])
    .map(({ start, end }) => ({ at: start, remove: end - start, insert: '' }))
}
