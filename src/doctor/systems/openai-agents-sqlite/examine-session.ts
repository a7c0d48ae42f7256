import { recognition } from '../../../codecs/shared/recognition.ts'
import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { detectFormat } from '../../../heal/detect.ts'
import { isProven, whyNotEmptied } from '../../backup/proof.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import type { Database } from '../../sqlite.ts'
import type { Drawing, DroppedRecord, Examination } from '../../system.ts'
import { type HealedRow, healedSessionRows } from './healed-rows.ts'
import { itemsInRows, type SessionRow, sessionRows } from './rows.ts'
import type { StoredSession } from './tables.ts'
import { writeBranch } from './write-branch.ts'
import { writePlain } from './write-plain.ts'

/** Judges a session, or a branch of one, by the items that the SDK would read. */
export function examineAgentsSession(database: Database, session: StoredSession, place: string): Examination {
  const rows = sessionRows(database.look, session, place)
  const items = itemsInRows(rows, place)
  const records = [...items.keys()].filter(record => items[record])
  const history = records.map(record => items[record])
  const filled = history.filter(item => Object.keys(item ?? {}).length > 0)
  if (filled.length > 0 && detectFormat(filled, reader.format) !== reader.format)
    throw fileError(place, 'its rows are not items of the Responses API, so they are not read')
  const placed = <T extends { readonly at: string }>(found: T): T => ({
    ...found,
    at: found.at.replace(/^input\[(\d+)\]/, (at, index) => messageAt(rows[records[index] ?? -1]) ?? at),
  })
  const { messages, ...list } = examineList(history, reader)
  const waits = list.state === 'healthy' && asksForApproval(history.at(-1))
  const examined = {
    ...list,
    ...(waits ? { state: 'pending' as const } : {}),
    ...(list.since ? { since: placed(list.since) } : {}),
    repairs: list.repairs.map(placed),
    remaining: list.remaining.map(placed),
    draw: (): Drawing => {
      const drawing = list.draw()
      const shown = records.map(record => ({
        at: messageAt(rows[record]) ?? '',
        text: String(valueAt(rows, record).message_data),
      }))
      return { ...drawing, repairs: drawing.repairs.map(placed), records: shown }
    },
    notes: [
      ...(waits ? ['it waits for the approval of a hosted tool'] : []),
      ...skippedNote(rows.length - records.length),
    ],
  }
  if (examined.repairs.length === 0) return examined
  const whyNot = whyNotChanged(filled, messages)
  if (whyNot !== undefined) return { ...examined, notes: [...examined.notes, whyNot] }
  const healed = healedSessionRows(rows, records, history, messages)
  const write = session.branch === undefined ? writePlain : writeBranch
  return {
    ...examined,
    dropped: droppedRows(rows, healed, [...examined.repairs, ...examined.dropped.map(placed)]),
    storeRepair: {
      files: database.files,
      isShared: true,
      apply: async assertUnused =>
        database.change(change => {
          if (!isSame(sessionRows(change, session, place), rows))
            throw fileError(
              place,
              'it changed during the repair, so nothing was written',
              'close its program and try again',
            )
          write(change, session, rows, healed)
        }, assertUnused),
    },
  }
}

/** Why a session is not written: rows of another program may resemble items here and there. */
function whyNotChanged(history: readonly unknown[], healed: readonly unknown[]): string | undefined {
  const stranger = history.find(item => recognition[reader.format](item) === 'no')
  if (stranger !== undefined || !isProven(history))
    return 'not every row is an item of the Responses API, or none shows that it is one, so it is not written'
  return whyNotEmptied(history, healed)
}

/**
 * The SDK is made for the Responses API, but may use any model: what would be rejected only for the form of its ids or
 * for empty text is left alone, and results follow their calls, as Chat Completions requires.
 */
const reader = {
  format: 'openai-responses',
  for: 'openai-responses',
  // A row that was never requested does not become a call of the agent; it is in the report and in the backup.
  orphans: 'drop',
  facts: {
    ids: { lengthMax: Number.MAX_SAFE_INTEGER },
    itemIds: 'any',
    malformedInput: 'accept',
    malformedResult: 'accept',
    textAfterCall: 'accept',
    lateResults: 'refuse',
    emptyMessage: 'accept',
    blankText: 'accept',
    callWithoutReasoning: 'accept',
  },
  keepsText: true,
} as const

const asksForApproval = (item: unknown): boolean => isRecord(item) && item.type === 'mcp_approval_request'

const skippedNote = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${count} ${count === 1 ? 'row is' : 'rows are'} no item that could be read; the SDK passes over such rows, and they stay`,
      ]

/** The removed rows, each with the rule that removed it. */
function droppedRows(
  rows: readonly SessionRow[],
  healed: readonly HealedRow[],
  found: readonly { readonly at: string; readonly rule: string }[],
): DroppedRecord[] {
  const rules = new Map(found.map(({ at, rule }) => [/^message \d+/.exec(at)?.[0], rule]))
  const kept = new Set(healed.map(({ row }) => row))
  return rows.flatMap((row, index) => {
    const at = messageAt(row) ?? ''
    return kept.has(index) ? [] : [{ at, rule: rules.get(at) ?? found[0]?.rule ?? '', content: row.message_data }]
  })
}

/** A row is identified by its id. */
const messageAt = (row: SessionRow | undefined): string | undefined => row && `message ${row.id}`

const isSame = (one: readonly SessionRow[], other: readonly SessionRow[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
