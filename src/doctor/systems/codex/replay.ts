import type { HistoryChange } from './history-change.ts'
import type { RolloutItem } from './item.ts'
import { RolloutItems } from './items.ts'

/** The history that Codex rebuilds from a rollout. */
export interface RolloutHistory {
  readonly items: RolloutItems
  /** Part of it is unknown here, so a result without a call may have one. */
  readonly isPartial: boolean
}

/**
 * Applies changes one by one and forgets what a compaction replaced. A rollback can bring that back: from then on the
 * history is unknown, and all changes must be replayed at once.
 */
export class Replay {
  isLost = false
  #items = new RolloutItems()
  #isPartial = false

  push(change: HistoryChange): void {
    if (change.kind === 'rollback') this.isLost = true
    else if (change.kind === 'base') {
      this.#items = RolloutItems.from(change.items)
      this.#isPartial = change.isPartial
    } else if (change.kind === 'summary') summarise(this.#items, change.item)
    else if (change.kind !== 'turn') this.#items.push(change)
  }

  get history(): RolloutHistory {
    return { items: this.#items, isPartial: this.#isPartial }
  }
}

/** The history after all changes of a rollout, including rollbacks. */
export function replayAll(changes: readonly HistoryChange[]): RolloutHistory {
  const { base, start } = newestBase(changes)
  const items = RolloutItems.from(base?.items ?? [])
  for (const change of changes.slice(start)) {
    if (change.kind === 'rollback') rollBack(items, change.turns)
    else if (change.kind === 'summary') summarise(items, change.item)
    // A compaction after the base was rolled back with its turn, and what it replaced is sent again.
    else if (change.kind !== 'turn' && change.kind !== 'base') items.push(change)
  }
  return { items, isPartial: base?.isPartial ?? false }
}

type Base = Extract<HistoryChange, { kind: 'base' }>

/**
 * The newest compaction whose turn was not rolled back, and where the changes after it begin. Codex reads from the end
 * and closes a turn where it began.
 */
function newestBase(changes: readonly HistoryChange[]): { base: Base | undefined; start: number } {
  let base: Base | undefined
  let start = 0
  let skipped = 0
  let turn: { id: string | undefined; isOfUser: boolean; base: Base | undefined; start: number } | undefined
  const opened = (): NonNullable<typeof turn> =>
    (turn ??= { id: undefined, isOfUser: false, base: undefined, start: 0 })
  const close = (): void => {
    if (!turn) return
    if (skipped === 0) ({ base, start } = turn)
    else if (turn.isOfUser) skipped--
    turn = undefined
  }
  for (let at = changes.length - 1; at >= 0 && !base; at--) {
    const change = changes[at]
    if (!change) break
    if (change.kind === 'rollback') skipped += change.turns
    else if (change.kind === 'base') {
      const now = opened()
      if (!now.base) now.start = at + 1
      now.base ??= change
    } else if (change.kind === 'summary') opened()
    else if (change.kind !== 'turn') opened().isOfUser ||= change.isBoundary === true
    else if (change.mark === 'user') opened().isOfUser = true
    else if (change.mark === 'start') {
      if (turn && (turn.id === undefined || turn.id === change.id)) close()
    } else if (turn || change.mark !== 'abort' || change.id !== undefined) opened().id ??= change.id
  }
  close()
  return { base, start }
}

function summarise(items: RolloutItems, summary: RolloutItem): void {
  items.keepBoundaries()
  items.push(summary)
}

/** Removes the last turns, and what Codex added before the first of them. */
function rollBack(items: RolloutItems, turns: number): void {
  const { boundaries } = items
  const [first] = boundaries
  if (turns <= 0 || first === undefined) return
  let cut = boundaries.at(-turns) ?? first
  while (cut > first && items.isContext(cut - 1)) cut--
  items.truncate(cut)
}
