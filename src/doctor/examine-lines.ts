import type { Part } from '../core/conversation.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import type { Repair } from '../core/rules/repair.ts'
import type { CallCounts } from '../heal/count.ts'
import { type ArrangedRecord, type Arrangement, arrange } from './arrange.ts'
import { drawMessageRecords, RecordList } from './drawing.ts'
import { droppedWith, type ExaminedRecords, stateOf } from './examine-entries.ts'
import { fingerprint } from './files/fingerprint.ts'
import { type JudgeFormat, type Judgement, judge, type Waiting } from './judge.ts'
import { type LineFile, parseLine } from './line-file.ts'
import { LineSurvey, type Range } from './line-survey.ts'
import {
  MessageAssembler,
  type MessageRecords,
  type RecordContent,
  type RecordFormat,
  withWholeContents,
} from './record-format.ts'
import { notJsonNotes, reportText } from './report-text.ts'
import type { BrokenSince } from './since.ts'
import type { Drawing, DroppedRecord, Examination } from './system.ts'
import { writeLines } from './write-lines.ts'

/** How a system stores a conversation as lines of JSON. */
export interface LineFormat extends RecordFormat<unknown> {
  /** Whether a line may belong to the conversation, judged by its bytes: the other lines need not be parsed. */
  mayMatter?(bytes: Buffer): boolean
  /** A part with its full content for display, where `read` leaves something out. */
  fill?(entry: unknown, part: Part): Part
}

/**
 * Examines a conversation of any size. The first pass holds only the ids of calls; doubtful ranges are read again, and
 * only those are held.
 */
export function examineLines(file: LineFile, recordFormat: LineFormat, waiting: Waiting = {}): Examination {
  const before = fingerprint(file.path)
  const survey = new LineSurvey(recordFormat.facts)
  const bad: number[] = []
  let count = 0
  for (const { record, entry, isBad } of entriesOf(file, recordFormat)) {
    count = record + 1
    if (isBad) bad.push(record + 1)
    if (entry !== undefined) survey.push(record, recordFormat.read(entry, record))
  }
  const ranges = survey.end(count)
  const notes = notJsonNotes(bad)
  const healthy = { calls: survey.calls, results: survey.results, orphans: 0, unanswered: 0 }
  const draw = (): Drawing => withWholeContents(() => drawLines(file, recordFormat, waiting))
  if (ranges.length === 0)
    return { state: 'healthy', counts: healthy, repairs: [], remaining: [], dropped: [], notes, draw }
  const judged = judgeRanges(contentsOf(file, recordFormat), recordFormat, ranges, count, waiting)
  const { places, dropped, sum } = judged
  const taken = takeLines(file, new Set([...neededFor(places), ...dropped.map(({ record }) => record)]))
  const counts: CallCounts = { ...healthy, orphans: sum.orphans, unanswered: sum.unanswered }
  const state = stateOf(sum)
  return {
    state,
    counts,
    ...(sum.since ? { since: sum.since } : {}),
    repairs: sum.repairs,
    remaining: sum.remaining,
    dropped: dropped.map(
      ({ record, rule }): DroppedRecord => ({ at: `line ${record + 1}`, rule, content: reportText(taken.get(record)) }),
    ),
    notes,
    ...(sum.repairs.length === 0
      ? {}
      : {
          storeRepair: {
            files: [file.path],
            apply: assertUnused => writeLines(file, before, places, taken, recordFormat, assertUnused),
          },
        }),
    draw,
  }
}

/** A drawing needs the whole conversation, so here it is held as a whole. */
function drawLines(file: LineFile, recordFormat: LineFormat, waiting: Waiting): Drawing {
  const reading = new MessageAssembler()
  const list = new RecordList(file.path)
  let record = 0
  for (const line of file.lines()) {
    list.push(`line ${record + 1}`, line.bytes.toString())
    const entry = (recordFormat.mayMatter?.(line.bytes) ?? true) ? parseLine(line) : undefined
    const { fill = (_, part) => part } = recordFormat
    const filled = (content: RecordContent): RecordContent => ({
      ...content,
      parts: content.parts.map(part => fill(entry, part)),
    })
    if (entry !== undefined) reading.push(record, recordFormat.read(entry, record).map(filled))
    record++
  }
  return drawMessageRecords(reading.messageRecords, judge(reading.messageRecords, recordFormat, waiting), list.records)
}

/** Bytes of the lines that move or are rewritten. */
export type LineBytes = ReadonlyMap<number, Buffer>

function* contentsOf(file: LineFile, recordFormat: LineFormat): Generator<readonly RecordContent[]> {
  for (const { record, entry } of entriesOf(file, recordFormat))
    yield entry === undefined ? [] : recordFormat.read(entry, record)
}

