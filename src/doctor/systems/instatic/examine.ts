import type { Message } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { type ExaminedRecords, examinationFrom, examineEntries } from '../../examine-entries.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { hasStrangeBlock, rowOutcome } from './blocks.ts'
import { type Changes, changesOf } from './changes.ts'
import { healedChatRows } from './healed-rows.ts'
import { type Mapper, mapperOf } from './provider.ts'
import { chatFormat } from './record-format.ts'
import type { ChatMessageRow, ChatRow } from './rows.ts'

export interface ChatExamination {
  readonly examination: Examination
  /** What would be done; absent if there is nothing to do, or if the chat must be left alone. */
  readonly changes?: Changes
  /** The rows after the repair. */
  readonly healed: readonly ChatMessageRow[]
}

/** What is wrong with a chat, given its rows in order. */
export function examineChatRows(chat: ChatRow, rows: readonly ChatMessageRow[]): ChatExamination {
  const mapper = mapperOf(chat.provider)
  const { first, healed, repairs, dropped } = heal(rows, mapper)
  const notes = notesOn(chat, rows, first, mapper)
  const found = examinationFrom(first, record => shown(valueAt(rows, record)))
  if (found.state !== 'broken') return { examination: { ...found, notes }, healed: rows }
  const examination = { ...found, repairs, dropped, notes }
  return { examination, healed, ...(repairs.length > 0 ? { changes: changesOf(rows, healed) } : {}) }
}

/** Repairs until nothing changes: a removed row may leave its neighbours in a wrong order. */
function heal(rows: readonly ChatMessageRow[], mapper: Mapper) {
  let repairs: readonly Repair[] = []
  let dropped: readonly DroppedRecord[] = []
  let healed = rows
  let first: ExaminedRecords | undefined
  for (let round = 0; round < roundsMax; round++) {
    const recordFormat = chatFormat(healed, mapper)
    const examined = examineEntries(healed, recordFormat)
    first ??= examined
    if (examined.judgement.repairs.length === 0) break
    const standing = healed
    repairs = repairs.concat(examined.judgement.repairs)
    dropped = dropped.concat(examinationFrom(examined, record => shown(valueAt(standing, record))).dropped)
    healed = healedChatRows(healed, examined, recordFormat)
  }
  return { first: first as ExaminedRecords, healed, repairs, dropped }
}

const roundsMax = 4

const shown = (row: ChatMessageRow): Omit<DroppedRecord, 'rule'> => ({
  at: `position ${row.position}`,
  content: JSON.stringify(row),
})

function notesOn(
  { provider }: ChatRow,
  rows: readonly ChatMessageRow[],
  { judgement }: ExaminedRecords,
  { splitsSteps }: Mapper,
): string[] {
  const notes: string[] = []
  const legacy = rows.filter(isLegacy).length
  if (legacy > 0)
    notes.push(
      `${legacy} ${legacy === 1 ? 'result is' : 'results are'} in the form of before June 2026, which newer programs show as interrupted`,
    )
  const parts = judgement.messages.flatMap(message => message.parts)
  const strange = new Set(parts.filter(({ kind }) => kind === 'other').map(({ slot }) => slot ?? -1))
  for (const { position } of rows.filter((row, record) => strange.has(record) && hasStrangeBlock(row)))
    notes.push(
      `position ${position} has a block of a kind that is not known here; a program that does not know it reads the row as empty`,
    )
  if (splitsSteps && judgement.messages.some(isOfRows))
    notes.push(
      `Instatic sends one message per row to ${provider ?? 'providers of chat completions'}, so strict servers reject steps with several calls; the rows are correct`,
    )
  return notes
}

/** Whether one message makes calls in several rows. */
const isOfRows = ({ parts }: Message): boolean =>
  new Set(parts.filter(({ kind }) => kind === 'call').map(({ slot }) => slot)).size > 1

/** Most rows are compared without parsing them. */
const isLegacy = (row: ChatMessageRow): boolean =>
  row.role === 'tool' && !row.content_json.includes('"toolResult"') && rowOutcome(row).isLegacy
