import type { Live } from './live-nodes.ts'
import type { Item, Plan } from './plan.ts'
import type { RecordReader } from './record-reader.ts'
import { answerTo, uuidFrom, withMember, withParts, wordsFor } from './rewrite.ts'
import type { Tree } from './tree.ts'

/** Bytes of a file that go, and what comes in their place. */
export interface Splice {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

/** What changes in the file so that the program finds the healed chain. Lines stay where they stand. */
export function editsFor(
  { items, relinked }: Plan,
  { mended }: Live,
  order: readonly number[],
  tree: Tree,
  reader: RecordReader,
): Splice[] {
  const splices: Splice[] = []
  const uuids = items.map(item => uuidOf(item, tree))
  let anchor: number | undefined
  const early: string[] = []
  for (const [index, item] of items.entries()) {
    const { node } = item
    const isMended = item.kind === 'kept' && mended.has(node)
    const parent = relinked.has(index) ? (uuids[index - 1] ?? null) : isMended ? parentUuid(node, tree) : undefined
    if (item.kind !== 'kept') {
      const line = newLine(item, { parentUuid: parent ?? null, uuid: uuids[index] }, anchor ?? node, tree, reader)
      if (anchor === undefined) early.push(line)
      else splices.push({ at: tree.ends[anchor], remove: 0, insert: tree.lineBreak + line })
      continue
    }
    anchor = node
    if (parent === undefined && !item.parts && early.length === 0) continue
    const text = reader.text(node)
    const rewritten = item.parts ? withParts(text, item.parts) : text
    const linked = parent === undefined ? rewritten : withMember(rewritten, 'parentUuid', JSON.stringify(parent))
    const front = early
      .splice(0)
      .map(line => line + tree.lineBreak)
      .join('')
    if (front !== '' || linked !== text) {
      const [at, end] = [tree.starts[node], tree.ends[node]]
      splices.push({ at, remove: end - at, insert: front + linked })
    }
  }
  const done = new Set(order)
  for (const node of mended) if (!done.has(node)) splices.push(relink(node, tree, reader))
  return [...splices, ...removals(items, order, tree)]
}

/** A link that was mended beside the chain. */
function relink(node: number, tree: Tree, reader: RecordReader): Splice {
  const [at, end] = [tree.starts[node], tree.ends[node]]
  const insert = withMember(reader.text(node), 'parentUuid', JSON.stringify(parentUuid(node, tree)))
  return { at, remove: end - at, insert }
}

const parentUuid = (node: number, { parents, uuids }: Tree): string | null => uuids[parents[node]] ?? null

const uuidOf = (item: Item, tree: Tree): string => {
  const uuid = tree.uuids[item.node]
  if (item.kind === 'kept') return uuid
  if (item.kind === 'made') return uuidFrom(uuid, item.call.id)
  return item.kind === 'copy' ? uuidFrom(uuid, 'copy', String(item.copy)) : uuidFrom(uuid, item.kind)
}

/** The text of a record that is new. Its time is right behind that of the record in front, which the newest leaf is told by. */
function newLine(
  item: Exclude<Item, { kind: 'kept' }>,
  link: { parentUuid: string | null; uuid: string },
  front: number,
  tree: Tree,
  reader: RecordReader,
): string {
  if (item.kind === 'copy') {
    const copy = withParts(reader.text(item.node), item.parts)
    const linked = withMember(copy, 'parentUuid', JSON.stringify(link.parentUuid))
    return withMember(linked, 'uuid', JSON.stringify(link.uuid))
  }
  const record = reader.value(item.node)
  const timestamp = new Date(Math.max(tree.times[front], tree.times[item.node]) + 1).toISOString()
  const whole = { ...link, timestamp }
  return item.kind === 'made' ? answerTo(record, item.result, whole) : wordsFor(item.kind, record, whole)
}

/** Records that are no part of the healed chain go, with earlier lines that have their uuid. */
function removals(items: readonly Item[], order: readonly number[], tree: Tree): Splice[] {
  const kept = new Set(items.flatMap(({ kind, node }) => (kind === 'kept' ? [node] : [])))
  return order
    .filter(node => !kept.has(node))
    .flatMap(node => [{ start: tree.starts[node], end: tree.ends[node] }, ...(tree.older.get(node) ?? [])])
    .map(({ start, end }) => ({ at: start, remove: end - start, insert: '' }))
}
