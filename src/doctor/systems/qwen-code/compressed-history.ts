import { isRecord } from '../../../core/conversation.ts'
import { lenientFacts } from '../../../core/dialect.ts'
import { type ExaminedList, examineList } from '../../examine-list.ts'
import type { Correction } from '../../linked/linked-format.ts'
import type { RecordFields } from '../../record-format.ts'

/** The history that a compression put in the place of everything before it. */
export function compressed({ subtype, systemPayload }: RecordFields): readonly unknown[] | undefined {
  const history =
    subtype === 'chat_compression' && isRecord(systemPayload) ? systemPayload.compressedHistory : undefined
  return Array.isArray(history) ? history : undefined
}

/** What is wrong within a compressed history. The calls of its last turn are answered by the records after it. */
export function historyCorrections(entry: RecordFields, record: number): readonly Correction[] {
  const history = compressed(entry)
  if (!history) return []
  return examined(history).repairs.map(repair => ({
    record,
    entry: withHealedHistory,
    repair: at => ({ ...repair, edits: [], at: `${at}, ${repair.at.replace(/^contents/, 'compressedHistory')}` }),
  }))
}

const examined = (history: readonly unknown[]): ExaminedList =>
  examineList(history, { format: 'gemini', facts: lenientFacts, keepsText: true, marksSteps: true }, { tail: true })

function withHealedHistory(entry: RecordFields): RecordFields {
  const compressedHistory = examined(compressed(entry) ?? []).messages
  return { ...entry, systemPayload: { ...(entry.systemPayload as RecordFields), compressedHistory } }
}
