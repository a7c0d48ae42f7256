import type { Part } from '../../core/conversation.ts'
import { valueAt } from '../../core/invariant.ts'
import { parseVerbatim } from '../../core/json/exact-json.ts'
import { type Arrangement, recordsIn } from '../arrange.ts'
import { printLike, type ValueText } from '../files/print-like.ts'
import type { RecordFields } from '../record-format.ts'
import { partsOf, type TimedRow, type TimedRows } from './timed-rows.ts'

/** A change to the rows of a session. The content of rows is not kept in memory: the new text is made from the old one when it is written. */
export type RowChange =
  | { readonly kind: 'remove'; readonly number: number }
  | {
      readonly kind: 'change'
      readonly number: number
      readonly text?: (text: string) => string
      readonly time?: number
    }
  | {
      readonly kind: 'add'
      /** The row that it takes parts from, if it does. */
      readonly source?: number
      readonly like: TimedRow
      readonly time: number
      blocks(text: string): readonly RecordFields[]
    }

/** A row of the repaired conversation. */
interface PlannedRow {
  readonly row: TimedRow
  readonly isNew: boolean
  /** The parts that it takes from its row; all if absent. */
  readonly parts?: readonly Part[]
  /** It holds results only. */
  readonly isResult: boolean
  /** New results before and after its own. */
  readonly before: RecordFields[]
  readonly after: RecordFields[]
}

/** The changes that make the rows of a conversation those of the repaired one. */
export function plannedRows(rows: readonly TimedRow[], places: Arrangement, format: TimedRows): RowChange[] {
  const planned = rowsInOrder(rows, places, format)
  const times = timesOf(planned, rows)
  const kept = new Set(planned.flatMap(({ row, isNew }) => (isNew ? [] : [row.number])))
  return [
    ...planned.flatMap((one, index): RowChange[] => {
      const { row, isNew, parts, before, after } = one
      const time = valueAt(times, index)
      const isRewritten = parts !== undefined || before.length > 0 || after.length > 0
      if (isNew) {
        const blocks = (text: string): readonly RecordFields[] => blocksOf(one, parse(text), format)
        return [{ kind: 'add', like: row, time, blocks, ...(parts && { source: row.number }) }]
      }
      if (!isRewritten && time === row.time) return []
      const text = (old: string): string => {
        const value = parse(old)
        return printLike({ text: old, value } satisfies ValueText, blocksOf(one, value, format))
      }
      return [{ kind: 'change', number: row.number, ...(isRewritten && { text }), ...(time !== row.time && { time }) }]
    }),
    ...rows.flatMap(({ number }): RowChange[] => (kept.has(number) ? [] : [{ kind: 'remove', number }])),
  ]
}

const parse = (text: string): readonly RecordFields[] => parseVerbatim(text) as readonly RecordFields[]

/** A new result is put into a row that holds results of the same step, or becomes a row. */
function rowsInOrder(rows: readonly TimedRow[], places: Arrangement, format: TimedRows): PlannedRow[] {
  const planned: PlannedRow[] = []
  let open: { readonly row: TimedRow; readonly blocks: RecordFields[] } | undefined
  const close = (): void => {
    if (open) planned.push({ row: open.row, isNew: true, isResult: true, before: [], after: open.blocks })
    open = undefined
  }
  for (const arranged of recordsIn(places, rows.length)) {
    const row = valueAt(rows, arranged.record)
    if (arranged.kind === 'made') {
      const block = format.answer(arranged.call, arranged.result)
      const last = planned.at(-1)
      if (!open && last?.isResult) last.after.push(block)
      else if (open) open.blocks.push(block)
      else open = { row, blocks: [block] }
      continue
    }
    const parts = arranged.kind === 'written' ? arranged.parts : undefined
    if (parts?.length === 0) continue
    const all = parts ?? partsOf(row)
    const isResult = all.length > 0 && all.every(({ kind }) => kind === 'result')
    const before = isResult && open ? open.blocks : []
    if (isResult) open = undefined
    else close()
    const isNew = arranged.kind === 'written' && arranged.copy > 0
    planned.push({ row, isNew, isResult, before, after: [], ...(parts && { parts }) })
  }
  close()
  return planned
}

/** The blocks of a planned row, given those that its row has now. */
function blocksOf(
  { row, isNew, parts, before, after }: PlannedRow,
  now: readonly RecordFields[],
  format: TimedRows,
): readonly RecordFields[] {
  if (isNew && !parts) return after
  const read = new Set(partsOf(row).map(({ raw }) => raw as number))
  const ids = new Map((parts ?? partsOf(row)).map(part => [part.raw as number, part]))
  const kept = now.flatMap((block, index) => {
    const part = ids.get(index)
    if (!part) return read.has(index) || isNew ? [] : [{ block, isPart: false }]
    const isNamed = part.kind === 'call' || part.kind === 'result'
    return [{ block: isNamed ? format.withId(block, part.id, part) : block, isPart: true }]
  })
  const end = kept.findLastIndex(({ isPart }) => isPart) + 1
  const list = kept.map(({ block }) => block)
  return [...before, ...list.slice(0, end), ...after, ...list.slice(end)]
}

/**
 * Times with which the rows are read in this order. A result that moves gets the time of the row before it. The time of
 * any other row is raised, only if it would otherwise be read before the row that precedes it here.
 */
function timesOf(planned: readonly PlannedRow[], rows: readonly TimedRow[]): number[] {
  let number = rows.reduce((highest, row) => Math.max(highest, row.number), 0)
  const numbers = planned.map(({ row, isNew }) => (isNew ? ++number : row.number))
  const nextTexts: (TimedRow | undefined)[] = []
  let next: TimedRow | undefined
  for (let index = planned.length - 1; index >= 0; index--) {
    nextTexts[index] = next
    const { row, isNew, isResult } = valueAt(planned, index)
    if (!isNew && !isResult && !(next && isBefore(next, row))) next = row
  }
  let last = { time: Number.NEGATIVE_INFINITY, number: 0 }
  return planned.map(({ row, isNew, isResult }, index) => {
    const nextText = nextTexts[index]
    const isMoved = isNew || (isResult && nextText !== undefined && isBefore(nextText, row))
    const wanted = isMoved && Number.isFinite(last.time) ? last.time : row.time
    const at = valueAt(numbers, index)
    const isAfter = isBefore(last, { time: wanted, number: at })
    const time = isAfter ? wanted : at > last.number ? last.time : last.time + 1
    last = { time, number: at }
    return time
  })
}

type Place = Pick<TimedRow, 'time' | 'number'>

const isBefore = (one: Place, other: Place): boolean =>
  one.time < other.time || (one.time === other.time && one.number < other.number)
