import { valueAt } from '../../core/invariant.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { drawMessageRecords, RecordList } from '../drawing.ts'
import { stateOf } from '../examine-entries.ts'
import { type Fingerprint, fingerprint } from '../files/fingerprint.ts'
import { type AssertUnused, swapFile } from '../files/swap-file.ts'
import { judge } from '../judge.ts'
import {
  MessageAssembler,
  type RecordContent,
  type RecordFormat,
  storeFormat,
  withWholeContents,
} from '../record-format.ts'
import { notJsonNotes } from '../report-text.ts'
import type { Drawing, Examination } from '../system.ts'
import { titled } from '../titles/stored-title.ts'
import { openingTitle } from '../titles/title-text.ts'
import { type JudgedRecords, judgeRecords } from './judge-records.ts'
import { linkRepair, lostRepair, markRepair, seamRepair, splitRepair, tornRepair } from './link-repairs.ts'
import { linkedEdits } from './linked-edits.ts'
import type { LinkedFormat, PathReading } from './linked-format.ts'
import { droppedFrom, sinceOf } from './linked-report.ts'
import { type LinkedTree, readLinkedTree } from './linked-tree.ts'
import { type LivePath, livePath } from './live-path.ts'
import { RecordReader } from './record-reader.ts'
import { type Splice, spliced } from './spliced.ts'
import { withEscapedBreaks } from './split-records.ts'
import { withStrayResults } from './stray-results.ts'

/** Examines a file of linked lines of any size: its links are held, its records are read again where needed. */
export function examineLinked(path: string, format: LinkedFormat): Examination {
  const before = fingerprint(path)
  const tree = readLinkedTree(path, format.keys)
  const reader = new RecordReader(path, tree)
  try {
    return {
      ...examineTree(path, before, tree, reader, format),
      draw: () => withWholeContents(() => drawLinked(path, format)),
    }
  } finally {
    reader.close()
  }
}

function examineTree(
  path: string,
  before: Fingerprint,
  tree: LinkedTree,
  reader: RecordReader,
  format: LinkedFormat,
): Examination {
  const live = livePath(tree, format, node => reader.value(node))
  const { order, judgement, reading, found } = judgePath(live, tree, reader, format)
  const lineOf = (node: number): number => valueAt(tree.lines, node)
  const corrections = reading.corrections ?? []
  const repairs: Repair[] = [
    ...(tree.mark ? [markRepair()] : []),
    ...tree.torn.map(tornRepair),
    ...tree.split.map(splitRepair),
    ...tree.seams.map(({ line }) => seamRepair(line)),
    ...[...live.repaired].map(node => linkRepair(lineOf(node))),
    ...[...found].map(node => lostRepair(lineOf(node))),
    ...corrections.map(({ record, repair }) => repair(`line ${lineOf(valueAt(order, record)) + 1}`)),
    ...judgement.repairs,
  ]
  const lines = judgement.lines ?? order.map((_, record) => ({ kind: 'kept' as const, record }))
  const isChanged = judgement.lines || live.repaired.size > 0 || found.size > 0 || corrections.length > 0
  const edits = isChanged ? linkedEdits(lines, order, tree, live.links, reader, format, corrections) : []
  const splices = [...edits, ...fileSplices(tree), ...joinSplices(tree, edits, reader)]
  const { remaining, counts, waiting } = judgement
  return {
    ...titled(tree.title ?? openingTitle(firstContents(order, reader, format))),
    state: stateOf({ repairs, remaining, waiting }),
    counts,
    ...sinceOf(judgement, order, tree, [
      ...[...tree.torn, ...tree.split, ...tree.seams].map(({ line }) => line),
      ...[...live.repaired, ...found, ...corrections.map(({ record }) => valueAt(order, record))].map(lineOf),
      ...(tree.mark ? [0] : []),
    ]),
    repairs,
    remaining,
    dropped: droppedFrom(judgement, order, tree, reader),
    notes: notJsonNotes(tree.unreadable.map(line => line + 1)),
    ...(splices.length > 0 && {
      storeRepair: {
        files: [path],
        apply: (assertUnused: AssertUnused | undefined) => swapFile(path, before, spliced(path, splices), assertUnused),
      },
    }),
  }
}

interface JudgedPath {
  readonly order: readonly number[]
  readonly reading: PathReading
  readonly judgement: JudgedRecords
  readonly found: ReadonlySet<number>
}

