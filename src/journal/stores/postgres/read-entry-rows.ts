import { missingEntriesError } from '../../damage.ts'
import type { PostgresConnection } from './connect.ts'
import { overtakenError } from './failure.ts'
import { integer, type PostgresRow } from './rows.ts'
import * as sql from './statements.ts'

/**
 * The rows of the entries behind a position, in order; undefined if there is no such thread. Small ones come at once. Of a
 * large one comes its size, so that the page can end where it has enough: whatever is stored, it has room in the memory. What
 * is large before that end is asked for by itself.
 */
export async function readEntryRows(
  { query }: Pick<PostgresConnection, 'query'>,
  ...[thread, after, limit]: readonly [thread: number, after: number, limit: number]
): Promise<readonly PostgresRow[] | undefined> {
  // So many small ones do not have more than a page may have.
  const bytesSmall = Math.floor(pageBytes / Math.max(limit, 1))
  const rows = await query(sql.read, [thread, after, limit, bytesSmall])
  if (rows.length === 0) return undefined
  const [{ head, seq: first }] = rows
  if (first === null && limit > 0 && integer(head) > after) throw missingEntriesError(after, integer(head))
  const page = cut(rows.filter(({ seq }) => seq !== null).sort((one, other) => integer(one.seq) - integer(other.seq)))
  if (page.every(isWhole)) return page
  const last = page[page.length - 1].seq
  const large = await query(sql.readLarge, [thread, after, last, bytesSmall])
  const data = new Map(large.map(row => [integer(row.seq), row.data]))
  return page.map(row => (isWhole(row) ? row : { ...row, data: data.get(integer(row.seq)) ?? overtaken() }))
}

/** The entry that goes over the bound is the last one, so that a page has one at least. */
function cut(rows: readonly PostgresRow[]): readonly PostgresRow[] {
  let bytes = 0
  const end = rows.findIndex(row => {
    bytes += isWhole(row) ? String(row.data).length : integer(String(row.data).slice(1))
    return bytes > pageBytes
  })
  return end < 0 ? rows : rows.slice(0, end + 1)
}

/** Not only its size, see `sql.read`. */
const isWhole = ({ data }: PostgresRow): boolean => !String(data).startsWith('#')

/** Entries never change, so whoever does not find one again has a thread that was removed. */
function overtaken(): never {
  throw overtakenError()
}

const pageBytes = 8 * 1024 * 1024
