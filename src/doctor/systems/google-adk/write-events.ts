import type { DatabaseSync } from 'node:sqlite'
import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { valueAt } from '../../../core/invariant.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { longestIncreasingSubsequence } from '../../../core/longest-increasing-subsequence.ts'
import { type Arrangement, recordsIn } from '../../arrange.ts'
import { printLike } from '../../files/print-like.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import type { RecordFields } from '../../record-format.ts'
import { type EventRow, eventText } from './event.ts'

/** An event of the repaired session. */
export interface PlannedEvent {
  /** The row that it was, or that of its call. */
  readonly record: number
  readonly isNew: boolean
  /** The parts that it keeps; all if absent. */
  readonly parts?: readonly Part[]
  /** New results, before and after its own parts. */
  readonly before: RecordFields[]
  readonly after: RecordFields[]
  readonly isResult: boolean
  /** Microseconds. */
  readonly time: number
}

/** The events in their new order; undefined if none would be left. */
export function plannedEvents(rows: readonly EventRow[], places: Arrangement): PlannedEvent[] | undefined {
  const planned: Omit<PlannedEvent, 'time'>[] = []
  let open: { readonly record: number; readonly made: RecordFields[] } | undefined
  const close = (): void => {
    if (open) planned.push({ record: open.record, isNew: true, before: [], after: open.made, isResult: true })
    open = undefined
  }
  for (const line of recordsIn(places, rows.length)) {
    const { record } = line
    if (line.kind === 'made') {
      const part = responseTo(line.call, line.result)
      const last = planned.at(-1)
      if (open) open.made.push(part)
      else if (last?.isResult) last.after.push(part)
      else open = { record, made: [part] }
      continue
    }
    const parts = line.kind === 'written' ? line.parts : valueAt(rows, record).contents.flatMap(one => one.parts)
    const isResult = parts.length > 0 && parts.every(({ kind }) => kind === 'result')
    const before = isResult && open ? open.made : []
    if (isResult) open = undefined
    else if (parts.length > 0) close()
    const isNew = line.kind === 'written' && line.copy > 0
    planned.push({ record, isNew, before, after: [], isResult, ...(line.kind === 'written' && { parts }) })
  }
  close()
  return planned.length === 0 ? undefined : withTimes(planned, rows)
}

const responseTo = ({ id, name }: CallPart, { content }: ResultPart): RecordFields => ({
  function_response: { id, name, response: { error: String(content) } },
})

/**
 * An event that stays keeps its time. One that moves or is new gets a time between its neighbours: events are read in the
 * order of their times, and looked up by them.
 */
function withTimes(planned: readonly Omit<PlannedEvent, 'time'>[], rows: readonly EventRow[]): PlannedEvent[] {
  const staying = new Set(
    longestIncreasingSubsequence(
      planned.filter(({ isNew }) => !isNew),
      ({ record }) => record,
    ),
  )
  const timeOf = ({ record }: Omit<PlannedEvent, 'time'>): number => microseconds(valueAt(rows, record).time)
  const ahead: { readonly count: number; readonly time: number }[] = []
  let next = { count: 0, time: Number.POSITIVE_INFINITY }
  for (let index = planned.length - 1; index >= 0; index--) {
    const one = valueAt(planned, index)
    next = staying.has(one) ? { count: 0, time: timeOf(one) } : { ...next, count: next.count + 1 }
    ahead[index] = next
  }
  let last = Number.NEGATIVE_INFINITY
  let isChanged = false
  return planned.map((one, index) => {
    const own = timeOf(one)
    let time = own
    if (!staying.has(one) && Number.isFinite(last)) {
      const { count, time: end } = valueAt(ahead, index)
      time = last + Math.max(1, Math.min(stepMax, Math.floor((end - last) / (count + 1))))
    } else if (own < last || (own === last && isChanged)) time = last + 1
    isChanged = !staying.has(one) || time !== own
    last = time
    return { ...one, time }
  })
}

const stepMax = 1_000

