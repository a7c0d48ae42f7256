import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { drawExamined, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { fileError } from '../../files/file-error.ts'
import { type RecordFields, storeFormat, withWholeContents } from '../../record-format.ts'
import { reportText } from '../../report-text.ts'
import type { Database } from '../../sqlite.ts'
import type { Drawing, DroppedRecord, Examination } from '../../system.ts'
import { type EventRow, eventContents, eventText, hasEffects, longRunningIds } from './event.ts'
import { plannedEvents, writeEvents } from './write-events.ts'

/** The name of the app, the user and the session. */
export type SessionKey = readonly [string, string, string]

/** Judges the events of a session in the order in which they are read. */
export function examineSession(database: Database, key: SessionKey, place: string): Examination {
  const rows = eventRows(database.look, key, place)
  const format = {
    format: storeFormat({
      root: 'events',
      locate: ({ origin }, part) => `event ${rows[part?.slot ?? origin ?? -1]?.rowid ?? ''}`,
    }),
    dialect: 'gemini' as const,
    read: (row: EventRow) => row.contents,
    write: (row: EventRow) => row,
    answer: (_: unknown, row: EventRow) => row,
  }
  const examined = examineEntries(rows, format)
  const show = (record: number): Omit<DroppedRecord, 'rule'> => {
    const { rowid } = valueAt(rows, record)
    return { at: `event ${rowid}`, content: reportText(eventText(database.look, rowid)) }
  }
  const draw = (): Drawing =>
    withWholeContents(() => drawExamined(examineEntries(eventRows(database.look, key, place), format), show))
  const found = { ...examinationFrom(examined, show), draw }
  if (found.repairs.length === 0) return found
  if (new Set(rows.map(({ branch }) => branch)).size > 1)
    return {
      ...found,
      notes: ['its agents ran in parallel (branches), so its events have no single order: it is not repaired'],
    }
  const planned = plannedEvents(rows, examined.places)
  if (!planned) return { ...found, notes: ['a repair would leave none of its events, so it is not changed'] }
  return {
    ...found,
    storeRepair: {
      files: database.files,
      isShared: true,
      apply: async assertUnused =>
        database.change(change => {
          if (JSON.stringify(eventRows(change, key, place)) !== JSON.stringify(rows))
            throw fileError(
              place,
              'it changed during the repair, so nothing was written',
              'close its program and try again',
            )
          writeEvents(change, rows, planned)
        }, assertUnused),
    },
  }
}

const select = `select rowid, timestamp, cast(event_data as text) as text from events
  where app_name = ? and user_id = ? and session_id = ? order by timestamp, rowid`

function eventRows(database: DatabaseSync, key: SessionKey, place: string): EventRow[] {
  const statement = database.prepare(select)
  const open = new Set<unknown>()
  const hidden = new HiddenEvents()
  let index = 0
  for (const { rowid, text } of statement.iterate(...key)) {
    const event = eventOf(text)
    if (!event)
      throw fileError(place, `event ${rowid} cannot be read, and the program does not open the session either`)
    for (const id of longRunningIds(event)) open.add(id)
    hidden.push(event, index++)
  }
  const rows: EventRow[] = []
  for (const { rowid, timestamp, text } of statement.iterate(...key)) {
    const event = eventOf(text) ?? {}
    const isHidden = hidden.has(event, rows.length)
    rows.push({
      rowid: Number(rowid),
      time: timestamp as number | string,
      contents: isHidden ? [] : eventContents(event, id => open.has(id)),
      hasEffects: hasEffects(event),
      branch: typeof event.branch === 'string' ? event.branch : '',
      length: String(text).length,
    })
  }
  return rows
}

function eventOf(text: unknown): RecordFields | undefined {
  const event = tryParseJson(String(text))
  return isRecord(event) ? event : undefined
}

/**
 * The events that are not sent: those that were rewound, and those that a summary replaces. A rewind or a summary that was
 * itself rewound has no effect.
 */
export class HiddenEvents {
  readonly #first = new Map<unknown, number>()
  readonly #rewinds: { readonly from: number; readonly to: number }[] = []
  readonly #summaries: { readonly index: number; readonly from: number; readonly to: number }[] = []
  readonly #indexes = new Ranges()
  readonly #times = new Ranges()

  push({ invocation_id: invocation, actions }: RecordFields, index: number): void {
    if (!this.#first.has(invocation)) this.#first.set(invocation, index)
    if (!isRecord(actions)) return
    const { rewind_before_invocation_id: rewound, compaction } = actions
    const from = rewound ? this.#first.get(rewound) : undefined
    if (from !== undefined) this.#rewinds.push({ from, to: index })
    if (isRecord(compaction))
      this.#summaries.push({ index, from: Number(compaction.start_timestamp), to: Number(compaction.end_timestamp) })
  }

  has({ timestamp }: RecordFields, index: number): boolean {
    this.#resolve()
    return this.#indexes.has(index) || this.#times.has(Number(timestamp))
  }

  /** The program goes from the last event to the first, and jumps over what a rewind takes back. */
  #resolve(): void {
    let end = Number.POSITIVE_INFINITY
    for (const { from, to } of this.#rewinds.splice(0).reverse())
      if (to < end) {
        this.#indexes.add(from, to)
        end = from
      }
    for (const { index, from, to } of this.#summaries.splice(0))
      if (!this.#indexes.has(index)) this.#times.add(from, to)
  }
}

/** Numbers in any of many ranges, which are joined before the first lookup. */
class Ranges {
  #ranges: { readonly from: number; to: number }[] = []
  #isJoined = false

  add(from: number, to: number): void {
    if (!(from <= to)) return
    this.#ranges.push({ from, to })
    this.#isJoined = false
  }

  has(one: number): boolean {
    if (!this.#isJoined) this.#join()
    let low = 0
    for (let high = this.#ranges.length; low < high; ) {
      const middle = (low + high) >> 1
      if (valueAt(this.#ranges, middle).to < one) low = middle + 1
      else high = middle
    }
    const range = this.#ranges[low]
    return range !== undefined && range.from <= one && one <= range.to
  }

  #join(): void {
    const joined: { readonly from: number; to: number }[] = []
    for (const { from, to } of this.#ranges.sort((one, other) => one.from - other.from)) {
      const last = joined.at(-1)
      if (last && from <= last.to) last.to = Math.max(last.to, to)
      else joined.push({ from, to })
    }
    this.#ranges = joined
    this.#isJoined = true
  }
}
