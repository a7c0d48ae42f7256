import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { longestIncreasingSubsequence } from '../../../core/longest-increasing-subsequence.ts'
import { jsonLayoutOf, printJson } from '../../files/layout.ts'
import { printLike } from '../../files/print-like.ts'
import { resultsAfterCalls } from './results-after-calls.ts'
import type { SessionRow } from './rows.ts'

/** A row of the repaired session. */
export interface HealedRow {
  /** The row it was before; absent if it is new. */
  readonly row?: number
  /** For a new one, the row of its call; otherwise the row itself. */
  readonly model: number
  readonly message_data: string
  /** It follows the same rows as before. */
  readonly stays: boolean
}

/**
 * The rows of a repaired session in order. `records` are those that hold the items of `history`; a row without an item
 * stays after the row that it followed.
 */
export function healedSessionRows(
  rows: readonly SessionRow[],
  records: readonly number[],
  history: readonly unknown[],
  healed: readonly unknown[],
): HealedRow[] {
  const origins = originsOf(history, healed)
  const asides = asidesOf(rows, records, new Set(origins))
  const calls = new Map<unknown, number>()
  const result: Omit<HealedRow, 'stays'>[] = [...(asides.get(-1) ?? [])]
  for (const index of resultsAfterCalls(healed, origins)) {
    const item = healed[index]
    const origin = origins[index]
    const last = result.at(-1)?.model ?? 0
    if (origin === undefined) {
      const model = calls.get(idOf(item)) ?? last
      result.push({ model, message_data: made(item, valueAt(rows, model).message_data) })
      continue
    }
    const row = valueAt(records, origin)
    const { message_data } = valueAt(rows, row)
    calls.set(idOf(item), row)
    result.push({ row, model: row, message_data: printLike({ text: message_data, value: history[origin] }, item) })
    for (const aside of asides.get(row) ?? []) result.push(aside)
  }
  const standing = result.filter(({ row }) => row !== undefined)
  const increasing = new Set(longestIncreasingSubsequence(standing, ({ row }) => row as number))
  return result.map(entry => ({ ...entry, stays: increasing.has(entry) }))
}

const idOf = (item: unknown): unknown => (isRecord(item) ? item.call_id : undefined)

/** The previous item of each one: the same object, or one that differs only in its ids. */
function originsOf(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const places = new Map(before.map((item, index) => [item, index]))
  const origins = after.map(item => places.get(item))
  if (!origins.includes(undefined)) return origins
  const taken = new Set(origins)
  const alike = new Map<string, number[]>()
  for (const [index, item] of before.entries()) {
    if (taken.has(index)) continue
    const known = alike.get(withoutIds(item))
    if (known) known.push(index)
    else alike.set(withoutIds(item), [index])
  }
  return after.map((item, index) => origins[index] ?? alike.get(withoutIds(item))?.shift())
}

function withoutIds(item: unknown): string {
  if (!isRecord(item)) return String(item)
  const { id: _, call_id: __, ...rest } = item
  return JSON.stringify(rest)
}

/** Rows without an item, by the remaining row that they follow. */
function asidesOf(
  rows: readonly SessionRow[],
  records: readonly number[],
  kept: ReadonlySet<number | undefined>,
): ReadonlyMap<number, Omit<HealedRow, 'stays'>[]> {
  const items = new Map(records.map((record, index) => [record, index]))
  const asides = new Map<number, Omit<HealedRow, 'stays'>[]>()
  let anchor = -1
  for (const [row, { message_data }] of rows.entries()) {
    const index = items.get(row)
    if (index !== undefined) anchor = kept.has(index) ? row : anchor
    else {
      const followers = asides.get(anchor)
      if (followers) followers.push({ row, model: row, message_data })
      else asides.set(anchor, [{ row, model: row, message_data }])
    }
  }
  return asides
}

/** A new item, with its keys in the order of the SDK and formatted like the row of its call. */
function made(item: unknown, like: string): string {
  const { call_id, output, type, ...rest } = item as Record<string, unknown>
  const text = printJson({ call_id, output, type, ...rest }, { ...jsonLayoutOf([like], ''), base: '' })
  return text.replace(/[\u007f-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
