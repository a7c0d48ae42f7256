import type { Format } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { drawMessageRecords, RecordList } from '../../drawing.ts'
import { judge } from '../../judge.ts'
import { type JudgedRecords, judgeRecords } from '../../linked/judge-records.ts'
import type { RecordReader } from '../../linked/record-reader.ts'
import { MessageAssembler, storeFormat } from '../../record-format.ts'
import type { Drawing } from '../../system.ts'
import { foreignFormat, fullRecordContents, recordContents } from './record-contents.ts'
import type { RecordTree } from './tree.ts'

/** What is wrong with the records that the program sends. Records are named by their index among those. */
export interface LiveJudgement extends JudgedRecords {
  /** The first record whose message is evidence for the format of another program, and that format. */
  readonly foreign?: { readonly record: number; readonly format: string }
}

/** Judges live records: only doubtful ones are held, or all if a call id is repeated. */
export function judgeLive(order: readonly number[], tree: RecordTree, reader: RecordReader): LiveJudgement {
  let foreign: LiveJudgement['foreign']
  const judged = judgeRecords(
    {
      count: order.length,
      contents(record) {
        const value = reader.value(valueAt(order, record))
        const format = foreign ? undefined : foreignFormat(value)
        if (format !== undefined) foreign = { record, format }
        return recordContents(value)
      },
    },
    recordFormatFor(order, tree),
  )
  return { ...judged, ...(foreign && { foreign }) }
}

/** All live records, judged at once, for display. */
export function drawLive(order: readonly number[], tree: RecordTree, reader: RecordReader, path: string): Drawing {
  const reading = new MessageAssembler()
  const list = new RecordList(path)
  for (const [record, node] of order.entries()) {
    list.push(`line ${valueAt(tree.lines, node) + 1}`, reader.text(node))
    reading.push(record, fullRecordContents(reader.value(node)))
  }
  const { messageRecords } = reading
  return drawMessageRecords(messageRecords, judge(messageRecords, recordFormatFor(order, tree)), list.records)
}

const recordFormatFor = (order: readonly number[], tree: RecordTree) => ({
  format: formatFor(order, tree),
  dialect: 'anthropic' as const,
  facts: { uniqueIds: 'history' as const },
})

/** Places are shown as lines of the file. */
const formatFor = (order: readonly number[], { lines }: RecordTree): Format =>
  storeFormat({
    root: 'lines',
    locate: ({ origin }, part) => {
      const record = part?.slot ?? origin
      return record === undefined ? '' : `line ${valueAt(lines, valueAt(order, record)) + 1}`
    },
  })