/** Times are seconds with a fraction, or text. */
function microseconds(time: number | string): number {
  if (typeof time === 'number') return Math.round(time * 1e6)
  const [, seconds = '', fraction = ''] = /^([^.]{19})(?:\.(\d{1,9}))?/.exec(time) ?? []
  return Date.parse(`${seconds.replace(' ', 'T')}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

function timeLike(time: number, like: number | string): number | string {
  if (typeof like === 'number') return time / 1e6
  const date = new Date(Math.floor(time / 1e6) * 1_000)
  if (Number.isNaN(date.getTime()))
    throw new AntiphonError('unreadable', 'an event has no time that can be read, so its session was left as it is')
  const seconds = date.toISOString().slice(0, 19)
  return `${like[10] === 'T' ? seconds : seconds.replace('T', ' ')}.${String(time % 1e6).padStart(6, '0')}`
}

export function writeEvents(database: DatabaseSync, rows: readonly EventRow[], planned: readonly PlannedEvent[]): void {
  const insert = database.prepare(
    `insert into events (id, app_name, user_id, session_id, invocation_id, timestamp, event_data)
     select ?, app_name, user_id, session_id, invocation_id, ?, ? from events where rowid = ?`,
  )
  const update = database.prepare('update events set timestamp = ?, event_data = ? where rowid = ?')
  for (const one of planned.filter(({ isNew }) => isNew)) {
    const row = valueAt(rows, one.record)
    const text = eventText(database, row.rowid)
    const value = parseVerbatim(text) as RecordFields
    const id = uuidFrom(String(value.id), String(one.time))
    const event = madeEvent(
      value,
      id,
      [...one.before, ...kept(one, row, value), ...one.after],
      shifted(value, row, one),
    )
    insert.run(id, timeLike(one.time, row.time), printLike({ text, value }, event), row.rowid)
  }
  const standing = new Set<number>()
  for (const one of planned.filter(({ isNew }) => !isNew)) {
    const row = valueAt(rows, one.record)
    standing.add(one.record)
    const isMoved = one.time !== microseconds(row.time)
    if (!isMoved && !one.parts && one.before.length + one.after.length === 0) continue
    const text = eventText(database, row.rowid)
    const value = parseVerbatim(text) as RecordFields
    const parts = [...one.before, ...kept(one, row, value), ...one.after]
    const changed = { ...value, ...(isMoved && { timestamp: shifted(value, row, one) }) }
    const event =
      isRecord(value.content) && parts.length > 0 ? { ...changed, content: { ...value.content, parts } } : changed
    update.run(isMoved ? timeLike(one.time, row.time) : row.time, printLike({ text, value }, event), row.rowid)
  }
  for (const [record, row] of rows.entries()) if (!standing.has(record)) drop(database, row)
}

/** An event that does more than say something stays without its content. */
function drop(database: DatabaseSync, { rowid, time, hasEffects }: EventRow): void {
  if (!hasEffects) database.prepare('delete from events where rowid = ?').run(rowid)
  else {
    const text = eventText(database, rowid)
    const value = parseVerbatim(text) as RecordFields
    const { content: _, ...rest } = value
    const update = database.prepare('update events set timestamp = ?, event_data = ? where rowid = ?')
    update.run(time, printLike({ text, value }, rest), rowid)
  }
}

/** The parts of an event that stay, perhaps with other ids; what is not read of it stays too. */
function kept({ parts, isNew }: PlannedEvent, { contents }: EventRow, { content }: RecordFields): RecordFields[] {
  const all = isRecord(content) && Array.isArray(content.parts) ? (content.parts as RecordFields[]) : []
  if (isNew && !parts) return []
  if (!parts) return all
  const read = new Set(contents.flatMap(one => one.parts).map(({ raw }) => raw))
  const now = new Map(parts.map(part => [part.raw, part]))
  return all.flatMap((part, raw) => {
    const one = now.get(raw)
    if (!one) return read.has(raw) || isNew ? [] : [part]
    return [withId(part, one)]
  })
}

function withId(part: RecordFields, one: Part): RecordFields {
  const key = one.kind === 'call' ? 'function_call' : one.kind === 'result' ? 'function_response' : undefined
  const inner = key && part[key]
  if (!key || !('id' in one) || !isRecord(inner) || inner.id === one.id) return part
  return { ...part, [key]: { ...inner, id: one.id } }
}

/** The time in an event, moved as far as that of its row. */
const shifted = ({ timestamp }: RecordFields, { time }: EventRow, one: PlannedEvent): number =>
  typeof time === 'number'
    ? one.time / 1e6
    : (Math.round(Number(timestamp) * 1e6) + one.time - microseconds(time)) / 1e6

function madeEvent(call: RecordFields, id: string, parts: readonly RecordFields[], timestamp: number): RecordFields {
  const { invocation_id, author, branch } = call
  return {
    content: { parts, role: 'user' },
    invocation_id,
    author,
    actions: { state_delta: {}, artifact_delta: {}, requested_auth_configs: {}, requested_tool_confirmations: {} },
    ...(branch !== undefined && { branch }),
    id,
    timestamp,
  }
}
