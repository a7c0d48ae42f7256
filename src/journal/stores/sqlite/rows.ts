import type { SQLOutputValue } from 'node:sqlite'
import { AntiphonError } from '../../../core/errors.ts'
import { parseData } from '../../damage.ts'
import { type Entry, entryVersion } from '../../entry.ts'
import type { ThreadRow } from '../store.ts'

type Columns = Record<string, SQLOutputValue>

/** A thread from its columns, in which what is not there is null. */
export function toThreadRow({ owner, dueAt, ...columns }: Columns): ThreadRow {
  const row = { ...columns, ...(owner !== null && { owner }), ...(dueAt !== null && { dueAt }) }
  return row as unknown as ThreadRow
}

/** An entry from its columns. Refuses one of a version that this code does not know. */
export function toEntry({ seq, at, epoch, version, kind, data }: Columns): Entry {
  if (Number(version) > entryVersion)
    throw new AntiphonError(
      'newer-journal',
      `Entry ${seq} has version ${version}, and this code knows ${entryVersion}`,
      {
        hint: 'Use a newer release of antiphon with it.',
      },
    )
  return { kind, ...parseData(data, Number(seq)), seq, at, epoch } as unknown as Entry
}
