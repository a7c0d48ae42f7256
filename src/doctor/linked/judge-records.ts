import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { CallCounts } from '../../heal/count.ts'
import { type ArrangedRecord, arrange, recordsIn } from '../arrange.ts'
import { droppedWith } from '../examine-entries.ts'
import { type Judgement, judge, type Waiting } from '../judge.ts'
import { LineSurvey, type Range } from '../line-survey.ts'
import { MessageAssembler, type RecordContent, type RecordFormat } from '../record-format.ts'
import type { BrokenSince } from '../since.ts'

/** What is wrong with the records that a program sends. Records are named by their index among those. */
export interface JudgedRecords {
  readonly counts: CallCounts
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped: readonly { readonly record: number; readonly rule: string }[]
  readonly waiting: number
  readonly since?: BrokenSince
  /** The number of user messages before each record. */
  readonly turns: Uint32Array
  /** All records after the repair; absent if nothing changes. */
  readonly lines?: readonly ArrangedRecord[]
}

/** Records that are read one by one, as often as needed. */
export interface RecordSource {
  readonly count: number
  contents(record: number): readonly RecordContent[]
}

/** Judges records in two passes: only doubtful ones are held, or all if a call id is repeated. */
export function judgeRecords(
  { count, contents }: RecordSource,
  recordFormat: Pick<RecordFormat<unknown>, 'format' | 'dialect' | 'facts'>,
  waiting: Waiting = {},
): JudgedRecords {
  const survey = new LineSurvey()
  const turns = new Uint32Array(count + 1)
  const ids = new Set<string>()
  let hasRepeats = false
  let users = 0
  for (let record = 0; record < count; record++) {
    const read = contents(record)
    survey.push(record, read)
    for (const id of callIdsIn(read)) {
      hasRepeats ||= ids.has(id)
      ids.add(id)
    }
    if (read.some(({ role }) => role === 'user')) users++
    turns[record + 1] = users
  }
  const doubts = survey.end(count)
  const ranges = hasRepeats ? [{ from: 0, to: count }] : doubts
  const judged = ranges.map(range => {
    const { messageRecords } = readRange(range, contents)
    const cut = { cutBefore: range.from > 0, cutAfter: range.to < count, turns: turns[range.from] ?? 0 }
    const judgement = judge(messageRecords, recordFormat, waiting, cut)
    const places = arrange(messageRecords, judgement.messages, range.from - 1)
    return { judgement, places, dropped: droppedWith(judgement, places, messageRecords) }
  })
  const judgements = judged.map(({ judgement }) => judgement)
  const places = new Map(judged.flatMap(({ places }) => [...places]))
  return {
    counts: {
      calls: survey.calls,
      results: survey.results,
      orphans: sum(judgements, ({ counts }) => counts.orphans),
      unanswered: sum(judgements, ({ counts }) => counts.unanswered),
    },
    repairs: judgements.flatMap(({ repairs }) => repairs),
    remaining: judgements.flatMap(({ remaining }) => remaining),
    dropped: judged.flatMap(({ dropped }) => dropped),
    waiting: sum(judgements, judgement => judgement.waiting),
    turns,
    ...(judged.length > 0 && sinceIn(judgements)),
    ...(places.size > 0 && { lines: [...recordsIn(places, count)] }),
  }
}

const callIdsIn = (contents: readonly RecordContent[]): string[] =>
  contents.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' && part.id !== '' ? [part.id] : [])))

function sinceIn(judgements: readonly Judgement[]): Pick<JudgedRecords, 'since'> {
  const since = judgements.find(judgement => judgement.since)?.since
  return since ? { since } : {}
}

function readRange({ from, to }: Range, contents: RecordSource['contents']): MessageAssembler {
  const reading = new MessageAssembler()
  for (let record = from; record < to; record++) reading.push(record, contents(record))
  return reading
}

const sum = (judgements: readonly Judgement[], count: (judgement: Judgement) => number): number =>
  judgements.reduce((total, judgement) => total + count(judgement), 0)
