import type { Row } from './rows.ts'

/** What must be done to the rows of a chat. No two rows may have one position at any time. */
export interface Changes {
  readonly removed: readonly string[]
  readonly moved: readonly { readonly id: string; readonly position: number }[]
  readonly rewritten: readonly Pick<Row, 'id' | 'content_json' | 'tool_call_id'>[]
  readonly added: readonly Row[]
  /** A position that is free, and behind which all are: rows that move wait there. */
  readonly beyond: number
}

/** The changes that make of the rows of a chat what they are to be. */
export function changesOf(rows: readonly Row[], healed: readonly Row[]): Changes {
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
