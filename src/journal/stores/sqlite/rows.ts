import type { SQLOutputValue } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import { parseData } from '../../damage.ts'
import { type Entry, entryVersion, sealedVersions } from '../../entry.ts'
import type { ThreadRow } from '../store.ts'

type Columns = Record<string, SQLOutputValue>

/** A thread from its columns. Missing values are null there. */
export function toThreadRow({ owner, dueAt, ...columns }: Columns): ThreadRow {
  const row = { ...columns, ...(owner !== null && { owner }), ...(dueAt !== null && { dueAt }) }
  return row as unknown as ThreadRow
}

/** An entry from its columns. Refuses an entry of a newer version. */
export function toEntry({ seq, at, epoch, version, kind, data }: Columns): Entry {
  if (Number(version) % sealedVersions > entryVersion)
    throw new AntiphonError(
      'newer-journal',
      `entry ${seq} has version ${version}, this release reads up to ${entryVersion}`,
      {
        hint: 'update antiphon in every process that opens this journal',
      },
    )
  return { kind, ...parseData(data, Number(seq)), seq, at, epoch } as unknown as Entry
}
