import { AntiphonError } from '../../../core/errors.ts'
import { parseData } from '../../damage.ts'
import { type Entry, entryVersion, readVersion } from '../../entry.ts'
import { readMetadata } from '../../metadata/stored-metadata.ts'
import type { StoredThreadState, ThreadRow, WriteResult } from '../store.ts'
import { latestTimestamp } from '../times.ts'
import { inPlace, relocationIn } from './relocation.ts'
import { fromColumn } from './text-column.ts'

/** A row as a driver returns it: a `bigint` is a string, a number or a BigInt. */
export type PostgresRow = Readonly<Record<string, unknown>>

/** A thread that is on its way to another shard is shown as it was before. Throws if it is there. */
export function toThreadRow(row: PostgresRow): ThreadRow {
  const relocation = relocationIn(row)
  if (relocation) return toThreadRow(inPlace(row, relocation))
  return {
    thread: integer(row.thread),
    name: fromColumn(String(row.name)),
    uid: String(row.uid),
    head: safe(row.head),
    epoch: safe(row.epoch),
    ...(row.owner === null ? {} : { owner: fromColumn(String(row.owner)) }),
    leasedUntil: safe(row.leased_until),
    state: String(row.state) as StoredThreadState,
    ...(row.due_at === null ? {} : { dueAt: safe(row.due_at) }),
    openCalls: safe(row.open_calls),
    createdAt: safe(row.created_at),
    updatedAt: safe(row.updated_at),
    ...(typeof row.metadata === 'string' ? { metadata: readMetadata(row.metadata, safe(row.revision)) } : {}),
  }
}

export function toEntry(row: PostgresRow): Entry {
  if (readVersion(integer(row.version)) > entryVersion)
    throw new AntiphonError(
      'newer-journal',
      `entry ${row.seq} has version ${row.version}, this release reads up to ${entryVersion}`,
      {
        hint: 'update antiphon in every process that opens this journal',
      },
    )
  const { seq, epoch, at, kind } = row
  const data = parseData(row.data, integer(seq))
  return { kind, ...data, seq: integer(seq), at: safe(at), epoch: safe(epoch) } as unknown as Entry
}

export const toWriteResult = (row: PostgresRow): WriteResult => ({
  ok: true,
  head: integer(row.head),
  epoch: integer(row.epoch),
  at: integer(row.at),
})

/** Refuses a number that would be rounded, since it would be the key of another thread. */
export function integer(value: unknown): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new AntiphonError('journal-damaged', `the journal contains an invalid integer: ${value}`, {
    hint: 'thread keys have at most 53 bits: the sequence of antiphon_name must start at 1',
  })
}

/** A number that JavaScript can represent, also as a time. Another program may have written others: an error would make all threads of a list unreadable. */
const safe = (value: unknown): number => Math.min(Number(value), latestTimestamp)
