import { isRecord } from '../../../core/conversation.ts'
import type { RecordFields } from '../../record-format.ts'
import { type RolloutItem, rolloutItemOf } from './item.ts'

/** How a record changes the history that Codex rebuilds from a rollout. */
export type HistoryChange =
  | RolloutItem
  /** Replaces everything before it. `isPartial`: some of it is in other records. */
  | { readonly kind: 'base'; readonly items: readonly RolloutItem[]; readonly isPartial: boolean }
  /** An old compaction: of everything before it only the user's text stays, and a summary. */
  | { readonly kind: 'summary'; readonly item: RolloutItem }
  | { readonly kind: 'rollback'; readonly turns: number }
  | { readonly kind: 'turn'; readonly mark: TurnMark; readonly id: string | undefined }

export type TurnMark = 'start' | 'end' | 'abort' | 'context' | 'user'

/** The change that a record makes; undefined if it makes none. */
export function historyChangeOf({ type, payload }: RecordFields, piece: number): HistoryChange | undefined {
  if (!isRecord(payload)) return undefined
  if (type === 'response_item') return rolloutItemOf(payload, piece)
  if (type === 'compacted') return compactionOf(payload, piece)
  if (type === 'inter_agent_communication') return { piece, inner: -1, itemHash: 0, kind: 'words', isBoundary: true }
  if (type === 'turn_context') return turn('context', payload)
  return type === 'event_msg' ? eventOf(payload) : undefined
}

function eventOf(payload: RecordFields): HistoryChange | undefined {
  if (payload.type === 'thread_rolled_back') return { kind: 'rollback', turns: Number(payload.num_turns) || 0 }
  const mark = marks[String(payload.type)]
  return mark && turn(mark, payload)
}

const turn = (mark: TurnMark, { turn_id: id }: RecordFields): HistoryChange => ({
  kind: 'turn',
  mark,
  id: typeof id === 'string' ? id : undefined,
})

const marks: Readonly<Record<string, TurnMark | undefined>> = Object.assign(Object.create(null), {
  task_started: 'start',
  turn_started: 'start',
  task_complete: 'end',
  turn_complete: 'end',
  turn_aborted: 'abort',
  user_message: 'user',
} satisfies Record<string, TurnMark>)

function compactionOf(payload: RecordFields, piece: number): HistoryChange | undefined {
  const { replacement_history: history, replacement_history_metadata: metadata } = payload
  const entries = payload.replacement_history_entries
  if (Array.isArray(entries)) return { kind: 'base', ...referred(entries) }
  if (history == null)
    return { kind: 'summary', item: { piece, inner: -1, itemHash: 0, kind: 'words', isBoundary: true } }
  // Codex ignores a compaction whose lists do not match.
  if (!Array.isArray(history) || (Array.isArray(metadata) && metadata.length !== history.length)) return undefined
  const items = history.flatMap((item, inner) => rolloutItemOf(item, piece, inner) ?? [])
  return { kind: 'base', items, isPartial: false }
}

/** A history whose items may be in earlier records: it is read as far as possible, and never written. */
function referred(entries: readonly unknown[]): { items: RolloutItem[]; isPartial: boolean } {
  const items = entries.flatMap(entry => (isRecord(entry) && rolloutItemOf(entry.item, -1)) || [])
  return { items, isPartial: items.length < entries.length }
}
