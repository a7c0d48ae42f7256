import { AntiphonError } from '../../../core/errors.ts'
import { parseData } from '../../damage.ts'
import { type Entry, entryVersion, readVersion } from '../../entry.ts'
import { readMetadata, type StoredMetadata } from '../../metadata/stored-metadata.ts'
import { columnParts } from '../entry-column.ts'
import type { ThreadRow } from '../store.ts'
import type { SqlRow } from './sql-database.ts'

/** A thread from its columns. Missing values are null there. */
export function toThreadRow({ owner, dueAt, metadata, ...columns }: SqlRow): ThreadRow {
  const row = {
    ...{ ...columns, ...(owner !== null && { owner }), ...(dueAt !== null && { dueAt }) },
    ...(typeof metadata === 'string' && { metadata: toMetadata(metadata) }),
  }
  return row as unknown as ThreadRow
}

function toMetadata(column: string): StoredMetadata {
  const [revision = ''] = column.match(/^\d+/) ?? []
  return readMetadata(column.slice(revision.length), Number(revision))
}

/** An entry from its columns. Refuses an entry of a newer version. */
export function toEntry({ seq, at, epoch, version, kind, data }: SqlRow): Entry {
  if (readVersion(Number(version)) > entryVersion)
    throw new AntiphonError(
      'newer-journal',
      `entry ${seq} has version ${version}, this release reads up to ${entryVersion}`,
      {
        hint: 'update antiphon in every process that opens this journal',
      },
    )
  const { json, sealed } = columnParts(data)
  return { kind, ...parseData(json, Number(seq)), ...(sealed && { sealed }), seq, at, epoch } as unknown as Entry
}