/** Judges the path; if that adds placeholders, looks for real results next to it, and judges again. */
function judgePath({ order }: LivePath, tree: LinkedTree, reader: RecordReader, format: LinkedFormat): JudgedPath {
  const judged = judgeOrder(order, tree, reader, format)
  const contents = (node: number): readonly RecordContent[] =>
    format.readPath(single(reader, node)).contents(reader.value(node), 0)
  const { order: whole, found } = withStrayResults(order, judged.judgement.lines, tree, contents)
  if (found.size === 0) return { order, ...judged, found }
  return { order: whole, ...judgeOrder(whole, tree, reader, format), found }
}

/** What the first records of the path say, also those that are not sent any more. */
function* firstContents(
  order: readonly number[],
  reader: RecordReader,
  format: LinkedFormat,
): Generator<readonly RecordContent[]> {
  for (const node of order.slice(0, openingMax))
    yield format.readPath(single(reader, node)).contents(reader.value(node), 0)
}

const openingMax = 60

const single = (reader: RecordReader, node: number) => ({ count: 1, value: () => reader.value(node) })

function judgeOrder(
  order: readonly number[],
  tree: LinkedTree,
  reader: RecordReader,
  format: LinkedFormat,
): { judgement: JudgedRecords; reading: PathReading } {
  const value = (record: number) => reader.value(valueAt(order, record))
  const reading = format.readPath({ count: order.length, value })
  const source = { count: order.length, contents: (record: number) => reading.contents(value(record), record) }
  return { judgement: judgeRecords(source, rulesFor(order, tree, format, reading), reading.waiting), reading }
}

const rulesFor = (
  order: readonly number[],
  { lines }: LinkedTree,
  { dialect, facts }: LinkedFormat,
  reading: PathReading,
): Pick<RecordFormat<unknown>, 'format' | 'dialect' | 'facts'> => ({
  format: storeFormat({
    root: 'lines',
    locate: ({ origin }, part) => {
      const record = part?.slot ?? origin
      return record === undefined ? '' : `line ${valueAt(lines, valueAt(order, record)) + 1}`
    },
  }),
  dialect,
  facts: { ...facts, ...reading.facts },
})

/** The whole path, judged at once, for display. */
function drawLinked(path: string, format: LinkedFormat): Drawing {
  const tree = readLinkedTree(path, format.keys)
  const reader = new RecordReader(path, tree)
  try {
    const live = livePath(tree, format, node => reader.value(node))
    const { order: whole, found } = judgePath(live, tree, reader, format)
    // Results to which no link leads are drawn at the end, from where the repair moves them.
    const order = [...whole.filter(node => !found.has(node)), ...found]
    const reading = format.readPath({ count: order.length, value: record => reader.value(valueAt(order, record)) })
    const assembler = new MessageAssembler()
    const list = new RecordList(path)
    const { fill = (_, part) => part } = format
    for (const [record, node] of order.entries()) {
      const entry = reader.value(node)
      list.push(`line ${valueAt(tree.lines, node) + 1}`, reader.text(node))
      const filled = reading.contents(entry, record).map(content => ({
        ...content,
        parts: content.parts.flatMap(part => fill(entry, part)),
      }))
      assembler.push(record, filled)
    }
    const { messageRecords } = assembler
    const judgement = judge(messageRecords, rulesFor(order, tree, format, reading), reading.waiting)
    const { summary } = reading
    return { ...drawMessageRecords(messageRecords, judgement, list.records), ...(summary !== undefined && { summary }) }
  } finally {
    reader.close()
  }
}

/** Removes torn text, and separates records that share a line. */
const fileSplices = ({ torn, mark, seams, lineBreak }: LinkedTree): Splice[] => [
  ...[...(mark ? [mark] : []), ...torn].map(({ start, end }) => ({ at: start, remove: end - start, insert: '' })),
  ...seams.map(({ start }) => ({ at: start, remove: 0, insert: lineBreak })),
]

/** Joins the lines of split records, unless the edits write them anew. */
function joinSplices({ split }: LinkedTree, edits: readonly Splice[], reader: RecordReader): Splice[] {
  const written = new Set(edits.flatMap(({ at, remove }) => (remove > 0 ? [at] : [])))
  return split
    .filter(({ start }) => !written.has(start))
    .map(({ start, end }) => ({
      at: start,
      remove: end - start,
      insert: withEscapedBreaks(reader.between(start, end)),
    }))
}
