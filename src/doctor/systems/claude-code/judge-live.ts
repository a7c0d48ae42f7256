import type { Format } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { CallCounts } from '../../../heal/count.ts'
import { type ArrangedRecord, arrange, recordsIn } from '../../arrange.ts'
import { drawMessageRecords, RecordList } from '../../drawing.ts'
import { droppedWith } from '../../examine-entries.ts'
import { type Judgement, judge } from '../../judge.ts'
import { LineSurvey, type Range } from '../../line-survey.ts'
import { MessageAssembler, type RecordContent, storeFormat } from '../../record-format.ts'
import type { BrokenSince } from '../../since.ts'
import type { Drawing } from '../../system.ts'
import { foreignFormat, fullRecordContents, recordContents } from './record-contents.ts'
import type { RecordReader } from './record-reader.ts'
import type { RecordTree } from './tree.ts'

/** What is wrong with the records that the program sends. Records are named by their index among those. */
export interface LiveJudgement {
  readonly counts: CallCounts
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped: readonly { readonly record: number; readonly rule: string }[]
  readonly since?: BrokenSince
  /** The number of user messages before each record. */
  readonly turns: Uint32Array
  /** The first record whose message is evidence for the format of another program, and that format. */
  readonly foreign?: { readonly record: number; readonly format: string }
  /** All records after the repair; absent if nothing changes. */
  readonly lines?: readonly ArrangedRecord[]
}

/** Judges live records in two passes: only doubtful ones are held, or all if a call id is repeated. */
export function judgeLive(order: readonly number[], tree: RecordTree, reader: RecordReader): LiveJudgement {
  const survey = new LineSurvey()
  const turns = new Uint32Array(order.length + 1)
  const ids = new Set<string>()
  let hasRepeats = false
  let users = 0
  let foreign: LiveJudgement['foreign']
  for (const [record, node] of order.entries()) {
    const value = reader.value(node)
    const format = foreign ? undefined : foreignFormat(value)
    if (format !== undefined) foreign = { record, format }
    const contents = recordContents(value)
    survey.push(record, contents)
    for (const id of callIdsIn(contents)) {
      hasRepeats ||= ids.has(id)
      ids.add(id)
    }
    if (contents.some(({ role }) => role === 'user')) users++
    turns[record + 1] = users
  }
  const doubts = survey.end(order.length)
  const ranges = hasRepeats ? [{ from: 0, to: order.length }] : doubts
  const counts = { calls: survey.calls, results: survey.results, orphans: 0, unanswered: 0 }
  const recordFormat = recordFormatFor(order, tree)
  const judged = ranges.map(range => {
    const { messageRecords } = readRange(range, order, reader)
    const cut = { cutBefore: range.from > 0, cutAfter: range.to < order.length, turns: turns[range.from] ?? 0 }
    const judgement = judge(messageRecords, recordFormat, {}, cut)
    const places = arrange(messageRecords, judgement.messages, range.from - 1)
    return { judgement, places, dropped: droppedWith(judgement, places, messageRecords) }
  })
  const judgements = judged.map(({ judgement }) => judgement)
  const places = new Map(judged.flatMap(({ places }) => [...places]))
  return {
    counts: {
      ...counts,
      orphans: sum(judgements, ({ counts }) => counts.orphans),
      unanswered: sum(judgements, ({ counts }) => counts.unanswered),
    },
    repairs: judgements.flatMap(({ repairs }) => repairs),
    remaining: judgements.flatMap(({ remaining }) => remaining),
    dropped: judged.flatMap(({ dropped }) => dropped),
    turns,
    ...(foreign && { foreign }),
    ...(judged.length > 0 && sinceIn(judgements)),
    ...(places.size > 0 && { lines: [...recordsIn(places, order.length)] }),
  }
}

const callIdsIn = (contents: readonly RecordContent[]): string[] =>
  contents.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' && part.id !== '' ? [part.id] : [])))

function sinceIn(judgements: readonly Judgement[]): Pick<LiveJudgement, 'since'> {
  const since = judgements.find(judgement => judgement.since)?.since
  return since ? { since } : {}
}

function readRange({ from, to }: Range, order: readonly number[], reader: RecordReader): MessageAssembler {
  const reading = new MessageAssembler()
  for (let record = from; record < to; record++)
    reading.push(record, recordContents(reader.value(valueAt(order, record))))
  return reading
}

const sum = (judgements: readonly Judgement[], count: (judgement: Judgement) => number): number =>
  judgements.reduce((total, judgement) => total + count(judgement), 0)

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
