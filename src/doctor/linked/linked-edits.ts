import { valueAt } from '../../core/invariant.ts'
import { parseVerbatim } from '../../core/json/exact-json.ts'
import { memberSpan } from '../../core/json/json-spans.ts'
import { longestIncreasingSubsequence } from '../../core/longest-increasing-subsequence.ts'
import type { ArrangedRecord } from '../arrange.ts'
import { jsonLayoutOf, printJson } from '../files/layout.ts'
import { printLike } from '../files/print-like.ts'
import type { RecordFields } from '../record-format.ts'
import { keptAncestors } from './lineages.ts'
import type { Correction, LinkedFormat } from './linked-format.ts'
import { type LinkedTree, root } from './linked-tree.ts'
import type { RecordReader } from './record-reader.ts'
import type { Splice } from './spliced.ts'

/** A record of the repaired path: one of the file, or a new one. `text` is its new text, without its link. */
type PathItem =
  | { readonly id: string; readonly node: number; readonly text?: string }
  | { readonly id: string; readonly node?: undefined; readonly text: string }

/**
 * The edits of the file after which the program reads the repaired path: the records from the root to the one that it
 * continues from. Each record names the one before it as its parent, and the last one of the path is the last of the
 * file. `links` has the parents as they are written in the file.
 */
export function linkedEdits(
  records: readonly ArrangedRecord[],
  order: readonly number[],
  tree: LinkedTree,
  links: readonly number[],
  reader: RecordReader,
  format: LinkedFormat,
  corrections: readonly Correction[],
): Splice[] {
  const items = pathItems(records, order, tree, reader, format, corrections)
  const stays = new Set(items.flatMap(({ node }) => node ?? []))
  const gone = new Set(order.filter(node => !stays.has(node)))
  const anchors = anchorsOf(items, gone, order, tree)
  const end = lastAnchor(tree, gone, stays, anchors)
  const splices: Splice[] = []
  const beforeFirstAnchor: string[] = []
  let anchor: number | undefined
  for (const [index, item] of items.entries()) {
    const text = linkedText(item, items[index - 1], links, reader, format)
    const { node } = item
    if (node !== undefined && anchors.has(node)) {
      const front = beforeFirstAnchor.splice(0).map(line => line + tree.lineBreak)
      if (text !== undefined || front.length > 0)
        splices.push(replacement(node, front.join('') + (text ?? reader.text(node)), tree))
      anchor = node
      continue
    }
    if (node !== undefined) splices.push(replacement(node, '', tree))
    const line = text ?? (node === undefined ? item.text : reader.text(node))
    const after = index === items.length - 1 ? end : anchor
    if (after === undefined) beforeFirstAnchor.push(line)
    else splices.push({ at: valueAt(tree.ends, after), remove: 0, insert: tree.lineBreak + line })
  }
  for (const node of gone)
    for (const { start, end } of tree.older.get(node) ?? [])
      splices.push({ at: start, remove: end - start, insert: '' })
  const keptAncestor = keptAncestors(tree.parents, gone)
  const { parent: key } = format.keys
  // A record outside the path whose parent is removed is linked to the nearest ancestor that stays.
  const relinked = (node: number, key: string): string =>
    withMember(reader.text(node), key, JSON.stringify(tree.ids[keptAncestor(node)] ?? null))
  for (const [node, link] of links.entries())
    if (gone.has(node)) splices.push(replacement(node, '', tree))
    else if (!stays.has(node) && gone.has(link) && key !== undefined)
      splices.push(replacement(node, relinked(node, key), tree))
  return splices
}

function pathItems(
  records: readonly ArrangedRecord[],
  order: readonly number[],
  tree: LinkedTree,
  reader: RecordReader,
  format: LinkedFormat,
  corrections: readonly Correction[],
): PathItem[] {
  const known = new Set(tree.ids)
  const corrected = new Map(corrections.map(correction => [correction.record, correction]))
  const named = (made: RecordFields, ...seeds: readonly string[]): { id: string; entry: RecordFields } => {
    const id = freshId(known, format, ...seeds)
    return { id, entry: format.keys.id === undefined ? made : { ...made, [format.keys.id]: id } }
  }
  // A record is parsed once for all results that are made after it.
  let last: { readonly node: number; readonly text: string; readonly value: RecordFields } | undefined
  const parsed = (node: number): NonNullable<typeof last> => {
    if (last?.node === node) return last
    const text = reader.text(node)
    last = { node, text, value: parseVerbatim(text) as RecordFields }
    return last
  }
  let layout: { readonly text: string; readonly json: ReturnType<typeof jsonLayoutOf> } | undefined
  const layoutOf = (text: string): ReturnType<typeof jsonLayoutOf> => {
    if (layout?.text !== text) layout = { text, json: jsonLayoutOf([text], '') }
    return layout.json
  }
  const items = records.flatMap((record): PathItem[] => {
    const node = valueAt(order, record.record)
    const id = valueAt(tree.ids, node)
    const correction = record.kind === 'made' ? undefined : corrected.get(record.record)
    if (record.kind === 'kept' && !correction) return [{ id, node }]
    const { text, value } = parsed(node)
    const print = (made: RecordFields): string => printJson(made, layoutOf(text))
    if (record.kind === 'made') {
      const made = named(format.answer(record.call, value, record.result), id, record.call.id)
      return [{ id: made.id, text: print(made.entry) }]
    }
    const entry = correction?.entry?.(value) ?? value
    const front = correction?.before && named(correction.before(value), id, 'before')
    const before: PathItem[] = front ? [{ id: front.id, text: print(front.entry) }] : []
    if (record.kind === 'kept') return [...before, { id, node, text: printLike({ text, value }, entry) }]
    const written = format.write(entry, record.parts, record.copy)
    if (record.copy === 0) return [...before, { id, node, text: printLike({ text, value }, written) }]
    const copy = named(written, id, `copy ${record.copy}`)
    return [{ id: copy.id, text: printLike({ text, value }, copy.entry) }]
  })
  return withNamed(items, order, tree, reader, format)
}

