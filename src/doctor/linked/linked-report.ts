import { valueAt } from '../../core/invariant.ts'
import { reportText } from '../report-text.ts'
import type { DroppedRecord, Examination } from '../system.ts'
import type { JudgedRecords } from './judge-records.ts'
import type { RecordReader } from './record-reader.ts'

/** What a report needs of a file with linked records. */
interface ReportedTree {
  /** The line of each record, from 0. */
  readonly lines: readonly number[]
  readonly torn: readonly { readonly start: number; readonly end: number; readonly line: number }[]
}

/** Where it starts to be broken: the first defect of the conversation, or at one of the lines `places` of the file. */
export function sinceOf(
  { since, turns }: JudgedRecords,
  order: readonly number[],
  { lines }: ReportedTree,
  places: readonly number[],
): Pick<Examination, 'since'> {
  if (places.length === 0) return since ? { since } : {}
  const line = places.reduce((least, place) => Math.min(least, place))
  const front = order.findLastIndex(node => valueAt(lines, node) <= line)
  const turn = Math.max(turns[front + 1] ?? 0, 1)
  const isLater = since && (since.turn < turn || (since.turn === turn && Number(/\d+/.exec(since.at)?.[0]) <= line + 1))
  return { since: isLater ? since : { turn, at: `line ${line + 1}` } }
}

/** The torn text of a file and the records that a repair removes. */
export function droppedFrom(
  { dropped }: JudgedRecords,
  order: readonly number[],
  { lines, torn }: ReportedTree,
  reader: RecordReader,
): DroppedRecord[] {
  const at = (line: number): string => `line ${line + 1}`
  return [
    ...torn.map(({ start, end, line }) => ({
      ...{ at: at(line), rule: 'torn-record', content: reportText(reader.between(start, end)) },
    })),
    ...dropped.map(({ record, rule }) => {
      const node = valueAt(order, record)
      return { at: at(valueAt(lines, node)), rule, content: reportText(reader.text(node)) }
    }),
  ]
}
