import { valueAt } from '../../../core/invariant.ts'
import { longestIncreasingSubsequence } from '../../../core/longest-increasing-subsequence.ts'
import { isArtefact, rootId, type StoredEvent } from './event.ts'

/**
 * The events of a log in their new order and with their new links, after one of its branches has become `chain`. Events
 * on no part of that branch keep their place, and stay attached to the same event, or to its replacement.
 */
export function reorderEvents(
  events: readonly StoredEvent[],
  before: readonly StoredEvent[],
  chain: readonly StoredEvent[],
): readonly StoredEvent[] {
  const linked = chain.map((event, index) => withParent(event, chain[index - 1]))
  const onChain = new Map(linked.map((event, index) => [event.id, index]))
  const onBranch = new Map(before.map(({ id }, index) => [id, index]))
  const standing = standingIn(events, linked)
  const newParents = new Foothold(before, linked, onChain)
  const order: StoredEvent[] = []
  const comingAfter = (index: number): StoredEvent[] => {
    let end = index + 1
    for (let next = linked[end]; next && !standing.has(next.id); next = linked[end]) end++
    return linked.slice(index + 1, end)
  }
  let coming = comingAfter(-1)
  let ties = tiesOf(coming)
  const pushComing = (next: StoredEvent[] = []): void => {
    for (const event of coming) order.push(event)
    coming = next
    ties = tiesOf(next)
  }
  for (const event of events) {
    const index = onChain.get(event.id)
    if (index === undefined && !onBranch.has(event.id)) {
      const given = newParents.give(event, onBranch)
      // Artefacts need not make room for a new event, unless they are attached to it or it would be attached to them.
      if (!isArtefact(given) || ties.has(undefined) || ties.has(given.parent)) pushComing()
      order.push(given)
    } else {
      pushComing()
      if (index === undefined || !standing.has(event.id)) continue
      order.push(valueAt(linked, index))
      pushComing(comingAfter(index))
    }
  }
  pushComing()
  return order
}

/** The ids of events, and undefined if one of them has no parent. Looked up for each artefact, of which there may be many. */
const tiesOf = (events: readonly StoredEvent[]): ReadonlySet<string | undefined> =>
  new Set(events.flatMap(({ id, parent }) => (parent === undefined ? [id, undefined] : [id])))

function withParent(event: StoredEvent, front: StoredEvent | undefined): StoredEvent {
  if (event.parent === undefined) return event
  const parent = front?.id ?? rootId
  return event.parent === parent ? event : { ...event, parent }
}

/** The events of a chain that need not move: text in its order, and results between. */
function standingIn(events: readonly StoredEvent[], chain: readonly StoredEvent[]): Set<string> {
  const place = new Map(events.map(({ id }, index) => [id, index]))
  const old = chain.filter(({ id }) => place.has(id))
  const words = old.filter(({ role }) => role !== 'result')
  const anchors = new Set(longestIncreasingSubsequence(words, ({ id }) => place.get(id) as number).map(({ id }) => id))
  const limits = new Map<StoredEvent, number>()
  let limit = Number.POSITIVE_INFINITY
  for (const event of old.toReversed()) {
    limits.set(event, limit)
    if (anchors.has(event.id)) limit = place.get(event.id) as number
  }
  let last = -1
  for (const event of old) {
    const { id, role } = event
    const at = place.get(id) as number
    if (!anchors.has(id) && !(role === 'result' && at > last && at < (limits.get(event) as number))) continue
    anchors.add(id)
    last = at
  }
  return anchors
}

/**
 * Where events next to the branch are attached now: after all of the branch that they followed, and after the
 * replacement of a result among those.
 */
class Foothold {
  readonly #chain: readonly StoredEvent[]
  readonly #places: ReadonlyMap<string, number>
  readonly #reach: number[] = []

  constructor(before: readonly StoredEvent[], chain: readonly StoredEvent[], places: ReadonlyMap<string, number>) {
    this.#chain = chain
    this.#places = places
    let reach = -1
    const lost = new Set<string>()
    const isLost = (event: StoredEvent | undefined): boolean => event?.result !== undefined && lost.has(event.result.id)
    for (const { id, result } of before) {
      const place = places.get(id)
      if (place === undefined && result) lost.add(result.id)
      reach = Math.max(reach, place ?? -1)
      while (isLost(chain[reach + 1])) reach++
      this.#reach.push(reach)
    }
  }

  give(event: StoredEvent, onBranch: ReadonlyMap<string, number>): StoredEvent {
    const index = event.parent === undefined ? undefined : onBranch.get(event.parent)
    if (index === undefined) return event
    if (isArtefact(event) && this.#places.has(event.parent as string)) return event
    const parent = this.#chain[this.#reach[index] ?? -1]?.id ?? rootId
    return parent === event.parent ? event : { ...event, parent }
  }
}
