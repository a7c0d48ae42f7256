import type { Format } from '../../../core/conversation.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { CallCounts } from '../../../heal/count.ts'
import { arrange, type Line, linesIn } from '../../arrange.ts'
import { drawPassages, RecordList } from '../../drawing.ts'
import { droppedWith } from '../../examine-entries.ts'
import { type Judgement, judge } from '../../judge.ts'
import { LineSurvey, type Range } from '../../line-survey.ts'
import { Reading, type Sketch, storeWire } from '../../script.ts'
import type { Since } from '../../since.ts'
import type { Drawing } from '../../system.ts'
import type { RecordReader } from './record-reader.ts'
import { foreignFormat, fullSketchesOf, sketchesOf } from './sketches.ts'
import type { Tree } from './tree.ts'

/** What is wrong with the records that the program sends. Records are named by their place among those. */
export interface LiveJudgement {
  readonly counts: CallCounts
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped: readonly { readonly record: number; readonly rule: string }[]
  readonly since?: Since
  /** How often the user had spoken before each record. */
  readonly turns: Uint32Array
  /** The first record whose message is evidence for the format of another program, and that format. */
  readonly foreign?: { readonly record: number; readonly format: string }
  /** All of them as they are when they are healed; absent if nothing changes. */
  readonly lines?: readonly Line[]
}

/** Judges live records in two passes: only what the first one doubts is held, or all if an id of a call comes again. */
export function judgeLive(order: readonly number[], tree: Tree, reader: RecordReader): LiveJudgement {
  const survey = new LineSurvey()
  const turns = new Uint32Array(order.length + 1)
  const ids = new Set<string>()
  let hasRepeats = false
  let foreign: LiveJudgement['foreign']
  for (const [record, node] of order.entries()) {
    const value = reader.value(node)
    const format = foreign ? undefined : foreignFormat(value)
    if (format !== undefined) foreign = { record, format }
    const sketches = sketchesOf(value)
    survey.push(record, sketches)
    for (const id of callIdsIn(sketches)) {
      hasRepeats ||= ids.has(id)
      ids.add(id)
    }
    turns[record + 1] = turns[record] + (sketches.some(({ role }) => role === 'user') ? 1 : 0)
  }
  const doubts = survey.end(order.length)
  const ranges = hasRepeats ? [{ from: 0, to: order.length }] : doubts
  const counts = { calls: survey.calls, results: survey.results, orphans: 0, unanswered: 0 }
  const script = scriptFor(order, tree)
  const judged = ranges.map(range => {
    const { passages } = readRange(range, order, reader)
    const cut = { cutBefore: range.from > 0, cutAfter: range.to < order.length, turns: turns[range.from] }
    const judgement = judge(passages, script, {}, cut)
    const places = arrange(passages, judgement.messages, range.from - 1)
    return { judgement, places, dropped: droppedWith(judgement, places, passages) }
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
    ...(places.size > 0 && { lines: [...linesIn(places, order.length)] }),
  }
}

const callIdsIn = (sketches: readonly Sketch[]): string[] =>
  sketches.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' && part.id !== '' ? [part.id] : [])))

function sinceIn(judgements: readonly Judgement[]): Pick<LiveJudgement, 'since'> {
  const since = judgements.find(judgement => judgement.since)?.since
  return since ? { since } : {}
}

function readRange({ from, to }: Range, order: readonly number[], reader: RecordReader): Reading {
  const reading = new Reading()
  for (let record = from; record < to; record++) reading.push(record, sketchesOf(reader.value(order[record])))
  return reading
}

const sum = (judgements: readonly Judgement[], count: (judgement: Judgement) => number): number =>
  judgements.reduce((total, judgement) => total + count(judgement), 0)

/** All live records, judged at once, for people to look at. */
export function drawLive(order: readonly number[], tree: Tree, reader: RecordReader, path: string): Drawing {
  const reading = new Reading()
  const list = new RecordList(path)
  for (const [record, node] of order.entries()) {
    list.push(`line ${tree.lines[node] + 1}`, reader.text(node))
    reading.push(record, fullSketchesOf(reader.value(node)))
  }
  const { passages } = reading
  return drawPassages(passages, judge(passages, scriptFor(order, tree)), list.records)
}

const scriptFor = (order: readonly number[], tree: Tree) => ({
  wire: wireFor(order, tree),
  reader: 'anthropic' as const,
  facts: { uniqueIds: 'history' as const },
})

/** Places are told as lines of the file. */
const wireFor = (order: readonly number[], { lines }: Tree): Format =>
  storeWire({
    root: 'lines',
    locate: ({ origin }, part) => {
      const record = part?.slot ?? origin
      return record === undefined ? '' : `line ${lines[order[record]] + 1}`
    },
  })
