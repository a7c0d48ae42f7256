import type { Part } from '../core/conversation.ts'
import type { Edit } from '../core/edit.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import { arrange, droppedIn, type Places } from './arrange.ts'
import { drawPassages } from './drawing.ts'
import { type Judgement, judge, type Waiting } from './judge.ts'
import { type Passage, Reading, type Script } from './script.ts'
import type { Drawing, Dropped, Examination, State } from './system.ts'

/** A conversation that was judged, and where its records go. */
export interface Examined {
  readonly judgement: Judgement
  readonly places: Places
  readonly passages: readonly Passage[]
  /** How many records there are. */
  readonly count: number
  /** The records that lose something, with the rule that was broken there. */
  readonly dropped: readonly { readonly record: number; readonly rule: string }[]
}

/** Judges the records of a conversation that is held as a whole. */
export function examineEntries<Entry>(entries: readonly Entry[], script: Script<Entry>, waiting?: Waiting): Examined {
  const reading = new Reading()
  for (const [record, entry] of entries.entries()) reading.push(record, script.read(entry, record))
  const { passages } = reading
  const judgement = judge(passages, script, waiting)
  const places = arrange(passages, judgement.messages)
  return { judgement, places, passages, count: entries.length, dropped: droppedWith(judgement, places, passages) }
}

/** What an examination says of a judgement. `show` gives a record as its system wrote it. */
export function examinationOf(examined: Examined, show: (record: number) => Omit<Dropped, 'rule'>): Examination {
  const { judgement, dropped } = examined
  const { repairs, remaining, counts, since } = judgement
  return {
    state: stateOf(judgement),
    counts,
    ...(since ? { since } : {}),
    repairs,
    remaining,
    dropped: dropped.map(({ record, rule }) => ({ ...show(record), rule })),
    notes: [],
    draw: () => drawExamined(examined, show),
  }
}

/** Draws what was examined. `show` gives a record as its system wrote it. */
export function drawExamined(
  { passages, judgement, count }: Examined,
  show: (record: number) => Omit<Dropped, 'rule'>,
): Drawing {
  const records = Array.from({ length: count }, (_, record) => {
    const { at, content } = show(record)
    return { at, text: content }
  })
  return drawPassages(passages, judgement, records)
}

/** Broken if anything is mended or an error stays; else it may wait for something. */
export const stateOf = ({
  repairs,
  remaining,
  waiting,
}: Pick<Judgement, 'repairs' | 'remaining' | 'waiting'>): State =>
  repairs.length > 0 || remaining.some(isError) ? 'broken' : waiting > 0 ? 'pending' : 'healthy'

const isError = ({ severity }: Diagnostic): boolean => severity === 'error'

/** The dropped records, each with the rule whose repair removed it. */
export function droppedWith(
  { repairs }: Pick<Judgement, 'repairs'>,
  places: Places,
  passages: readonly Passage[],
): Examined['dropped'] {
  const rules = new Map<number, string>()
  for (const { rule, edits } of repairs)
    for (const edit of edits) for (const record of recordsLeft(edit)) rules.set(record, rule)
  return droppedIn(places, passages).map(record => ({ record, rule: rules.get(record) ?? '' }))
}

/** The records that an edit takes parts from. */
function recordsLeft(edit: Edit): number[] {
  if (edit.kind !== 'remove' && edit.kind !== 'replace') return []
  const before = edit.kind === 'remove' ? edit.message.parts : edit.before.parts
  const after = new Set<Part>(edit.kind === 'remove' ? [] : edit.after.parts)
  return before.flatMap(part => (part.slot === undefined || after.has(part) ? [] : [part.slot]))
}
