import { isRecord } from '../../../core/conversation.ts'
import { type Item, itemOf } from './item.ts'

/** What a record does to the history that Codex rebuilds from a rollout. */
export type Fact =
  | Item
  /** Takes the place of all before it. `isPartial`: some of it stands elsewhere. */
  | { readonly kind: 'base'; readonly items: readonly Item[]; readonly isPartial: boolean }
  /** An old compaction: of all before it only the words of the user stay, and a summary. */
  | { readonly kind: 'summary'; readonly item: Item }
  | { readonly kind: 'rollback'; readonly turns: number }
  | { readonly kind: 'turn'; readonly mark: TurnMark; readonly id: string | undefined }

export type TurnMark = 'start' | 'end' | 'abort' | 'context' | 'user'

export type Json = Readonly<Record<string, unknown>>

/** The fact that a record is; undefined if the history is the same without it. */
export function factOf({ type, payload }: Json, piece: number): Fact | undefined {
  if (!isRecord(payload)) return undefined
  if (type === 'response_item') return itemOf(payload, piece)
  if (type === 'compacted') return compactionOf(payload, piece)
  if (type === 'inter_agent_communication') return { piece, inner: -1, itemHash: 0, kind: 'words', isBoundary: true }
  if (type === 'turn_context') return turn('context', payload)
  return type === 'event_msg' ? eventOf(payload) : undefined
}

function eventOf(payload: Json): Fact | undefined {
  if (payload.type === 'thread_rolled_back') return { kind: 'rollback', turns: Number(payload.num_turns) || 0 }
  const mark = marks[String(payload.type)]
  return mark && turn(mark, payload)
}

const turn = (mark: TurnMark, { turn_id: id }: Json): Fact => ({
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

function compactionOf(payload: Json, piece: number): Fact | undefined {
  const { replacement_history: history, replacement_history_metadata: metadata } = payload
  const entries = payload.replacement_history_entries
  if (Array.isArray(entries)) return { kind: 'base', ...referred(entries) }
  if (history == null)
    return { kind: 'summary', item: { piece, inner: -1, itemHash: 0, kind: 'words', isBoundary: true } }
  // Codex passes over a compaction whose lists do not go together.
  if (!Array.isArray(history) || (Array.isArray(metadata) && metadata.length !== history.length)) return undefined
  const items = history.flatMap((item, inner) => itemOf(item, piece, inner) ?? [])
  return { kind: 'base', items, isPartial: false }
}

/** A history whose items may stand in records before it: it is read as far as it can be, and never written. */
function referred(entries: readonly unknown[]): { items: Item[]; isPartial: boolean } {
  const items = entries.flatMap(entry => (isRecord(entry) && itemOf(entry.item, -1)) || [])
  return { items, isPartial: items.length < entries.length }
}
