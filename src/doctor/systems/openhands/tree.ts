import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { isArtefact, rootId, type StoredEvent, shortName } from './event.ts'
import type { Base, EventLog } from './log.ts'
import { logRepair } from './log-repair.ts'

/** The events of a log by their links. */
export interface EventTree {
  readonly events: readonly StoredEvent[]
  readonly byId: ReadonlyMap<string, StoredEvent>
  /** The index of each event in the log. */
  readonly place: ReadonlyMap<StoredEvent, number>
  parentOf(event: StoredEvent): StoredEvent | undefined
}

/** A log without repeated event ids, and what was removed for that. */
export function withoutRepeats({ events, base }: EventLog): {
  log: EventLog
  repairs: Repair[]
  dropped: StoredEvent[]
} {
  const seen = new Set<string>()
  const dropped = events.filter(({ id }) => seen.has(id) || !seen.add(id))
  if (dropped.length === 0) return { log: { events, base }, repairs: [], dropped }
  const gone = new Set(dropped)
  const repairs = dropped.map(event =>
    logRepair(
      'repeated-event',
      shortName(event),
      `another event before it has the id ${event.id}`,
      'drop the later one',
      'lossy',
    ),
  )
  return { log: { events: events.filter(event => !gone.has(event)), base }, repairs, dropped }
}

/** Repairs links that lead nowhere or into a cycle: such an event is attached to the previous one. */
export function withLinks({ events, base }: EventLog): { log: EventLog; repairs: Repair[] } {
  const repairs: Repair[] = []
  const ids = new Map(events.map((event, index) => [event.id, index]))
  const linked = [...events]
  let before: StoredEvent | undefined
  for (const [index, event] of events.entries()) {
    const { parent } = event
    if (parent !== undefined && parent !== rootId && !ids.has(parent)) {
      linked[index] = { ...event, parent: before?.id ?? rootId }
      repairs.push(
        logRepair('lost-parent', shortName(event), `its parent ${parent} is missing`, 'link it to the event before it'),
      )
    }
    if (!isArtefact(event)) before = event
  }
  const { firsts, ends } = circlesIn(linked, ids)
  const leads = firsts.map((_, circle) => circle)
  for (const [circle, index] of firsts.entries()) {
    const event = valueAt(linked, index)
    let front = index - 1
    for (let before = linked[front]; before && isArtefact(before); before = linked[front]) front--
    const end = front < 0 ? circle : endOf(ends[front] ?? -1, leads)
    leads[circle] = end === circle ? -1 : end
    linked[index] = { ...event, parent: (end === circle ? undefined : linked[front]?.id) ?? rootId }
    repairs.push(
      logRepair('lost-parent', shortName(event), 'its parents form a cycle', 'link it to the event before it'),
    )
  }
  return { log: repairs.length > 0 ? { events: linked, base } : { events, base }, repairs }
}

/** The first event of each cycle of links, and the cycle that each event leads to; -1 for those that lead to a root. */
function circlesIn(
  events: readonly StoredEvent[],
  ids: ReadonlyMap<string, number>,
): { firsts: number[]; ends: Int32Array } {
  const before = (index: number): number => placeBefore(valueAt(events, index), index, ids)
  const firsts: number[] = []
  const ends = new Int32Array(events.length).fill(unknown)
  const walk = new Int32Array(events.length).fill(-1)
  for (let start = 0; start < events.length; start++) {
    let index = start
    while (index >= 0 && ends[index] === unknown && walk[index] !== start) {
      walk[index] = start
      index = before(index)
    }
    let end = index < 0 ? -1 : (ends[index] ?? -1)
    if (end === unknown) {
      end = firsts.length
      let first = index
      for (let at = before(index); at !== index; at = before(at)) first = Math.min(first, at)
      firsts.push(first)
    }
    for (let at = start; at >= 0 && ends[at] === unknown; at = before(at)) ends[at] = end
  }
  return { firsts, ends }
}

const unknown = -2

/** Where an event leads after the cycles in `leads` were opened. */
function endOf(circle: number, leads: number[]): number {
  let end = circle
  while (end >= 0 && leads[end] !== end) end = leads[end] ?? -1
  for (let at = circle; at >= 0 && leads[at] !== at && leads[at] !== end; ) {
    const next = leads[at] ?? -1
    leads[at] = end
    at = next
  }
  return end
}

function placeBefore({ parent }: StoredEvent, index: number, ids: ReadonlyMap<string, number>): number {
  if (parent === undefined) return index - 1
  return parent === rootId ? -1 : (ids.get(parent) ?? -1)
}

export function eventTreeOf(events: readonly StoredEvent[]): EventTree {
  const place = new Map(events.map((event, index) => [event, index]))
  const ids = new Map(events.map((event, index) => [event.id, index]))
  return {
    events,
    place,
    byId: new Map(events.map(event => [event.id, event])),
    parentOf: event => events[placeBefore(event, place.get(event) as number, ids)],
  }
}

/** The events from the root to a head. */
export function branchTo(tree: EventTree, head: StoredEvent | undefined): StoredEvent[] {
  const branch = new Set<StoredEvent>()
  for (let event = head; event && !branch.has(event); event = tree.parentOf(event)) branch.add(event)
  return [...branch].reverse()
}

/** Where the program continues. */
export function headOf(tree: EventTree, base: Base): { head: StoredEvent | undefined; repairs: Repair[] } {
  const last = tree.events.findLast(event => !isArtefact(event) && event.kind !== 'ConversationErrorEvent')
  if (base.leaf === undefined) return { head: base.isEmpty ? undefined : last, repairs: [] }
  const leaf = tree.byId.get(base.leaf)
  if (!leaf) {
    const words = `the head ${base.leaf} is missing, and the program cannot load the conversation`
    return {
      head: last,
      repairs: last ? [logRepair('lost-head', 'base_state.json', words, 'go on at the last event')] : [],
    }
  }
  const end = base.status === 'running' ? endOfChain(tree, leaf) : leaf
  if (end === leaf) return { head: leaf, repairs: [] }
  const words = `the head is at ${shortName(leaf)}, but the run continued to ${shortName(end)} before it was stopped`
  return { head: end, repairs: [logRepair('lagging-head', 'base_state.json', words, 'go on where the run ended')] }
}

/** The end of the only chain that continues from an event, has content and ends the log; else the event itself. */
function endOfChain(tree: EventTree, leaf: StoredEvent): StoredEvent {
  let end = leaf
  let hasContent = false
  for (const event of tree.events.slice((tree.place.get(leaf) as number) + 1)) {
    if (isArtefact(event)) continue
    if (tree.parentOf(event) !== end) return leaf
    end = event
    hasContent ||= event.role !== 'aside'
  }
  return hasContent ? end : leaf
}
