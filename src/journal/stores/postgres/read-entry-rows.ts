import { missingEntriesError } from '../../damage.ts'
import { assertNotErased } from '../../erasure/tombstone.ts'
import type { PostgresConnection } from './connect.ts'
import { overtakenError } from './failure.ts'
import { integer, type PostgresRow, toThreadRow } from './rows.ts'
import * as sql from './statements.ts'

/**
 * The rows of the entries after a position, in order; undefined if the thread does not exist. The first query returns small
 * entries, and the size of large ones, so that the page can be cut before it takes too much memory. A second query reads the
 * large entries of the page.
 */
export async function readEntryRows(
  { query }: Pick<PostgresConnection, 'query'>,
  ...[thread, after, limit]: readonly [thread: number, after: number, limit: number]
): Promise<readonly PostgresRow[] | undefined> {
  // `limit` entries of this size fit into one page.
  const bytesSmall = Math.floor(pageBytes / Math.max(limit, 1))
  const rows = await query(sql.read, [thread, after, limit, bytesSmall])
  const [row] = rows
  if (!row) return undefined
  const { head, seq: first, state } = row
  if (state === 'erased') await assertReadable(query, thread)
  if (first === null && limit > 0 && integer(head) > after) throw missingEntriesError(after, integer(head))
  const sizeOf = (row: PostgresRow): number | undefined => largeSize(row, bytesSmall)
  const inOrder = rows.filter(({ seq }) => seq !== null).sort((one, other) => integer(one.seq) - integer(other.seq))
  const page = cut(inOrder, sizeOf)
  const last = page.at(-1)
  if (!last || page.every(row => sizeOf(row) === undefined)) return page
  const large = await query(sql.readLarge, [thread, after, last.seq, bytesSmall])
  const data = new Map(large.map(row => [integer(row.seq), row.data]))
  return page.map(row =>
    sizeOf(row) === undefined ? row : { ...row, data: data.get(integer(row.seq)) ?? overtaken() },
  )
}

/** A thread that is on its way to another shard can be read until it is there. */
async function assertReadable(query: PostgresConnection['query'], thread: number): Promise<void> {
  const [row] = await query(sql.get, [thread])
  assertNotErased(row ? toThreadRow(row) : overtaken())
}

/** The entry that exceeds the limit is included, so that a page has at least one. */
function cut(rows: readonly PostgresRow[], sizeOf: (row: PostgresRow) => number | undefined): readonly PostgresRow[] {
  let bytes = 0
  const end = rows.findIndex(row => {
    bytes += sizeOf(row) ?? String(row.data).length
    return bytes > pageBytes
  })
  return end < 0 ? rows : rows.slice(0, end + 1)
}

/** The size of an entry that comes without its data (see `sql.read`). Any other text that begins with `#` is what is stored. */
function largeSize({ data }: PostgresRow, bytesSmall: number): number | undefined {
  const [, digits] = /^#(\d{1,15})$/.exec(String(data)) ?? []
  return digits !== undefined && Number(digits) > bytesSmall ? Number(digits) : undefined
}

/** Entries never change, so one that is missing now belongs to a thread that was removed. */
function overtaken(): never {
  throw overtakenError()
}

const pageBytes = 8 * 1024 * 1024