function* entriesOf(
  file: LineFile,
  { mayMatter }: LineFormat,
): Generator<{ record: number; entry: unknown; isBad: boolean }> {
  let record = 0
  for (const line of file.lines()) {
    const isRead = mayMatter?.(line.bytes) ?? true
    const entry = isRead ? parseLine(line) : undefined
    yield { record: record++, entry, isBad: isRead && entry === undefined && line.bytes.length > 0 }
  }
}

/** The records that a line is made from, or that move. */
function* neededFor(places: Arrangement): Generator<number> {
  for (const [place, lines] of places) {
    for (const line of lines) if (line.kind !== 'kept' || line.record !== place) yield line.record
  }
}

function takeLines(file: LineFile, records: ReadonlySet<number>): Map<number, Buffer> {
  const taken = new Map<number, Buffer>()
  if (records.size === 0) return taken
  let record = 0
  for (const { bytes } of file.lines()) {
    if (records.has(record)) taken.set(record, Buffer.from(bytes))
    record++
    if (taken.size === records.size) break
  }
  return taken
}

/** The doubtful ranges of a conversation, judged: the new places of all records, and the sum of the judgements. */
export interface JudgedRanges {
  readonly messageRecords: readonly MessageRecords[]
  readonly places: Arrangement
  readonly dropped: ExaminedRecords['dropped']
  readonly sum: JudgementSum
}

export interface JudgementSum {
  readonly repairs: Repair[]
  /** The record that each repair moves, of those that move one. */
  readonly moved: Map<Repair, number>
  readonly remaining: Diagnostic[]
  waiting: number
  orphans: number
  unanswered: number
  since?: BrokenSince
}

/** Judges ranges of a conversation of any length. `contents` are those of its records, in order; only the ranges are kept in memory. */
export function judgeRanges(
  contents: Iterable<readonly RecordContent[]>,
  recordFormat: JudgeFormat,
  ranges: readonly Range[],
  count: number,
  waiting: Waiting,
): JudgedRanges {
  const places = new Map<number, readonly ArrangedRecord[]>()
  const held: MessageRecords[] = []
  const dropped: ExaminedRecords['dropped'][number][] = []
  const sum: JudgementSum = { repairs: [], moved: new Map(), remaining: [], waiting: 0, orphans: 0, unanswered: 0 }
  let next = 0
  let reading = new MessageAssembler()
  /** The last record before the range. */
  let before = -1
  let turns = 0
  const close = ({ from, to }: Range): void => {
    const { messageRecords } = reading
    const judgement = judge(messageRecords, recordFormat, waiting, { cutBefore: from > 0, cutAfter: to < count, turns })
    const arranged = arrange(messageRecords, judgement.messages, before)
    for (const [record, lines] of arranged) places.set(record, lines)
    for (const one of droppedWith(judgement, arranged, messageRecords)) dropped.push(one)
    for (const one of messageRecords) held.push(one)
    add(sum, judgement, messageRecords)
    turns += usersIn(messageRecords.map(({ message }) => message))
    reading = new MessageAssembler()
    next++
  }
  let record = 0
  for (const now of contents) {
    let range = ranges[next]
    for (; range && record >= range.to; range = ranges[next]) close(range)
    if (!range) break
    if (record >= range.from) reading.push(record, now)
    else {
      turns += usersIn(now)
      before = record
    }
    record++
  }
  const rest = ranges[next]
  if (rest) close(rest)
  return { messageRecords: held, places, dropped, sum }
}

function add(
  sum: JudgementSum,
  { repairs, remaining, waiting, counts, since }: Judgement,
  messageRecords: readonly MessageRecords[],
): void {
  if (since) sum.since ??= since
  for (const [repair, record] of movedBy(repairs, messageRecords)) sum.moved.set(repair, record)
  for (const repair of repairs) sum.repairs.push(repair)
  for (const diagnostic of remaining) sum.remaining.push(diagnostic)
  sum.waiting += waiting
  sum.orphans += counts.orphans
  sum.unanswered += counts.unanswered
}

/** The record that each repair moves, of those that move one. */
export function* movedBy(
  repairs: readonly Repair[],
  messageRecords: readonly MessageRecords[],
): Generator<[Repair, number]> {
  for (const repair of repairs) {
    const move = repair.edits.find(edit => edit.kind === 'move')
    const record = move && messageRecords[move.key]?.message.origin
    if (record !== undefined) yield [repair, record]
  }
}

const usersIn = (messages: readonly { readonly role: string }[]): number =>
  messages.filter(({ role }) => role === 'user').length
