import type { Fact } from './fact.ts'
import type { Item } from './item.ts'
import { Items } from './items.ts'

/** The history that Codex rebuilds from a rollout. */
export interface History {
  readonly items: Items
  /** Something of it is not to be seen here, so a result without a call may have one. */
  readonly isPartial: boolean
}

/**
 * Takes in facts one by one and forgets what a compaction replaced. A rollback can bring that back: from then on the
 * history is not known, and all facts must be replayed at once.
 */
export class Replay {
  isLost = false
  #items = new Items()
  #isPartial = false

  push(fact: Fact): void {
    if (fact.kind === 'rollback') this.isLost = true
    else if (fact.kind === 'base') {
      this.#items = Items.from(fact.items)
      this.#isPartial = fact.isPartial
    } else if (fact.kind === 'summary') this.#items = summarised(this.#items, fact.item)
    else if (fact.kind !== 'turn') this.#items.push(fact)
  }

  get history(): History {
    return { items: this.#items, isPartial: this.#isPartial }
  }
}

/** The history from all facts of a rollout, rollbacks included. */
export function replayAll(facts: readonly Fact[]): History {
  const { base, start } = newestBase(facts)
  let items = Items.from(base?.items ?? [])
  let isPartial = base?.isPartial ?? false
  for (const fact of facts.slice(start)) {
    if (fact.kind === 'rollback') items = rolledBack(items, fact.turns)
    else if (fact.kind === 'base') {
      items = Items.from(fact.items)
      isPartial = fact.isPartial
    } else if (fact.kind === 'summary') items = summarised(items, fact.item)
    else if (fact.kind !== 'turn') items.push(fact)
  }
  return { items, isPartial }
}

type Base = Extract<Fact, { kind: 'base' }>

/**
 * The newest compaction whose turn was not rolled back, and where the facts behind it begin. Codex reads from the end and
 * closes a turn where it began; a compaction in a turn that was rolled back is no base, but what stood in front of it is
 * not read either unless an older base is found.
 */
function newestBase(facts: readonly Fact[]): { base: Base | undefined; start: number } {
  let base: Base | undefined
  let start = 0
  let skipped = 0
  let turn: { id: string | undefined; isOfUser: boolean; base: Base | undefined } | undefined
  const opened = (): NonNullable<typeof turn> => (turn ??= { id: undefined, isOfUser: false, base: undefined })
  const close = (): void => {
    if (!turn) return
    if (skipped === 0) base ??= turn.base
    else if (turn.isOfUser) skipped--
    turn = undefined
  }
  for (let at = facts.length - 1; at >= 0 && !base; at--) {
    const fact = facts[at]
    if (fact.kind === 'rollback') skipped += fact.turns
    else if (fact.kind === 'base') {
      const now = opened()
      if (!now.base) start = at + 1
      now.base ??= fact
    } else if (fact.kind === 'summary') opened()
    else if (fact.kind !== 'turn') opened().isOfUser ||= fact.isBoundary === true
    else if (fact.mark === 'user') opened().isOfUser = true
    else if (fact.mark === 'start') {
      if (turn && (turn.id === undefined || turn.id === fact.id)) close()
    } else if (turn || fact.mark !== 'abort' || fact.id !== undefined) opened().id ??= fact.id
  }
  close()
  return { base, start }
}

function summarised(items: Items, summary: Item): Items {
  const kept = items.where(items.isBoundary)
  kept.push(summary)
  return kept
}

/** Without the last turns, and without what Codex told in front of the first of them. */
function rolledBack(items: Items, turns: number): Items {
  const starts: number[] = []
  for (let at = 0; at < items.length; at++) if (items.isBoundary(at)) starts.push(at)
  if (turns <= 0 || starts.length === 0) return items
  let cut = starts.at(-turns) ?? starts[0]
  while (cut > starts[0] && items.isContext(cut - 1)) cut--
  return items.where(at => at < cut)
}
