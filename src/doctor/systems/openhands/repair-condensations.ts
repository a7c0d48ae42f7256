import type { Repair } from '../../../core/rules/repair.ts'
import { type Condensation, type StoredEvent, shortName } from './event.ts'
import { logRepair } from './log-repair.ts'

/**
 * Condensations for a repaired branch. Instead of removed results they forget their replacements, a summary keeps its
 * place, and it is never between a call and its result. The rest of what they forget is unchanged: the program hides
 * what is left of it. `before` is the branch before the repair.
 */
export function repairCondensations(
  chain: readonly StoredEvent[],
  before: readonly StoredEvent[],
): { chain: readonly StoredEvent[]; repairs: Repair[] } {
  const count = chain.filter(({ condensation }) => condensation).length
  if (count === 0) return { chain, repairs: [] }
  // What each condensation sees of the events before it is held.
  if (count * chain.length > seenMax)
    throw new RangeError(`it has ${count} condensations, which is too many to examine`)
  const repairs: Repair[] = []
  const known = knownTo(before)
  const places = new Map(before.map(({ id }, index) => [id, index]))
  const there = new Set(chain.map(({ id }) => id))
  const repaired: StoredEvent[] = []
  const calls = new Map<string, number>()
  let view: StoredEvent[] = []
  for (const event of chain) {
    const { condensation } = event
    if (!condensation) {
      const { role, call } = event
      repaired.push(event)
      if (role !== 'aside') view.push(event)
      if (call) calls.set(call.response, (calls.get(call.response) ?? 0) + 1)
      continue
    }
    const { at, front } = known.get(event.id) ?? { at: 0, front: [] }
    const isKnown = (id: string): boolean => (places.get(id) ?? at) < at
    const forgotten = condensation.forgotten.filter(id => there.has(id) || !isKnown(id))
    const come = newResults(view, new Set(forgotten), isKnown)
    const gone = new Set([...forgotten, ...come])
    const left = view.filter(({ id }) => !gone.has(id))
    const now: Condensation = { forgotten: [...forgotten, ...come], ...placeIn(left, front, condensation, calls) }
    if (come.length > 0 || forgotten.length < condensation.forgotten.length)
      repairs.push(
        logRepair(
          'forgotten-event',
          shortName(event),
          'it forgets events that were removed or moved',
          'name their replacements',
        ),
      )
    if (now.offset !== condensation.offset)
      repairs.push(
        logRepair(
          'misplaced-summary',
          shortName(event),
          'its summary would be elsewhere, or between a call and its result',
          'put it in its place',
        ),
      )
    const isSame =
      now.offset === condensation.offset && now.forgotten.length === condensation.forgotten.length && come.length === 0
    repaired.push(isSame ? event : { ...event, condensation: now })
    view = now.offset === undefined ? left : left.toSpliced(now.offset, 0, summaryOf(event))
  }
  return { chain: repairs.length > 0 ? repaired : chain, repairs }
}

/** A thousand condensations of ten thousand events. */
const seenMax = 10_000_000

const summaryOf = ({ id, kind, time }: StoredEvent): StoredEvent => ({ id: `${id}-summary`, kind, time, role: 'user' })

/** Results of forgotten calls that were not before the condensation until now. */
function newResults(
  view: readonly StoredEvent[],
  forgotten: ReadonlySet<string>,
  isKnown: (id: string) => boolean,
): string[] {
  const calls = new Set(view.flatMap(({ id, call }) => (call && forgotten.has(id) ? [call.id] : [])))
  const isNew = ({ id, result }: StoredEvent): boolean =>
    result !== undefined && calls.has(result.id) && !isKnown(id) && !forgotten.has(id)
  return view.filter(isNew).map(({ id }) => id)
}

/** The place of a summary: after what it followed, and after all results of a step. */
function placeIn(
  left: readonly StoredEvent[],
  front: readonly string[],
  { offset }: Condensation,
  calls: ReadonlyMap<string, number>,
): { offset?: number } {
  if (offset === undefined) return {}
  const ids = new Set(front)
  const isMoved = left.slice(0, ids.size).some(({ id }) => !ids.has(id)) || left.length < ids.size
  let place = isMoved ? left.findLastIndex(({ id }) => ids.has(id)) + 1 : offset
  const shown = shownOf(left, calls)
  const inside = placesInside(left, shown)
  while (place < left.length && inside.has(place)) place++
  return { offset: place }
}

/** What the program shows of what is left: if a response lost a call, it hides all of it. */
function shownOf(left: readonly StoredEvent[], calls: ReadonlyMap<string, number>): Set<StoredEvent> {
  const counts = new Map<string, number>()
  for (const { call } of left) if (call) counts.set(call.response, (counts.get(call.response) ?? 0) + 1)
  const isWhole = (response: string): boolean => counts.get(response) === calls.get(response)
  const called = new Set(left.flatMap(({ call }) => (call && isWhole(call.response) ? [call.id] : [])))
  const isShown = ({ call, result }: StoredEvent): boolean =>
    call || result ? called.has(call?.id ?? result?.id ?? '') : true
  return new Set(left.filter(isShown))
}

/** The places before which a summary would separate a result from its call, or the calls of a response. */
function placesInside(left: readonly StoredEvent[], shown: ReadonlySet<StoredEvent>): Set<number> {
  const inside = new Set<number>()
  let from = 0
  let before: StoredEvent | undefined
  for (const [index, event] of left.entries()) {
    if (!shown.has(event)) continue
    const { role, call } = event
    const isInside = role === 'result' || (call !== undefined && call.response === before?.call?.response)
    for (let place = from; isInside && place <= index; place++) inside.add(place)
    from = index + 1
    before = event
  }
  return inside
}

interface Known {
  /** Its index on the branch. */
  readonly at: number
  /** What is before its summary. */
  readonly front: readonly string[]
}

/** The index of each condensation and what was before its summary, by its id. */
function knownTo(branch: readonly StoredEvent[]): Map<string, Known> {
  const known = new Map<string, Known>()
  let view: string[] = []
  for (const [index, { id, role, condensation }] of branch.entries()) {
    if (role !== 'aside') view.push(id)
    if (!condensation) continue
    const forgotten = new Set(condensation.forgotten)
    view = view.filter(other => !forgotten.has(other))
    const front = view.slice(0, condensation.offset ?? 0)
    known.set(id, { at: index, front })
    if (condensation.offset !== undefined) view = view.toSpliced(condensation.offset, 0, `${id}-summary`)
  }
  return known
}
