import { AntiphonError } from '../../../core/errors.ts'
import { parseData } from '../../damage.ts'
import { type Entry, entryVersion } from '../../entry.ts'
import type { StoredThreadState, ThreadRow, WriteResult } from '../store.ts'
import { fromColumn } from './text-column.ts'

/** A row as a driver gives it: `bigint` comes as a text, a number or a BigInt. */
export type PostgresRow = Readonly<Record<string, unknown>>

export function toThreadRow(row: PostgresRow): ThreadRow {
  return {
    thread: integer(row.thread),
    name: fromColumn(String(row.name)),
    uid: String(row.uid),
    head: integer(row.head),
    epoch: integer(row.epoch),
    ...(row.owner === null ? {} : { owner: fromColumn(String(row.owner)) }),
    leasedUntil: integer(row.leased_until),
    state: String(row.state) as StoredThreadState,
    ...(row.due_at === null ? {} : { dueAt: integer(row.due_at) }),
    openCalls: integer(row.open_calls),
    createdAt: integer(row.created_at),
    updatedAt: integer(row.updated_at),
  }
}

export function toEntry(row: PostgresRow): Entry {
  if (integer(row.version) > entryVersion)
    throw new AntiphonError('newer-journal', `entry ${row.seq} is of version ${row.version}, newer than this program`, {
      hint: 'Update antiphon in every process that reads this journal.',
    })
  const { seq, epoch, at, kind } = row
  const data = parseData(row.data, integer(seq))
  return { kind, ...data, seq: integer(seq), at: integer(at), epoch: integer(epoch) } as unknown as Entry
}

export const toWriteResult = (row: PostgresRow): WriteResult => ({
  ok: true,
  head: integer(row.head),
  epoch: integer(row.epoch),
  at: integer(row.at),
})

/** A number that would be rounded must not pass: it would be the key of another thread. */
export function integer(value: unknown): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new AntiphonError('journal-damaged', `the journal has a number that cannot be right: ${value}`, {
    hint: 'Keys of threads have at most 53 bits: the sequence behind antiphon_name must count from 1.',
  })
}
