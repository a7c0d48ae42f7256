import type { DatabaseSync } from 'node:sqlite'
import { valueAt } from '../../../core/invariant.ts'
import { drawExamined, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { fileError } from '../../files/file-error.ts'
import { withWholeContents } from '../../record-format.ts'
import { reportText } from '../../report-text.ts'
import { rowsWith } from '../../rows-with.ts'
import type { Database } from '../../sqlite.ts'
import type { Drawing, DroppedRecord, Examination } from '../../system.ts'
import { callsIn, type MessageRow, sessionFormat, storedCall } from './record-format.ts'
import { rowChanges, writeChanges } from './row-changes.ts'

export interface HermesSession {
  readonly id: string
  /** A compression has ended it, and a new session goes on. */
  readonly isClosed: boolean
  readonly path: string
  /** Who works on it. */
  users(): string | undefined
}

/** Judges the active rows of a session, in the order of their ids. */
export function examineSession(database: Database, { id, isClosed, path, users }: HermesSession): Examination {
  const rows = activeRows(database.look, id)
  const format = sessionFormat(rows)
  const examined = examineEntries(rows, format)
  const show = (record: number): Omit<DroppedRecord, 'rule'> => shownRow(database.look, valueAt(rows, record).id)
  const draw = (): Drawing =>
    withWholeContents(() => drawExamined(examineEntries(activeRows(database.look, id, wholeText), format), show))
  const found = { ...examinationFrom(examined, show), draw }
  if (found.repairs.length === 0) return found
  if (isClosed) return { ...found, state: 'healthy', repairs: [], remaining: [], dropped: [], notes: [closedNote] }
  if (isBeingIndexed(database.look)) return { ...found, notes: [indexNote] }
  const changes = rowChanges(rows, examined, format)
  return {
    ...found,
    storeRepair: {
      files: database.files,
      isShared: true,
      users: async () => users(),
      apply: async assertUnused =>
        database.change(change => {
          if (JSON.stringify(activeRows(change, id)) !== JSON.stringify(rows))
            throw fileError(
              path,
              `session ${id} changed during the repair, so nothing was written`,
              'close its program and try again',
            )
          writeChanges(change, id, changes)
        }, assertUnused),
    },
  }
}

const closedNote = 'a compression has ended it, so it is not sent any more and is left alone'
const indexNote =
  'its search index is being built, so it is left alone: start hermes, wait until that is done, and try again'

/** The rows that are sent: those that were rewound or summarized are not active. */
export function activeRows(database: DatabaseSync, session: string, textMax = 600): MessageRow[] {
  const { sql, value } = rowsWith(database, 'messages', 'session_id', session)
  const rows = database.prepare(
    `select id, cast(role as text) as role, substr(cast(coalesce(content, '') as text), 1, ${textMax}) as content,
       cast(tool_call_id as text) as tool_call_id, cast(tool_name as text) as tool_name, tool_calls
     from messages where ${sql} and active = 1 order by id`,
  )
  const list: MessageRow[] = []
  for (const { tool_calls, ...row } of rows.iterate(value))
    list.push({ ...row, calls: callsIn(tool_calls).map(storedCall) } as unknown as MessageRow)
  return list
}

const wholeText = 2 ** 31 - 1

/** A row as it is stored. */
function shownRow(database: DatabaseSync, id: number): Omit<DroppedRecord, 'rule'> {
  const row = database
    .prepare('select role, content, tool_call_id, tool_calls, tool_name from messages where id = ?')
    .get(id)
  const told = Object.entries(row ?? {}).filter(([, value]) => value !== null)
  return { at: `message ${id}`, content: reportText(JSON.stringify(Object.fromEntries(told))) }
}

function isBeingIndexed(database: DatabaseSync): boolean {
  const keys = database.prepare("select 1 from sqlite_schema where type = 'table' and name = 'state_meta'").get()
    ? database.prepare("select key, value from state_meta where key like 'fts%'").all()
    : []
  return keys.some(
    ({ key, value }) =>
      /^fts_(rebuild_(high_water|progress)|stale)$/.test(String(key)) && !/^0?$/.test(String(value ?? '')),
  )
}
