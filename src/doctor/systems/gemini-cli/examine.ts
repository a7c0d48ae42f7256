import type { Part } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { recordsIn } from '../../arrange.ts'
import { whyNotEmptied } from '../../backup/proof.ts'
import { drawExamined, type ExaminedRecords, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { fingerprint } from '../../files/fingerprint.ts'
import { type AssertUnused, swapFile } from '../../files/swap-file.ts'
import { spliced } from '../../linked/spliced.ts'
import type { RecordContent, RecordFields } from '../../record-format.ts'
import { storeFormat, withWholeContents } from '../../record-format.ts'
import { notJsonNotes, reportText } from '../../report-text.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { titled } from '../../titles/stored-title.ts'
import { openingTitle, titleFrom } from '../../titles/title-text.ts'
import { type Folded, foldSession, type Placed, wholeMessages } from './fold.ts'
import { healedMessages } from './healed-messages.ts'
import { filledPart, type MessageContents, messageContents } from './message.ts'

type Entry = Placed<MessageContents>

/**
 * Examines the messages of a session. A result in `toolCalls` counts only if no user message holds it: the program
 * writes both, and a session with both is as it should be.
 */
export function examineMessages(
  entries: readonly Entry[],
  fill: (entry: Entry, part: Part) => Part = (_, part) => part,
): {
  examined: ExaminedRecords
  contents(entry: Entry): readonly RecordContent[]
} {
  const answered = new Set<string>()
  for (const { value } of entries)
    for (const { role, parts } of value.recordContents)
      if (role === 'tool') for (const part of parts) if (part.kind === 'result') answered.add(part.id)
  const contents = ({ value: { recordContents, own } }: Entry): readonly RecordContent[] => [
    ...recordContents,
    ...own.filter(({ id }) => !answered.has(id)).map((part): RecordContent => ({ role: 'tool', parts: [part] })),
  ]
  const format = storeFormat({
    root: 'messages',
    idless: true,
    exactIds: true,
    namesResults: true,
    locate: ({ origin }, part) => entries[part?.slot ?? origin ?? -1]?.at ?? '',
  })
  const read = (entry: Entry): readonly RecordContent[] =>
    contents(entry).map(content => ({ ...content, parts: content.parts.map(part => fill(entry, part)) }))
  return { examined: examineEntries(entries, { format, dialect: 'gemini', read }), contents: read }
}

/** The messages after the repair. */
export function healedFrom(
  entries: readonly Entry[],
  { examined, contents }: ReturnType<typeof examineMessages>,
  whole: ReadonlyMap<string, RecordFields>,
): readonly RecordFields[] {
  return healedMessages(recordsIn(examined.places, entries.length), record => {
    const entry = valueAt(entries, record)
    return { message: whole.get(entry.id) ?? {}, parts: contents(entry).flatMap(({ parts }) => parts) }
  })
}

/** The summary that the program wrote, else the first prompt. */
export const sessionTitle = (summary: unknown, entries: readonly Entry[]): string | undefined =>
  titleFrom(summary) ?? openingTitle(entries.map(({ value }) => value.recordContents))

/** Examines a session in a file of lines. A repair appends a line with all messages, as the program itself does. */
export function examineSession(path: string): Examination {
  const before = fingerprint(path)
  const folded = foldSession(path, messageContents)
  const { messages: entries } = folded
  const judged = examineMessages(entries)
  let known: ReadonlyMap<string, RecordFields> | undefined
  const whole = (): ReadonlyMap<string, RecordFields> => (known ??= wholeMessages(path))
  const show = (record: number): Omit<DroppedRecord, 'rule'> => {
    const { id, at } = valueAt(entries, record)
    return { at, content: reportText(JSON.stringify(whole().get(id))) }
  }
  const found = examinationFrom(judged.examined, show)
  const fileRepairs = fileRepairsOf(folded)
  const repairs = [...fileRepairs, ...found.repairs]
  const examination: Examination = {
    ...found,
    ...titled(sessionTitle(folded.summary, entries)),
    draw: () =>
      withWholeContents(() => {
        const messages = whole()
        const fill = ({ id }: Entry, part: Part): Part => filledPart(messages.get(id) ?? {}, part)
        return drawExamined(examineMessages(foldSession(path, messageContents).messages, fill).examined, show)
      }),
    repairs,
    notes: notJsonNotes(folded.bad.map(line => line + 1)),
    ...(repairs.length > 0 && { state: 'broken' as const }),
  }
  if (repairs.length === 0) return examination
  const isRewritten = found.repairs.length > 0 || folded.joined.length > 0
  const healed = isRewritten ? healedFrom(entries, judged, whole()) : []
  const whyNot = isRewritten ? whyNotEmptied([...whole().values()], healed) : undefined
  known = undefined
  if (whyNot !== undefined) return { ...examination, notes: [...examination.notes, whyNot] }
  const apply = (assertUnused: AssertUnused | undefined): Promise<void> => {
    const { lastUpdated } = folded
    const set = { messages: healed, ...(lastUpdated !== undefined && { lastUpdated }) }
    const line = isRewritten ? `${JSON.stringify({ $set: set })}\n` : ''
    const insert = `${folded.endsLine ? '' : '\n'}${line}`
    return swapFile(path, before, spliced(path, [{ at: Number(before.size), remove: 0, insert }]), assertUnused)
  }
  return { ...examination, storeRepair: { files: [path], apply } }
}

/** Defects of the file itself. Everything in it stays: a line that is not JSON is skipped by the program. */
const fileRepairsOf = ({ joined, isTorn, bad }: Folded<unknown>): Repair[] => [
  ...joined.map(
    (line): Repair => ({
      rule: 'joined-records',
      severity: 'error',
      edits: [],
      at: `line ${line + 1}`,
      message: 'a record shares its line with another one, or with the rest of one, so it is not read',
      help: 'write it again on a line of its own (lossless)',
      class: 'lossless',
    }),
  ),
  ...(isTorn
    ? [
        {
          rule: 'torn-record',
          severity: 'error' as const,
          edits: [],
          at: `line ${(bad.at(-1) ?? 0) + 1}`,
          message: 'a write was cut off in the middle of a record',
          help: 'end its line, so that the next record is read (lossless)',
          class: 'lossless' as const,
        },
      ]
    : []),
]