function freshId(known: Set<string>, format: LinkedFormat, ...seeds: readonly string[]): string {
  const { newId = (...parts) => parts.join(' ') } = format
  let id = newId(...seeds)
  for (let count = 1; known.has(id); count++) id = newId(...seeds, String(count))
  known.add(id)
  return id
}

/** Removed records whose ids others name stay in place, without their content. */
function withNamed(
  items: readonly PathItem[],
  order: readonly number[],
  tree: LinkedTree,
  reader: RecordReader,
  { emptied }: LinkedFormat,
): PathItem[] {
  const stays = new Set(items.flatMap(({ node }) => node ?? []))
  const after = new Map<number | undefined, PathItem[]>()
  let front: number | undefined
  for (const node of order) {
    if (stays.has(node)) front = node
    else if (emptied && tree.named.has(valueAt(tree.ids, node))) {
      const text = reader.text(node)
      const value = parseVerbatim(text) as RecordFields
      const item = { id: valueAt(tree.ids, node), node, text: printLike({ text, value }, emptied(value)) }
      const items = after.get(front)
      if (items) items.push(item)
      else after.set(front, [item])
    }
  }
  if (after.size === 0) return [...items]
  return [
    ...(after.get(undefined) ?? []),
    ...items.flatMap(item => (item.node === undefined ? [item] : [item, ...(after.get(item.node) ?? [])])),
  ]
}

/** The new text of an item; undefined if it stays as it is. */
function linkedText(
  { node, text }: PathItem,
  parent: PathItem | undefined,
  links: readonly number[],
  reader: RecordReader,
  { keys }: LinkedFormat,
): string | undefined {
  if (keys.parent === undefined) return text
  if (node !== undefined && links[node] === (parent ? (parent.node ?? Number.NaN) : root)) return text
  const whole = node === undefined ? text : (text ?? reader.text(node))
  return withMember(whole, keys.parent, JSON.stringify(parent?.id ?? null))
}

/**
 * The nodes whose lines stay where they are: as many as possible. The last item must be the last record of the file,
 * unless another record names it as the one that the program continues from.
 */
function anchorsOf(
  items: readonly PathItem[],
  gone: ReadonlySet<number>,
  order: readonly number[],
  { ids }: LinkedTree,
): Set<number> {
  const last = items.at(-1)?.node
  const isNamed = last === order.at(-1) && last !== ids.length - 1
  const nodes = items.flatMap(({ node }) => (node === undefined || (node === last && !isNamed) ? [] : [node]))
  let lastInFile = ids.length - 1
  while (gone.has(lastInFile)) lastInFile--
  const anchors = new Set(longestIncreasingSubsequence(nodes, node => node))
  if (last !== undefined && last === lastInFile) anchors.add(last)
  return anchors
}

/** The last record of the file whose line stays where it is. */
function lastAnchor(
  { ids }: LinkedTree,
  gone: ReadonlySet<number>,
  stays: ReadonlySet<number>,
  anchors: ReadonlySet<number>,
): number | undefined {
  for (let node = ids.length - 1; node >= 0; node--)
    if (!gone.has(node) && (!stays.has(node) || anchors.has(node))) return node
  return undefined
}

function replacement(node: number, insert: string, { starts, ends }: LinkedTree): Splice {
  const at = valueAt(starts, node)
  return { at, remove: valueAt(ends, node) - at, insert }
}

/** The text of a record with another value for a key. Everything else stays as written. */
function withMember(text: string, key: string, value: string): string {
  const span = memberSpan(text, key)
  if (span) return text.slice(0, span.start) + value + text.slice(span.end)
  const at = text.indexOf('{') + 1
  return `${text.slice(0, at)}${JSON.stringify(key)}:${value},${text.slice(at)}`
}
