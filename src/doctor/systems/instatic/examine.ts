import type { Message } from '../../../core/conversation.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { type Examined, examinationOf, examineEntries } from '../../examine-entries.ts'
import type { Dropped, Examination } from '../../system.ts'
import { hasStrangeBlock, outcomeOf } from './blocks.ts'
import { type Changes, changesOf } from './changes.ts'
import { healedRows } from './healed-rows.ts'
import { type Mapper, mapperOf } from './provider.ts'
import type { Chat, Row } from './rows.ts'
import { scriptFor } from './script.ts'

export interface ChatExamination {
  readonly examination: Examination
  /** What would be done; absent if there is nothing to do, or if the chat must be left alone. */
  readonly changes?: Changes
  /** The rows when it is done. */
  readonly healed: readonly Row[]
}

/** What is wrong with a chat, by its rows in order. */
export function examineChat(chat: Chat, rows: readonly Row[]): ChatExamination {
  const mapper = mapperOf(chat.provider)
  const { first, healed, repairs, dropped } = heal(rows, mapper)
  const notes = notesOn(chat, rows, first, mapper)
  const found = examinationOf(first, record => shown(rows[record]))
  if (found.state !== 'broken') return { examination: { ...found, notes }, healed: rows }
  const examination = { ...found, repairs, dropped, notes }
  return { examination, healed, ...(repairs.length > 0 ? { changes: changesOf(rows, healed) } : {}) }
}

/** Heals until nothing is left to do: a row that goes may leave its neighbours standing otherwise than before. */
function heal(rows: readonly Row[], mapper: Mapper) {
  let repairs: readonly Repair[] = []
  let dropped: readonly Dropped[] = []
  let healed = rows
  let first: Examined | undefined
  for (let round = 0; round < roundsMax; round++) {
    const script = scriptFor(healed, mapper)
    const examined = examineEntries(healed, script)
    first ??= examined
    if (examined.judgement.repairs.length === 0) break
    const standing = healed
    repairs = repairs.concat(examined.judgement.repairs)
    dropped = dropped.concat(examinationOf(examined, record => shown(standing[record])).dropped)
    healed = healedRows(healed, examined, script)
  }
  return { first: first as Examined, healed, repairs, dropped }
}

const roundsMax = 4

const shown = (row: Row): Omit<Dropped, 'rule'> => ({ at: `position ${row.position}`, content: JSON.stringify(row) })

function notesOn({ provider }: Chat, rows: readonly Row[], { judgement }: Examined, { splitsSteps }: Mapper): string[] {
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
      `Instatic sends a message a row to ${provider ?? 'providers of chat completions'}, so strict servers refuse steps with several calls; the rows are as they should be`,
    )
  return notes
}

/** Whether a message makes calls in several rows. */
const isOfRows = ({ parts }: Message): boolean =>
  new Set(parts.filter(({ kind }) => kind === 'call').map(({ slot }) => slot)).size > 1

/** Most rows are told apart without being read. */
const isLegacy = (row: Row): boolean =>
  row.role === 'tool' && !row.content_json.includes('"toolResult"') && outcomeOf(row).isLegacy
