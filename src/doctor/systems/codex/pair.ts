import type { RolloutItems } from './items.ts'

/** Which results answer which calls, all by their index among the items. */
export interface ItemPairing {
  readonly calls: readonly number[]
  /** The result of the call at an index; -1 if it has none. */
  readonly answer: Int32Array
  /** The extra results of a call. */
  readonly spare: ReadonlyMap<number, readonly number[]>
  /** Calls whose result has the type of another kind of call. */
  readonly mismatched: ReadonlySet<number>
  readonly orphans: readonly number[]
  /** The number of user messages before each item. */
  readonly turns: Int32Array
}

/** A number of a list; -1 if the list has none there. */
export const numberAt = (list: Int32Array, at: number): number => list[at] ?? -1

/**
 * Pairs the items of a history by kind and id. A result belongs to the latest turn before it that has its id, and there
 * to the first open call; otherwise it is an extra one. Of the calls of that turn with a key, `last` is the latest,
 * `open` the first that waits, and `next` links each one to the next.
 */
export function pairItems(items: RolloutItems, skipped: ReadonlySet<number>): ItemPairing {
  const turns = turnsOf(items)
  const keyAt = keysOf(items)
  const answer = new Int32Array(items.length).fill(-1)
  const next = new Int32Array(items.length).fill(-1)
  const last = new Int32Array(items.keys).fill(-1)
  const open = new Int32Array(items.keys).fill(-1)
  const calls: number[] = []
  const strays: number[] = []
  const spare = new Map<number, number[]>()
  const settle = (call: number, result: number): void => {
    const known = numberAt(answer, call)
    const isBetter = known < 0 || isWeak(known) > isWeak(result)
    if (isBetter) answer[call] = result
    const loser = isBetter ? known : result
    if (loser < 0 || items.isExtra(loser)) return
    const others = spare.get(call)
    if (others) others.push(loser)
    else spare.set(call, [loser])
  }
  const isWeak = (result: number): number => (items.isExtra(result) ? 2 : items.isPlaceholder(result) ? 1 : 0)
  for (let at = 0; at < items.length; at++) {
    if (skipped.has(at)) continue
    if (items.isCall(at)) {
      const key = keyAt(at)
      calls.push(at)
      const before = numberAt(last, key)
      if (before >= 0 && turns[before] === turns[at]) {
        next[before] = at
        if (numberAt(open, key) < 0) open[key] = at
      } else open[key] = at
      last[key] = at
    } else if (items.isResult(at)) {
      const key = keyAt(at)
      const [latest, waiting] = [numberAt(last, key), numberAt(open, key)]
      if (latest < 0) strays.push(at)
      else if (waiting < 0) settle(latest, at)
      else {
        settle(waiting, at)
        open[key] = numberAt(next, waiting)
      }
    }
  }
  const mismatched = new Set<number>()
  const orphans = strays.length === 0 ? [] : seatStrays(strays)
  return { calls, answer, spare, mismatched, orphans, turns }

  /**
   * Results without a call before them: a result is early if exactly one call has its id, otherwise it is an orphan.
   */
  function seatStrays(results: readonly number[]): number[] {
    const byKey = onlyOnes(calls, keyAt)
    const byId = onlyOnes(calls, items.callId)
    return results.filter(result => {
      const early = byKey.get(keyAt(result))
      if (early !== undefined) settle(early, result)
      if (early !== undefined) return false
      const other = items.callId(result) === '' ? undefined : byId.get(items.callId(result))
      if (other === undefined || numberAt(answer, other) >= 0 || isSearch(other) || isSearch(result)) return true
      settle(other, result)
      mismatched.add(other)
      return false
    })
  }

  function isSearch(at: number): boolean {
    return items.item(at).family === 'search'
  }
}

/** The calls that are the only one with their key. */
function onlyOnes<Key>(calls: readonly number[], keyAt: (at: number) => Key): Map<Key, number | undefined> {
  const found = new Map<Key, number | undefined>()
  for (const call of calls) found.set(keyAt(call), found.has(keyAt(call)) ? undefined : call)
  return found
}

/** A call without an id was run under the id of its item, unless another call has that id. */
function keysOf(items: RolloutItems): (at: number) => number {
  const named = new Map<number, number>()
  const taken = new Set<number>()
  for (let at = 0; at < items.length; at++) {
    const id = items.isCall(at) && items.callId(at) === '' ? items.itemId(at) : undefined
    const key = id === undefined ? undefined : items.keyOf(id, at)
    if (key !== undefined) named.set(at, key)
  }
  if (named.size === 0) return items.key
  for (let at = 0; at < items.length; at++) if (items.isCall(at)) taken.add(items.key(at))
  for (const [at, key] of named) if (taken.has(key)) named.delete(at)
  return at => named.get(at) ?? items.key(at)
}

function turnsOf(items: RolloutItems): Int32Array {
  const turns = new Int32Array(items.length + 1)
  let users = 0
  for (let at = 0; at < items.length; at++) {
    if (items.isBoundary(at) && !items.isWarning(at)) users++
    turns[at + 1] = users
  }
  return turns
}
