import type { DatabaseSync } from 'node:sqlite'
import { valueAt } from '../../core/invariant.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import { drawExamined, examinationFrom, examineEntries } from '../examine-entries.ts'
import { fileError } from '../files/file-error.ts'
import type { JudgeFormat } from '../judge.ts'
import { type RecordFields, storeFormat } from '../record-format.ts'
import { reportText } from '../report-text.ts'
import { rowsWith } from '../rows-with.ts'
import type { Database } from '../sqlite.ts'
import type { DroppedRecord, Examination } from '../system.ts'
import { plannedRows, type RowChange } from './planned-rows.ts'
import { partsOf, type TimedRow, type TimedRows } from './timed-rows.ts'

export function examineTimedRows(database: Database, session: string, format: TimedRows, place: string): Examination {
  const rows = rowsOf(database.look, session, format, place)
  const judged = { ...judgeFormat(rows, format), read: (row: TimedRow) => row.contents }
  const waiting = { tail: isAsked(rows) }
  const examined = examineEntries(rows, judged, waiting)
  const show = (record: number): Omit<DroppedRecord, 'rule'> => {
    const { number } = valueAt(rows, record)
    return { at: atRow(number), content: reportText(textOf(database.look, number, format)) }
  }
  const examination: Examination = {
    ...examinationFrom(examined, show),
    draw: () => {
      const whole = rowsOf(database.look, session, format, place, true)
      return drawExamined(examineEntries(whole, judged, waiting), show)
    },
  }
  if (examination.repairs.length === 0) return examination
  const changes = plannedRows(rows, examined.places, format)
  if (changes.every(({ kind }) => kind === 'remove') && changes.length === rows.length)
    return { ...examination, notes: ['a repair would leave none of its messages, so it is not changed'] }
  const apply = async (last: Parameters<Database['change']>[1]): Promise<void> =>
    database.change(tables => {
      const now = rowsOf(tables, session, format, place)
      if (JSON.stringify(now.map(stateOf)) !== JSON.stringify(rows.map(stateOf)))
        throw fileError(
          place,
          'it changed during the repair, so nothing was written',
          'close its program and try again',
        )
      write(tables, changes, format)
    }, last)
  return { ...examination, storeRepair: { files: database.files, isShared: true, apply } }
}

/** Whether the last calls wait for an answer of the user. */
function isAsked(rows: readonly TimedRow[]): boolean {
  const last = rows.findLastIndex(row => partsOf(row).some(({ kind }) => kind === 'call'))
  return rows.some(({ asks }, index) => asks && index >= last)
}

const stateOf = ({ number, time, length }: TimedRow): readonly number[] => [number, time, length]

const atRow = (number: number): string => `message ${number}`

const judgeFormat = (rows: readonly TimedRow[], { dialect, facts, hasTextInput }: TimedRows): JudgeFormat => ({
  format: storeFormat({
    root: 'messages',
    exactIds: true,
    ...(hasTextInput && { input: 'text' }),
    locate: ({ origin }, part) => {
      const row = rows[part?.slot ?? origin ?? -1]
      return row ? atRow(row.number) : ''
    },
  }),
  dialect,
  ...(facts && { facts }),
})

/** The rows in the order of the program. Their blocks are not held. */
function rowsOf(
  database: DatabaseSync,
  session: string,
  format: TimedRows,
  place: string,
  isWhole = false,
): TimedRow[] {
  const { number, time, content, more } = format.columns
  const { sql, value } = rowsWith(database, 'messages', 'session_id', session)
  const select = database.prepare(
    `select ${number} as number, ${time} as time, cast(${content} as text) as content${more.map(name => `, ${name}`).join('')}
     from messages where ${sql} order by ${time}, ${number}`,
  )
  const rows: TimedRow[] = []
  for (const { number: id, time: at, content: text, ...fields } of select.iterate(value)) {
    const blocks = blocksIn(String(text))
    if (!blocks || !Number.isSafeInteger(at))
      throw fileError(place, `message ${id} cannot be read, and its program does not open the session either`)
    const contents = format.read(blocks, fields, isWhole)
    const asks = format.asks?.(blocks) ?? false
    rows.push({ number: Number(id), time: Number(at), fields, contents, asks, length: String(text).length })
  }
  return rows
}

/** The blocks of a row; undefined if it has none. */
function blocksIn(text: string): readonly RecordFields[] | undefined {
  const list = tryParseJson(text)
  return Array.isArray(list) && list.every(block => typeof block === 'object' && block !== null) ? list : undefined
}

const textOf = (database: DatabaseSync, number: number, { columns }: TimedRows): string =>
  String(
    database
      .prepare(`select cast(${columns.content} as text) as content from messages where ${columns.number} = ?`)
      .get(number)?.content,
  )

function write(database: DatabaseSync, changes: readonly RowChange[], format: TimedRows): void {
  const { number, time, content } = format.columns
  const rewrite = database.prepare(`update messages set ${content} = ? where ${number} = ?`)
  const retime = database.prepare(`update messages set ${time} = ? where ${number} = ?`)
  const remove = database.prepare(`delete from messages where ${number} = ?`)
  const seeds = new Set<string>()
  // New rows come first: they may take blocks from a row that loses them, and get numbers after all others.
  for (const change of changes) {
    if (change.kind !== 'add') continue
    const own = change.source === undefined ? '[]' : textOf(database, change.source, format)
    const seed = seedOf(seeds, `${change.like.number} ${change.time}`)
    format.insert(database, change.blocks(own), change.like, change.time, seed)
  }
  for (const change of changes) {
    if (change.kind === 'remove') remove.run(change.number)
    if (change.kind !== 'change') continue
    if (change.text) rewrite.run(change.text(textOf(database, change.number, format)), change.number)
    if (change.time !== undefined) retime.run(change.time, change.number)
  }
  format.settle?.(database)
}

function seedOf(seeds: Set<string>, name: string): string {
  let seed = name
  for (let count = 1; seeds.has(seed); count++) seed = `${name} ${count}`
  seeds.add(seed)
  return seed
}
