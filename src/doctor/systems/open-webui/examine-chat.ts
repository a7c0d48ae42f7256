import type { DatabaseSync } from 'node:sqlite'
import { valueAt } from '../../../core/invariant.ts'
import { drawExamined, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { storeFormat, withWholeContents } from '../../record-format.ts'
import { reportText } from '../../report-text.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { branchOf, readMessage } from './messages.ts'

/** Judges the branch of a chat that is sent next. Nothing is repaired. */
export function examineChat(database: DatabaseSync, id: string, place: string): Examination {
  const branch = branchOf(database, id, place)
  const at = (record: number): string => `message ${branch[record]?.id ?? ''}`
  const format = {
    format: storeFormat({
      root: 'messages',
      locate: ({ origin }, part) => at(part?.slot ?? origin ?? -1),
    }),
    dialect: 'openai' as const,
    read: readMessage,
  }
  // An answer that is not done may still be running, or wait for an approval.
  const waiting = { tail: branch.at(-1)?.fields.done === false }
  const examined = examineEntries(branch, format, waiting)
  const show = (record: number): Omit<DroppedRecord, 'rule'> => ({
    at: at(record),
    content: reportText(JSON.stringify(valueAt(branch, record).fields)),
  })
  const found = examinationFrom(examined, show)
  return {
    ...found,
    dropped: [],
    notes: found.repairs.length > 0 ? [notRepaired] : [],
    draw: () => withWholeContents(() => drawExamined(examineEntries(branch, format, waiting), show)),
  }
}

const notRepaired =
  'it is not repaired: Open WebUI stores each message twice and merges both when it saves a chat; regenerate the answer in its window, or use antiphon proxy for its requests'
