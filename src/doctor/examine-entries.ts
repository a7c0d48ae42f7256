import type { Part } from '../core/conversation.ts'
import type { Edit } from '../core/edit.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import { type Arrangement, arrange, droppedIn } from './arrange.ts'
import { drawMessageRecords } from './drawing.ts'
import { type JudgeFormat, type Judgement, judge, type Waiting } from './judge.ts'
import { MessageAssembler, type MessageRecords, type RecordFormat } from './record-format.ts'
import type { ConversationState, Drawing, DroppedRecord, Examination } from './system.ts'

/** A conversation that was judged, and the new places of its records. */
export interface ExaminedRecords {
  readonly judgement: Judgement
  readonly places: Arrangement
  readonly messageRecords: readonly MessageRecords[]
  /** How many records there are. */
  readonly count: number
  /** The records that lose something, with the rule that removed it. */
  readonly dropped: readonly { readonly record: number; readonly rule: string }[]
}

/** Judges the records of a conversation that is held as a whole. */
export function examineEntries<Entry>(
  entries: readonly Entry[],
  recordFormat: JudgeFormat & Pick<RecordFormat<Entry>, 'read'>,
  waiting?: Waiting,
): ExaminedRecords {
  const reading = new MessageAssembler()
  for (const [record, entry] of entries.entries()) reading.push(record, recordFormat.read(entry, record))
  const { messageRecords } = reading
  const judgement = judge(messageRecords, recordFormat, waiting)
  const places = arrange(messageRecords, judgement.messages)
  return {
    judgement,
    places,
    messageRecords,
    count: entries.length,
    dropped: droppedWith(judgement, places, messageRecords),
  }
}

/** The examination for a judgement. `show` returns a record as its system wrote it. */
export function examinationFrom(
  examined: ExaminedRecords,
  show: (record: number) => Omit<DroppedRecord, 'rule'>,
): Examination {
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

/** Draws what was examined. `show` returns a record as its system wrote it. */
export function drawExamined(
  { messageRecords, judgement, count }: ExaminedRecords,
  show: (record: number) => Omit<DroppedRecord, 'rule'>,
): Drawing {
  const records = Array.from({ length: count }, (_, record) => {
    const { at, content } = show(record)
    return { at, text: content }
  })
  return drawMessageRecords(messageRecords, judgement, records)
}

/** Broken if anything is repaired or an error remains; otherwise pending if a call is waiting. */
export const stateOf = ({
  repairs,
  remaining,
  waiting,
}: Pick<Judgement, 'repairs' | 'remaining' | 'waiting'>): ConversationState =>
  repairs.length > 0 || remaining.some(isError) ? 'broken' : waiting > 0 ? 'pending' : 'healthy'

const isError = ({ severity }: Diagnostic): boolean => severity === 'error'

/** The dropped records, each with the rule whose repair removed it. */
export function droppedWith(
  { repairs }: Pick<Judgement, 'repairs'>,
  places: Arrangement,
  messageRecords: readonly MessageRecords[],
): ExaminedRecords['dropped'] {
  const rules = new Map<number, string>()
  for (const { rule, edits } of repairs)
    for (const edit of edits) for (const record of recordsLeft(edit)) rules.set(record, rule)
  return droppedIn(places, messageRecords).map(record => ({ record, rule: rules.get(record) ?? '' }))
}

/** The records that an edit removes parts from. */
export function recordsLeft(edit: Edit): number[] {
  if (edit.kind !== 'remove' && edit.kind !== 'replace') return []
  const before = edit.kind === 'remove' ? edit.message.parts : edit.before.parts
  const after = new Set<Part>(edit.kind === 'remove' ? [] : edit.after.parts)
  return before.flatMap(part => (part.slot === undefined || after.has(part) ? [] : [part.slot]))
}
