import type { ChatMessageRow } from './rows.ts'

/** The changes to the rows of a chat. No two rows may share a position at any time. */
export interface Changes {
  readonly removed: readonly string[]
  readonly moved: readonly { readonly id: string; readonly position: number }[]
  readonly rewritten: readonly Pick<ChatMessageRow, 'id' | 'content_json' | 'tool_call_id'>[]
  readonly added: readonly ChatMessageRow[]
  /** A position after which all are free: rows that move are kept there in between. */
  readonly beyond: number
}

/** The changes that turn the rows of a chat into the new ones. */
export function changesOf(rows: readonly ChatMessageRow[], healed: readonly ChatMessageRow[]): Changes {
  const before = new Map(rows.map(row => [row.id, row]))
  const after = new Map(healed.map(row => [row.id, row]))
  const stayed = healed.flatMap(row => {
    const old = before.get(row.id)
    return old ? [{ old, row }] : []
  })
  return {
    removed: rows.filter(({ id }) => !after.has(id)).map(({ id }) => id),
    moved: stayed
      .filter(({ old, row }) => old.position !== row.position)
      .map(({ row: { id, position } }) => ({ id, position })),
    rewritten: stayed
      .filter(({ old, row }) => old.content_json !== row.content_json || old.tool_call_id !== row.tool_call_id)
      .map(({ row: { id, content_json, tool_call_id } }) => ({ id, content_json, tool_call_id })),
    added: healed.filter(({ id }) => !before.has(id)),
    beyond: 1 + [...rows, ...healed].reduce((highest, { position }) => Math.max(highest, position), -1),
  }
}
